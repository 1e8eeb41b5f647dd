"""python -m saltus: the command of the same name."""

from ._program import main

main()
