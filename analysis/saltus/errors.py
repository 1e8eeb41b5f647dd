"""Errors of the library and the program, as exceptions whose text is the program's own message."""


class Error(Exception):
    """Anything that saltus refuses or fails at."""


class InvalidError(Error, ValueError):
    """An argument, a text or a file is not valid."""


class FileError(Error, OSError):
    """A file is missing, or could not be read or written."""


class StoppedError(Error, RuntimeError):
    """A signal stopped a run; the same call goes on with it."""


class OutcomeWarning(UserWarning):
    """A run has ended before its model's end; the outcomes of all runs are in the result."""


KINDS = {2: InvalidError, 3: FileError, 4: FileError, 6: MemoryError, 8: FileError, 85: StoppedError}  # by exit code


def of(status, message):
    """The exception for an exit code of the program, or a status of the library, which are the same."""
    return KINDS.get(status, Error)(message)
