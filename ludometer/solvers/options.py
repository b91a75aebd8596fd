"""What solving and verifying can be asked for, and which solver supports what.  Loads no compiler."""

from __future__ import annotations

import string
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

from ludometer.core.errors import LudometerError
from ludometer.core.progress import OnProgress
from ludometer.core.stopping import Stop

KEEP = ("none", "values", "distances")  # what stays of each position, from least to most


class OptionError(LudometerError):
    """An option that cannot be met, and what to do instead.

    The remedy names options in braces, such as "leave out {workers}".  The message shows them as Python parameters; `worded` shows other
    names, such as the flags of a command.
    """

    def __init__(self, problem: str, remedy: str) -> None:
        self._problem, self._remedy = problem, remedy
        options = [name for _, name, _, _ in string.Formatter().parse(remedy) if name]
        super().__init__(self.worded({name: name for name in options}))

    def worded(self, names: Mapping[str, str]) -> str:
        """The message with these names of the options."""
        return f"{self._problem}; {self._remedy.format_map(names)}"


@dataclass(frozen=True)
class SolveOptions:
    """How a game is solved.  The values found depend on none of these.

    Raises OptionError for values that no solver takes; `check_options` compares the rest with what one solver supports.
    """

    device: str = "cpu"
    workers: int | None = None  # threads; None: all cores
    folder: Path | None = None  # of this game's tables; None: solve in memory
    keep: str = "distances"  # of each position: "distances", "values" or "none" (totals only)
    check: bool = False  # compare every entry with its successors as soon as it is solved
    pack: bool = False  # write packed tables
    memory: int | None = None  # bytes to use, of the device's own memory if it has some; None: what is free
    executor: Executor | None = None  # its workers see the folder, and solve parts of the game
    progress: OnProgress | None = None
    stop: Stop = field(default_factory=Stop)  # ends the work with Stopped

    def __post_init__(self) -> None:
        check_keep(self.keep)
        if self.workers is not None and self.workers < 1:
            raise LudometerError(f"the number of workers is 1 or more, not {self.workers}")
        if self.memory is not None and self.memory < 1:
            raise LudometerError(f"a limit of memory is 1 byte or more, not {self.memory}")
        if self.pack and (self.folder is None or self.keep == "none"):
            raise OptionError("only tables that are kept in a folder, with values or distances, can be packed", "leave out {pack}")
        if self.executor is not None:
            self._check_executor()

    def _check_executor(self) -> None:
        if self.folder is None:
            raise LudometerError("solving with an executor needs a folder that all its workers see")
        if self.workers is not None:
            raise OptionError("an executor has workers of its own", "leave out {workers}")
        if self.memory is not None:
            raise OptionError("an executor's workers have memory of their own", "leave out {memory}")
        if self.check:
            raise OptionError("an executor's workers do not compare entries", "leave out {check} and verify the solution")

    def report(self, done: int, total: int, text: str) -> None:
        """Call `progress`, if there is one."""
        if self.progress is not None:
            self.progress(done, total, text)


@dataclass(frozen=True)
class Abilities:
    """What a solver supports on one device."""

    workers: bool = False  # a number of threads that can be chosen
    memory: bool = False  # a limit of memory
    pack: bool = False  # packed tables
    check: bool = False  # comparing entries as they are solved
    executor: bool = False  # workers of a `concurrent.futures.Executor`


def check_options(spec: str, options: SolveOptions, devices: Mapping[str, Abilities]) -> None:
    """Raise OptionError for the first option that the solver of this game does not support; `devices` is what it declares."""
    device = options.device
    if device not in devices:
        if len(devices) == 1:
            raise OptionError(f"{spec} is solved on the {next(iter(devices))}, not on {device!r}", "leave out {device}")
        raise OptionError(f"no device is called {device!r}", "{device}s are " + ", ".join(devices))
    able = devices[device]
    if options.executor is not None and not able.executor:
        raise OptionError(f"{spec} is solved on the {device} in this process", "leave out {executor}")
    if options.pack and not able.pack:
        raise OptionError(f"tables of games without repetition are not packed, and {spec} is one", "leave out {pack}")
    if options.workers is not None and not able.workers:
        one = f"{spec} is solved by one thread" if device == "cpu" else f"on {device} there are no threads to choose"
        raise OptionError(one, "leave out {workers}")
    if options.memory is not None and not able.memory:
        raise OptionError(f"{spec} is solved in as much memory as it takes", "leave out {memory}")
    if options.check and not able.check:
        where = "processor" if device == "cpu" else f"{device} device"
        raise OptionError(f"on the {where} tables are checked when all are solved", "leave out {check}: solve first, then verify")


@dataclass(frozen=True)
class VerifyOptions:
    """How a solution is verified."""

    sample: int | None = None  # entries to compare, drawn at random; None: all
    seed: int = 0  # decides which entries a sample has
    workers: int | None = None  # threads; None: all cores
    device: str = "cpu"
    progress: OnProgress | None = None
    stop: Stop = field(default_factory=Stop)

    def __post_init__(self) -> None:
        if self.sample is not None and self.sample < 1:
            raise LudometerError(f"a sample has 1 entry or more, not {self.sample}")

    def report(self, done: int, total: int, text: str) -> None:
        """Call `progress`, if there is one."""
        if self.progress is not None:
            self.progress(done, total, text)


def check_keep(keep: str) -> None:
    """Raise LudometerError unless `keep` says something that can be kept."""
    if keep not in KEEP:
        raise LudometerError(f"keep is one of {', '.join(KEEP)}, not {keep!r}")
