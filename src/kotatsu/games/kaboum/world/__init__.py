"""The physics of Kaboum's table, on MuJoCo. It knows no rules."""
