"""Would the tests notice? ``python -m tests.mutants`` changes the code in small ways and counts the changes they miss."""
