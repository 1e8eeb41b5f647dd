"""The library beside Python's threads and signals: Ctrl-C while it runs, and one advise at a time."""

import contextlib
import os
import signal
import threading

from . import errors

STACK = 8 << 20  # bytes
HEARD = 0.1  # [s] between two looks for a signal that another thread has got


class Turn:
    """A lock that a thread may take again, and that is free in a forked child: its holder may not exist there."""

    def __init__(self):
        self._process, self._lock = os.getpid(), threading.RLock()

    def __enter__(self):
        if self._process != os.getpid():
            self.__init__()
        while not self._lock.acquire(timeout=HEARD):  # a signal that comes just before a wait without an end is handled after it
            pass

    def __exit__(self, *_):
        self._lock.release()


class _Thread(threading.local):
    """State of this thread."""

    advising = None  # the number of the process that has called advise


_thread, _advice = _Thread(), Turn()


@contextlib.contextmanager
def advising():
    """The only advise of this process meanwhile. A thread waits here, where Ctrl-C is raised."""
    refuse_inside_advise("advise")
    with _advice:
        _thread.advising = os.getpid()
        try:
            yield
        finally:
            _thread.advising = None


def refuse_inside_advise(name):
    """Raises in a function that advise is running."""
    if _thread.advising == os.getpid():
        raise errors.InvalidError(f"{name}: is called by a function that saltus.advise runs; allowed: after that advise has returned")


class Gate:
    """Where signals are handled while the library, run by this thread, calls functions of Python: inside of these alone.

    A handler, such as that of Ctrl-C, may raise. An exception that it raises inside of the `try` of a function that the library has called ends the
    call of the library; anywhere else ctypes would drop it. So until `inside` is true signals are kept, and `handle` comes first there.
    """

    def __init__(self):
        self.inside, self._over, self.kept, self._handlers = False, False, [], {}

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():  # the only one in which handlers are called
            self._handlers = {number: handler for number in signal.valid_signals() if callable(handler := signal.getsignal(number))}
            try:
                for number in self._handlers:
                    signal.signal(number, self._signal)
            except BaseException:  # raised by the handler of a signal that came in between
                self.__exit__()
                raise
        return self

    def __exit__(self, *_):
        self._over = True  # signals go to their handlers, whichever are put back
        for number, handler in self._handlers.items():
            if signal.getsignal(number) == self._signal:  # no function has set one of its own
                signal.signal(number, handler)
        self.handle()

    def _signal(self, number, frame):
        if self.inside or self._over:
            self._handlers[number](number, frame)
        else:
            self.kept.append((number, frame))

    def handle(self):
        """Calls the handlers of signals that were kept."""
        while self.kept:
            number, frame = self.kept.pop(0)
            self._handlers[number](number, frame)


def _start(thread):
    """Starts it with the stack that the library needs, independent of `ulimit -s`."""
    before = threading.stack_size(STACK)
    try:
        thread.start()
    finally:
        threading.stack_size(before)


def in_thread(call, halt):
    """call() of a library that calls no Python, in a thread of its own: Ctrl-C sets `halt`, and is raised when the call has ended."""
    if threading.current_thread() is not threading.main_thread():
        return call()
    result, ended = [], threading.Event()

    def work():
        try:
            result.append((call(), None))
        except BaseException as why:
            result.append((None, why))
        finally:
            ended.set()

    thread = threading.Thread(target=work, daemon=True)
    try:
        _start(thread)  # an interrupt may come before it returns, and find the call running
        while not ended.wait(HEARD):
            pass
    except BaseException:
        halt.value = 1
        going_on = True
        while going_on:
            try:
                going_on = not ended.wait(HEARD) and thread.is_alive()
            except KeyboardInterrupt:  # the runs are being ended already
                pass
        raise
    value, why = result[0]
    if why is not None:
        raise why
    return value
