"""Families of agents that differ in one budget, and the rungs that such a budget makes.

family = Family.of("mcts:c=1")               # the budget is the kind's main option: iterations
family = Family.of("alphabeta:nodes")        # another budget: its bare name stands among the options
family.rung("100")                           # "mcts:100,c=1", "alphabeta:nodes=100"
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludometer.agents import AgentLike, kind_and_parameters, spec_of
from ludometer.core.agent import AgentKind, Option, split_spec
from ludometer.core.errors import LudometerError, SpecError, shorten

RANDOM = "random"  # the player below all rungs


@dataclass(frozen=True)
class Family:
    """Agents of one kind and one set of options but for the budget."""

    kind: AgentKind
    budget: Option
    fixed: tuple[tuple[str, Any], ...]  # values of all other options

    @classmethod
    def of(cls, given: AgentLike) -> Family:
        """The family a spec names, or of a function or class; raises SpecError that says what would be right."""
        spec = spec_of(given)
        kind, parameters = kind_and_parameters(spec)
        options = {option.name: option for option in kind.options}
        parts = [part.strip() for part in parameters.split(",")] if parameters else []
        named = [part for part in parts if part in options and not options[part].is_switch]
        if len(named) > 1:
            raise SpecError(f"a ladder has one budget, and {shorten(spec)} names {' and '.join(named)}")
        budget = named[0] if named else kind.main
        if not budget:
            have = ", ".join(options)
            raise SpecError(f"{kind.where} has no budget to make a ladder of" + (f"; its options are {have}" if have else ""))
        values = kind.parse_options(",".join(part for part in parts if part not in named))
        if values[budget] != options[budget].default:
            written = f"{kind.name}:{budget}" if named else kind.name
            raise SpecError(f"{shorten(spec)} sets {budget}, which the rungs of a ladder set; write {written}")
        return cls(kind, options[budget], tuple((option, value) for option, value in values.items() if option != budget))

    def rung(self, budget: str | float) -> str:
        """The spec of the member with this budget; raises SpecError."""
        text = budget if isinstance(budget, str) else self.budget.format(budget)
        value = self.budget.parse(text.strip(), self.kind.where)
        return self.kind.spec({**dict(self.fixed), self.budget.name: value})

    @property
    def spec(self) -> str:
        """The family in canonical spelling."""
        values = {**dict(self.fixed), self.budget.name: self.budget.default}
        written = self.kind.spec(values)
        if self.budget.name == self.kind.main:
            return written
        name, rest = split_spec(written)
        return f"{name}:{self.budget.name}{',' if rest else ''}{rest}"

    def __str__(self) -> str:
        return self.spec

    def numbers(self, rungs: tuple[str, ...]) -> tuple[float, ...]:
        """The rungs as numbers on an axis: their budgets, or 1, 2, 3, … where budgets are not numbers."""
        try:
            return tuple(float(rung) for rung in rungs)
        except ValueError:
            return tuple(float(place) for place in range(1, len(rungs) + 1))


def split_rungs(text: str) -> tuple[str, ...]:
    """The budgets of `1,10,100`, in order; raises LudometerError."""
    rungs = tuple(part.strip() for part in text.split(",") if part.strip())
    if not rungs:
        raise LudometerError("a ladder has at least one rung, such as --rungs 1,10,100")
    if len(set(rungs)) < len(rungs):
        raise LudometerError(f"the rungs {shorten(text)} name one budget twice")
    return rungs
