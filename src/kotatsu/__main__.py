"""``python -m kotatsu`` is the command line."""

from kotatsu.cli.main import main

if __name__ == "__main__":
    main(prog_name="kotatsu")
