"""`ludometer learn`: train a Q-learning agent and write its weights to a file."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludometer.commands.output import INTERRUPTED, GameSpec, Json, find_game, print_json, say, stopping_on_interrupt
from ludometer.core.text import aligned

if TYPE_CHECKING:
    from ludometer.core.progress import OnProgress

_LINE_START = "\r\033[K"  # clears the progress line


def learn(
    game: GameSpec,
    out: Annotated[str, typer.Option(metavar="FILE", help="write the weights into this file")],
    iterations: Annotated[int, typer.Option(metavar="N", help="training games", min=0, max=1_000_000_000)] = 1000,
    options: Annotated[str, typer.Option(metavar="TEXT", help="further options of the agent, such as learner=tabular,alpha=0.1")] = "",
    seed: Annotated[int, typer.Option(metavar="N", help="decides all chance")] = 0,
    json: Json = False,
) -> None:
    """Train a Q-learning agent; `qlearning:weights=FILE` then plays with what it has learnt.  Nothing is written if it is interrupted."""
    chosen = find_game(game)
    from ludometer.agents import qlearning, qlearning_files
    from ludometer.core.errors import SpecError
    from ludometer.core.files import check_writable
    from ludometer.core.stopping import Stopped

    refused = qlearning.AGENT.refuses(chosen)
    if refused:
        raise SpecError(f"agent qlearning cannot play {chosen.spec}: {refused}")
    for name in qlearning.AGENT.given(options).keys() & {"iterations", "seed"}:
        raise SpecError(f"{name} has an option of its own; write --{name}")
    given = qlearning.AGENT.parse_options(options)
    if given.pop("weights"):
        raise SpecError("learning begins from nothing; leave out weights=…")
    settings = qlearning.settle(chosen, **{**given, "iterations": iterations, "seed": seed})
    check_writable(out)
    since = time.perf_counter()
    try:
        with stopping_on_interrupt() as stop:
            knowledge = qlearning.train(chosen, settings, _progress(), stop)
    except Stopped as error:
        say(f"{_LINE_START if sys.stderr.isatty() else ''}ludometer: {error}; nothing was written")
        raise typer.Exit(INTERRUPTED) from error
    seconds = time.perf_counter() - since
    qlearning_files.save(knowledge, out)
    rows = qlearning_files.inspect(knowledge)
    if json:
        print_json(
            {
                "game": chosen.spec,
                "agent": f"qlearning:weights={out}",
                "learner": settings.learner,
                "iterations": iterations,
                "seed": seed,
                "update": settings.update,
                "moves": knowledge.moves_made,
                "seconds": seconds,
                "file": out,
                "learnt": rows,
            }
        )
        return
    if rows:
        print(_table(rows))
    print(f"{chosen.spec}: {settings.learner} learner, {iterations:,} games with {knowledge.moves_made:,} moves in {seconds:.1f} s")
    say(f"written to {out}")


def _progress() -> OnProgress:
    """Print progress: in one changing line on a terminal, elsewhere after every tenth."""
    told = 0

    def progress(done: int, total: int, text: str) -> None:
        nonlocal told
        if sys.stderr.isatty():
            print(f"\r{done:,} of {total:,} games", end="" if done < total else "\n", file=sys.stderr, flush=True)
        elif done * 10 // total > told:
            told = done * 10 // total
            say(f"{done:,} of {total:,} games")

    return progress


def _table(rows: list[dict[str, Any]]) -> str:
    """Texts to the left, numbers to the right."""
    cells = [[f"{value:.4f}" if isinstance(value, float) else str(value) for value in row.values()] for row in rows]
    texts = [column for column, value in enumerate(rows[0].values()) if isinstance(value, str)]
    return aligned([list(rows[0]), *cells], left=texts)
