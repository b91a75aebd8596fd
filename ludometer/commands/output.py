"""What all commands share: how a game is looked up, JSON on standard output, messages on standard error, and Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ludometer.core.game import Game
    from ludometer.core.position import Position
    from ludometer.core.stopping import Stop

INTERRUPTED = 130
_GRACE = 1.0  # seconds from Ctrl-C to the end of the process in compiled code

GameSpec = Annotated[str, typer.Argument(metavar="GAME", help="which game, such as quixo:4; see `ludometer games`")]
Json = Annotated[bool, typer.Option("--json", help="print one JSON document and nothing else")]


def find_game(spec: str) -> Game:
    """The game of a spec.  Compilations are announced on a terminal only."""
    from ludometer import games
    from ludometer.core.compiling.compilation import compilations

    compilations.quiet = not sys.stderr.isatty()
    return games.game(spec)


def print_json(document: Any) -> None:
    print(json.dumps(document, indent=2))


def say(message: str) -> None:
    """Print a message for people on standard error."""
    print(message, file=sys.stderr, flush=True)


def print_board(position: Position) -> None:
    from ludometer.view.boards.terminal import position_text, wants_colour

    print(position_text(position, wants_colour(sys.stdout)), flush=True)


@contextmanager
def stopping_on_interrupt() -> Iterator[Stop]:
    """Yield a Stop that Ctrl-C asks; a second Ctrl-C ends the process at once."""
    from ludometer.core.stopping import Stop

    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    wakeup_before = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    handler_before = signal.signal(signal.SIGINT, lambda number, frame: stop.ask())  # and no KeyboardInterrupt

    def watch() -> None:
        """Notice Ctrl-C while the main thread is in compiled code."""
        times = 0
        while number := receiver.recv(1):
            times += number[0] == signal.SIGINT
            if times:
                stop.ask()
            if times > 1:
                os._exit(INTERRUPTED)
        receiver.close()

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, handler_before)
        signal.set_wakeup_fd(wakeup_before)
        sender.close()  # ends the watch


@contextmanager
def ending_on_interrupt() -> Iterator[None]:
    """End the process if compiled code is still running a second after Ctrl-C, which it cannot notice."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    before = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)

    def watch() -> None:
        while number := receiver.recv(1):
            if number[0] == signal.SIGINT:
                time.sleep(_GRACE)
                if sender.fileno() >= 0:
                    os._exit(INTERRUPTED)
        receiver.close()

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        sender.close()  # ends the watch
