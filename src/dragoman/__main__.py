"""`python -m dragoman` is the command `dragoman`."""

from dragoman.apps.cli import main

main()
