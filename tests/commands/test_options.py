"""Every option of every command: what is said of it is frozen, and what is given with it arrives where the work is done."""

from __future__ import annotations

import importlib
import inspect
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from ludometer.arena.work.execution import Execution
from ludometer.cli import COMMANDS
from ludometer.commands import runs as runs_module
from ludometer.commands.output import stopping_on_interrupt
from ludometer.core.errors import LudometerError
from tests.freezing import frozen


def commands() -> dict[str, Callable[..., Any]]:
    """Name -> the function that is the command; subcommands as `runs show`."""
    found: dict[str, Callable[..., Any]] = {function.__name__: function for function in COMMANDS}
    found["runs"] = runs_module.runs
    for command in runs_module.app.registered_commands:
        assert command.callback is not None
        found[f"runs {command.callback.__name__}"] = command.callback
    return found


def option_names(command: str) -> set[str]:
    return set(inspect.signature(commands()[command]).parameters)


def test_what_is_said_of_options() -> None:
    """Names, defaults, bounds and help of all parameters."""
    lines = []
    for name, function in commands().items():
        lines += ["", f"{name}: {' '.join((function.__doc__ or '').split())}"]
        hints = get_type_hints(function, include_extras=True)
        for parameter in inspect.signature(function).parameters.values():
            kind, *more = get_args(hints[parameter.name]) if hasattr(hints[parameter.name], "__metadata__") else (hints[parameter.name],)
            needed = parameter.default is inspect.Parameter.empty
            facts = [str(getattr(kind, "__name__", kind)), "required" if needed else f"default {parameter.default!r}"]
            for info in more:
                facts += [f"{side} {value}" for side in ("min", "max") if (value := getattr(info, side)) is not None]
                facts += [
                    *(info.param_decls or ()),
                    str(info.metavar or ""),
                    str(info.help),
                    "" if info.show_default else "default not shown",
                ]
            lines.append(f"  {parameter.name}: {'; '.join(fact for fact in facts if fact)}")
    frozen("commands.txt", "\n".join(lines))


# Command -> (module and function that does the work, words that are always given, what it gets then,
#             option -> (words, what changes in what it gets)).  "*" are the arguments without a name.
MEASURING = {
    "seed": (["--seed", "5"], {"seed": 5}),
    "limit": (["--limit", "9"], {"ply_limit": 9}),
    "workers": (["--workers", "2"], {"workers": 2}),
    "cluster": (["--cluster", "tcp://here:1"], {"cluster": "tcp://here:1"}),
}
USUAL = {"seed": 0, "ply_limit": None, "workers": None, "cluster": None}
ELSEWHERE = {"plan", "json", "store", "no_store", "plot", "out"}  # options that the work does not see; tested below

WORK: dict[str, tuple[str, list[str], dict[str, Any], dict[str, tuple[list[str], dict[str, Any]]]]] = {
    "match": (
        "ludometer.arena.experiments.match:match",
        ["tictactoe", "mcts:5", "random"],
        {
            **USUAL,
            "*": ["mnk:3,3,3", "mcts:5", "random", 100],
            "opening_plies": None,
            "sprt": None,
            "until_width": None,
            "until_decided": False,
        },
        {
            **MEASURING,
            "game": ([], {}),
            "a": ([], {}),
            "b": ([], {}),
            "games": (["--games", "8"], {"*": ["mnk:3,3,3", "mcts:5", "random", 8]}),
            "opening_plies": (["--opening-plies", "3"], {"opening_plies": 3}),
            "sprt": (["--sprt", "-5,20.5"], {"sprt": (-5.0, 20.5)}),
            "until_width": (["--until-width", "0.2"], {"until_width": 0.2}),
            "until_decided": (["--until-decided"], {"until_decided": True}),
        },
    ),
    "tournament": (
        "ludometer.arena.experiments.tournament:tournament",
        ["tictactoe", "mcts:5", "random"],
        {**USUAL, "*": ["mnk:3,3,3", ["mcts:5", "random"], 100], "gauntlet": None, "anchor": None, "opening_plies": None},
        {
            **MEASURING,
            "game": ([], {}),
            "agents": (["mcts:7"], {"*": ["mnk:3,3,3", ["mcts:5", "random", "mcts:7"], 100]}),
            "games": (["--games", "8"], {"*": ["mnk:3,3,3", ["mcts:5", "random"], 8]}),
            "gauntlet": (["--gauntlet", "mcts:5"], {"gauntlet": "mcts:5"}),
            "anchor": (["--anchor", "mcts:5"], {"anchor": "mcts:5"}),
            "opening_plies": (["--opening-plies", "3"], {"opening_plies": 3}),
        },
    ),
    "ladder": (
        "ludometer.arena.experiments.ladder:ladder",
        ["tictactoe"],
        {
            **USUAL,
            "*": ["mnk:3,3,3"],
            "agent": ["mcts"],
            "rungs": ("1", "10", "100"),
            "versus": "optimal",
            "blunder": (),
            "measure": "outcome",
            "games": None,
            "positions": None,
            "opening_plies": None,
            "tables": "",
        },
        {
            **MEASURING,
            "games": (["quixo:3"], {"*": ["mnk:3,3,3", "quixo:3"]}),
            "agent": (["--agent", "minimax", "--agent", "mcts"], {"agent": ["minimax", "mcts"]}),
            "rungs": (["--rungs", "2,4"], {"rungs": ("2", "4")}),
            "versus": (["--versus", "random"], {"versus": "random"}),
            "blunder": (["--blunder", "0,0.5,1"], {"blunder": (0.0, 0.5, 1.0)}),
            "measure": (["--measure", "accuracy"], {"measure": "accuracy"}),
            "count": (["--games", "8"], {"games": 8}),
            "opening_plies": (["--opening-plies", "3"], {"opening_plies": 3}),
            "tables": (["--tables", "there"], {"tables": "there"}),
            "axis": (["--axis", "seconds", "--plot", "x.png"], {}),
            "normalise": (["--normalise", "--plot", "x.png"], {}),
        },
    ),
    "depth": (
        "ludometer.arena.experiments.depth:depth",
        ["tictactoe"],
        {
            **USUAL,
            "*": ["mnk:3,3,3"],
            "precision": 0.4,
            "budget": None,
            "rungs": None,
            "opening_plies": 2,
            "yardstick": "uct",
            "tables": "",
            "perfect": True,
        },
        {
            **MEASURING,
            "games": (["quixo:3"], {"*": ["mnk:3,3,3", "quixo:3"]}),
            "precision": (["--precision", "0.7"], {"precision": 0.7}),
            "budget": (["--budget", "2min"], {"budget": "2min"}),
            "rungs": (["--rungs", "7"], {"rungs": 7}),
            "yardstick": (["--yardstick", "mcts:c=1"], {"yardstick": "mcts:c=1"}),
            "latex": (["--latex", "x.tex"], {}),
            "opening_plies": (["--opening-plies", "3"], {"opening_plies": 3}),
            "perfect": (["--no-perfect"], {"perfect": False}),
            "tables": (["--tables", "there"], {"tables": "there"}),
        },
    ),
    "report": (
        "ludometer.arena.experiments.report:report",
        ["tictactoe"],
        {**USUAL, "*": ["mnk:3,3,3"], "games": 200, "positions": 400, "budget": "60s", "precision": 0.5, "rungs": None, "tables": ""},
        {
            **MEASURING,
            "games": (["quixo:3"], {"*": ["mnk:3,3,3", "quixo:3"]}),
            "budget": (["--budget", "1.5h"], {"budget": "1.5h"}),
            "precision": (["--precision", "0.7"], {"precision": 0.7}),
            "rungs": (["--rungs", "7"], {"rungs": 7}),
            "games_each": (["--games", "8"], {"games": 8}),
            "positions": (["--positions", "9"], {"positions": 9}),
            "tables": (["--tables", "there"], {"tables": "there"}),
        },
    ),
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, run) -> Callable[..., dict[str, Any]]:
    """Runs a command whose work is not done: what it was asked for, arguments without a name under `*`, games by their specs."""

    def ask(command: str, place: str, *words: str) -> dict[str, Any]:
        seen: list[dict[str, Any]] = []

        def watched(*arguments: Any, **options: Any) -> None:
            execution = options.pop("execution")
            named = options | {"workers": execution.workers, "cluster": execution.cluster, "store": execution.store}
            seen.append({"*": [getattr(one, "spec", one) for one in arguments], **named})
            raise LudometerError("that is all")

        module, _, name = place.partition(":")
        with monkeypatch.context() as patch:
            patch.setattr(importlib.import_module(module), name, watched)
            status, out, err = run(command, *words)
        assert (status, out) == (2, "") and err.endswith("ludometer: that is all\n"), err
        return seen[0]

    return ask


@pytest.mark.process
@pytest.mark.parametrize("command", WORK)
def test_options_arrive(asked, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    place, words, usual, options = WORK[command]
    assert option_names(command) <= {*options, *ELSEWHERE}, "every option has a line above"
    for given, changes in [([], {}), *options.values()]:
        seen = asked(command, place, *words, *given)
        store = seen.pop("store")
        assert seen == {**usual, **changes}, given
        assert Path(store).name == "experiments.sqlite"
    assert asked(command, place, *words, "--no-store")["store"] is None
    assert Path(asked(command, place, *words, "--store", str(tmp_path / "mine"))["store"]) == tmp_path / "mine"
    assert not list(tmp_path.glob("x.png")), "nothing was drawn"


@pytest.mark.parametrize("command", ["match", "tournament", "ladder", "depth", "report"])
def test_ctrl_c_before_there_is_anything_to_show(run, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    place, words, *_ = WORK[command]
    module, _, name = place.partition(":")

    def interrupted(*arguments: Any, execution: Execution, **options: Any) -> None:
        assert execution.stop is not None and not execution.is_stopped
        signal.raise_signal(signal.SIGINT)
        execution.stop.check("the work")

    monkeypatch.setattr(importlib.import_module(module), name, interrupted)
    assert run(command, *words, "--no-store") == (130, "", "ludometer: the work was stopped; nothing was kept (--no-store)\n")


def test_an_interrupt_is_caught_within_the_block_only() -> None:
    with stopping_on_interrupt() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.asked
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


DYNAMICS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "game": ([], {}),
    "kind": (["--dynamics", "best-response"], {"dynamics": "best-response", "learners": None}),
    "tau": (["--tau", "0.5", "--learners", "none"], {"dynamics": "boltzmann", "tau": 0.5, "learners": None}),
    "kappa": (["--kappa", "3", "--learners", "none"], {"kappa": 3, "learners": None}),
    "populations": (["--populations", "1"], {"populations": 1}),
    "runs": (["--runs", "7"], {"runs": 7}),
    "episodes": (["--episodes", "8"], {"episodes": 8}),
    "start": (["--start", "0.7,0.3 3/5,2/5", "--learners", "none"], {"start": [0.7, 0.3, 0.6, 0.4], "learners": None}),
    "duration": (["--duration", "3"], {"duration": 3.0}),
    "fictitious": (["--fictitious", "9"], {"fictitious": 9}),
    "eliminate": (["--eliminate", "weak"], {"elimination": "weak"}),
    "seed": (["--seed", "4"], {"seed": 4}),
    "workers": (["--workers", "2"], {"workers": 2}),
    "learners": (["--learners", "none"], {"learners": None}),
}
LEARNING: dict[str, tuple[list[str], dict[str, Any]]] = {
    "learners": (["--learners", "faq"], {"kind": "faq"}),
    "alpha": (["--alpha", "0.2"], {"alpha": 0.2}),
    "beta": (["--learners", "faq", "--beta", "0.3"], {"kind": "faq", "beta": 0.3}),
    "gamma": (["--gamma", "0.4"], {"kind": "greedy", "gamma": 0.4}),
    "epsilon": (["--epsilon", "0.6"], {"kind": "greedy"}),
    "q0": (["--q0", "2"], {"kind": "greedy", "q0": (2.0, 2.0)}),
    "as_printed": (["--as-printed"], {"kind": "greedy"}),
}
DYNAMICS_ELSEWHERE = {"json", "profile", "plot", "basins", "curves", "bifurcation", "write"}


@pytest.mark.process
def test_options_of_dynamics_arrive(run, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.dynamics import portrait

    seen: list[dict[str, Any]] = []

    def watched(spec: str, **options: Any) -> None:
        seen.append(options)
        raise LudometerError(spec)

    monkeypatch.setattr(portrait, "learning_dynamics", watched)
    assert option_names("dynamics") == set(DYNAMICS) | set(LEARNING) | DYNAMICS_ELSEWHERE
    usual = {
        "dynamics": "replicator",
        "tau": 1.0,
        "kappa": 1,
        "populations": 2,
        "elimination": "strict",
        "start": None,
        "duration": None,
        "fictitious": 0,
        "runs": 1000,
        "episodes": 10_000,
        "seed": 0,
        "workers": None,
    }
    for given, changes in DYNAMICS.values():
        assert run("dynamics", "matrix:stag", *given)[0] == 2
        learners = seen[-1].pop("learners")
        expected = {**usual, **changes}
        assert (learners is None) == ("learners" in changes)
        assert learners is None or learners.kind == "cross"
        expected.pop("learners", None)
        assert seen[-1] == expected, given
    for given, changes in LEARNING.values():
        assert run("dynamics", "matrix:stag", *given)[0] == 2
        assert {name: getattr(seen[-1]["learners"], name) for name in changes} == changes, given
        assert "learners" not in given or seen[-1]["dynamics"] == "boltzmann"
