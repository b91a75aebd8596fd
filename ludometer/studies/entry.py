"""Entry: a reported table, figure or number as an experiment with the reported value, its measurement and a rule of agreement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ludometer.core.errors import LudometerError

if TYPE_CHECKING:
    from ludometer.studies.figures import Figure, Picture
    from ludometer.studies.laboratory import Laboratory


class Kind(StrEnum):
    """Kind of a reported value."""

    EXACT = "exact"  # has to be equal
    STATISTICAL = "statistical"  # both sides have a sampling error
    HARDWARE = "hardware"  # depends on the machine: a ratio, never a judgement
    CLAIM = "claim"  # a statement in words, tested as an inequality


class Verdict(StrEnum):
    AGREES = "agrees"
    DIFFERS = "differs"
    WRONG = "report is wrong"
    HARDWARE = "hardware"
    NOT_RUN = "not run"


class NotRun(LudometerError):
    """An experiment that cannot be run; the text says what it needs."""


@dataclass(frozen=True)
class Measured:
    """Result of a measurement; all fields but the figures are plain data for JSON."""

    value: Any  # of the same shape as the reported value, if the rule compares the two
    text: str = ""  # the value for people; "": the value as it is
    interval: tuple[float, float] | None = None  # 95 % unless the text says otherwise
    data: Any = None  # what the rule, the pictures and the files need beside the value
    figures: tuple[Figure | Picture, ...] = ()
    note: str = ""  # remark on the measurement

    def __str__(self) -> str:
        return self.text or plain(self.value)


@dataclass(frozen=True)
class Judgement:
    """A verdict and its reason."""

    verdict: Verdict
    why: str = ""

    @property
    def agrees(self) -> bool | None:
        """None if nothing was compared."""
        return {Verdict.AGREES: True, Verdict.DIFFERS: False, Verdict.WRONG: False}.get(self.verdict)


Rule = Callable[[Any, Measured], Judgement]  # (reported, measured)


@dataclass(frozen=True)
class Entry:
    """A named experiment.

    `rule` defines agreement; see `agreement`.  `reason` explains a known difference and is printed with the verdict DIFFERS only.
    """

    name: str  # study, a dot, what it is: 000.ladder.out.4.opt
    title: str  # what is measured, in a line
    where: str  # section, table or figure of the report
    kind: Kind
    reported: Any  # plain data
    settings: str  # the command or arithmetic that gives ours
    measure: Callable[[Laboratory], Measured]
    rule: Rule
    reported_text: str = ""  # what was reported for people; "": the data as they are
    note: str = ""
    reason: str = ""
    in_suite: bool = False  # exact and done in a moment: the test suite runs it

    @property
    def study(self) -> str:
        return self.name.partition(".")[0]

    @property
    def said(self) -> str:
        """What was reported, for people."""
        return self.reported_text or plain(self.reported)


def plain(value: Any) -> str:
    """Plain data in a short line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {plain(one)}" for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return " ".join(plain(one) for one in value)
    return str(value)
