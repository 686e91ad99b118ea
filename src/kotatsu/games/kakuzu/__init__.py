"""Kakuzu: a Sudoku under 81 stones. 1 to 4 players."""
