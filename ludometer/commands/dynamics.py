"""`ludometer dynamics`: equilibria, learning dynamics and learners of a matrix game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludometer.commands.output import Json, ending_on_interrupt, print_json, say

if TYPE_CHECKING:
    from ludometer.dynamics.learners import Settings
    from ludometer.games.matrix.bimatrix import Bimatrix

MatrixSpec = Annotated[
    str, typer.Argument(metavar="GAME", help='matrix:NAME, matrix:FILE.nfg or a table such as "3,2 0,0; 0,0 2,3"; see `ludometer games`')
]
_FILE = "(png, svg or pdf)"


def dynamics(
    game: MatrixSpec,
    kind: Annotated[
        str | None, typer.Option("--dynamics", metavar="KIND", help="replicator (default), boltzmann (default with --tau) or best-response")
    ] = None,
    tau: Annotated[float | None, typer.Option(metavar="T", help="temperature of Boltzmann dynamics and learners")] = None,
    kappa: Annotated[int, typer.Option(metavar="K", help="leniency: actions are judged by the best of K rewards")] = 1,
    populations: Annotated[int, typer.Option(metavar="N", help="2, or 1 for a symmetric game")] = 2,
    learners: Annotated[
        str, typer.Option(metavar="KIND", help="greedy, boltzmann, faq, cross, none, or auto: those that follow the dynamics")
    ] = "auto",
    runs: Annotated[int, typer.Option(metavar="N", help="pairs of learners")] = 1_000,
    episodes: Annotated[int, typer.Option(metavar="N", help="episodes each pair plays")] = 10_000,
    alpha: Annotated[float | None, typer.Option(metavar="A", help="learning rate (0.05; cross learning 0.01)", show_default=False)] = None,
    beta: Annotated[float | None, typer.Option(metavar="B", help="frequency adjustment of faq learners (0.05)", show_default=False)] = None,
    gamma: Annotated[float | None, typer.Option(metavar="G", help="discount factor of Q-learners (0.1; faq 0)", show_default=False)] = None,
    epsilon: Annotated[
        float | None, typer.Option(metavar="E", help="exploration of greedy learners (falls from 1 to 0.01)", show_default=False)
    ] = None,
    q0: Annotated[str | None, typer.Option(metavar="Q|LOW,HIGH", help="first Q-values, or the range they are drawn from")] = None,
    as_printed: Annotated[
        bool, typer.Option("--as-printed", help="greedy and boltzmann learners with the study's misprinted formulas")
    ] = False,
    start: Annotated[
        str | None,
        typer.Option(
            metavar="PROFILE", help='where paths, and learners other than greedy, start, such as "0.2,0.8 0.5,0.5"; default several places'
        ),
    ] = None,
    duration: Annotated[float | None, typer.Option(metavar="T", help="length of the paths, in units of alpha times steps")] = None,
    profile: Annotated[str | None, typer.Option(metavar="PROFILE", help='what best replies would gain at "P P" or "3/5,2/5 O"')] = None,
    fictitious: Annotated[int, typer.Option(metavar="N", help="rounds of fictitious play to follow; 0: none")] = 0,
    eliminate: Annotated[str, typer.Option(metavar="KIND", help="dominated strategies: strict or weak")] = "strict",
    seed: Annotated[int, typer.Option(metavar="N", help="decides all chance")] = 0,
    workers: Annotated[int | None, typer.Option(metavar="N", help="threads for learners; default all cores", show_default=False)] = None,
    plot: Annotated[str | None, typer.Option(metavar="FILE", help=f"draw the field {_FILE}")] = None,
    basins: Annotated[str | None, typer.Option(metavar="FILE", help=f"draw the basins of attraction {_FILE}")] = None,
    curves: Annotated[str | None, typer.Option(metavar="FILE", help=f"draw learning curves {_FILE}")] = None,
    bifurcation: Annotated[str | None, typer.Option(metavar="FILE", help=f"draw logit equilibria over the temperature {_FILE}")] = None,
    write: Annotated[str | None, typer.Option(metavar="FILE.nfg", help="write the game as a Gambit file")] = None,
    json: Json = False,
) -> None:
    """Find all equilibria of a matrix game, the rest points of its learning dynamics, and where learners end."""
    from ludometer.core.errors import LudometerError
    from ludometer.core.files import check_outputs, write_text
    from ludometer.dynamics.documents import logit_document
    from ludometer.dynamics.dominance import check_kind
    from ludometer.dynamics.equilibria import check_size, nash_conv, parse_profile
    from ludometer.dynamics.fields import field_of
    from ludometer.dynamics.integration import check_rounds
    from ludometer.dynamics.learners import check_counts
    from ludometer.dynamics.payoffs import find_game
    from ludometer.view.dynamics.text import gains_text, heading, portrait_text

    table, spec = find_game(game)
    check_size(table)
    options = {"alpha": alpha, "beta": beta, "gamma": gamma, "epsilon": epsilon, "q0": _range(q0), "printed": as_printed or None}
    given = {name: value for name, value in options.items() if value is not None}
    kind, learning = _choices(kind, learners, tau, given)
    field_of(table, kind, 1.0 if tau is None else tau, kappa, populations)  # wrong settings are told before anything is computed
    place = None if start is None else parse_profile(table, start)
    settings = _settings(learning, kind, tau, kappa, given, place)
    check_counts(runs=runs, episodes=episodes, workers=workers)
    check_kind(eliminate)
    if fictitious:
        check_rounds(fictitious)
    if duration is not None and not 0 < duration <= 1e6:
        raise LudometerError(f"the duration of paths is a number above 0 up to 1000000, not {duration}")
    asked = None if profile is None else parse_profile(table, profile)
    pictures = {"field": plot, "basins": basins, "curves": curves, "bifurcation": bifurcation}
    check_outputs(*pictures.values(), write)
    _check_pictures(table, kind, populations, settings is not None, pictures)
    if not json:
        print(heading(table, spec), flush=True)
    if write is not None:
        write_text(write, table.to_nfg())
    if settings is not None:
        _announce_quietly()
    from ludometer.dynamics.portrait import learning_dynamics
    from ludometer.view.dynamics.plots import load_matplotlib

    with ending_on_interrupt():
        portrait = learning_dynamics(
            spec,
            dynamics=kind,
            tau=1.0 if tau is None else tau,
            kappa=kappa,
            populations=populations,
            elimination=eliminate,
            start=None if place is None else [float(p) for part in place[:populations] for p in part],
            duration=duration,
            fictitious=fictitious,
            learners=settings,
            runs=runs,
            episodes=episodes,
            seed=seed,
            workers=workers,
        )
        if any(file is not None for file in pictures.values()):
            load_matplotlib()  # while learners play
        document = portrait.document() if json else None
        if document is not None and bifurcation is not None:
            document["logit"] = logit_document(portrait)
        text = "" if json else portrait_text(portrait)
        drawn = [portrait.plot(file, picture) for picture, file in pictures.items() if file is not None]
    if document is not None:
        if asked is not None:
            gains = nash_conv(table, *asked)
            document["profile"] = {"gains": [float(gain) for gain in gains], "nash_conv": float(sum(gains)), "exact": str(sum(gains))}
        print_json(document)
        return
    print(text)
    if asked is not None:
        print(f"\n{gains_text(table, asked)}")
    for file in [*drawn, *([write] if write else [])]:
        say(f"written to {file}")


def _range(text: str | None) -> tuple[float, float] | None:
    """`4` or `-4,4` as a range."""
    from ludometer.core.errors import LudometerError, shorten

    if text is None:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2):
        raise LudometerError(f"q0 is a number or a range such as -4,4, not {shorten(text)}")
    return numbers[0], numbers[-1]


def _choices(kind: str | None, learners: str, tau: float | None, given: dict[str, Any]) -> tuple[str, str | None]:
    """The dynamics and the learners that are meant where one says nothing of the other."""
    if kind is None:
        kind = "boltzmann" if tau is not None or learners == "faq" else "replicator"
    if learners != "auto":
        return kind, None if learners == "none" else learners
    if "epsilon" in given:
        return kind, "greedy"
    if kind == "boltzmann":
        return kind, "faq"
    if {"q0", "gamma", "printed"} & set(given):
        return kind, "greedy"
    return kind, None if kind == "best-response" else "cross"


def _settings(
    learning: str | None, kind: str, tau: float | None, kappa: int, given: dict[str, Any], place: tuple[list[Any], list[Any]] | None
) -> Settings | None:
    from ludometer.core.errors import LudometerError
    from ludometer.dynamics.learners import settings_for

    if learning is None:
        if given:
            names = ", ".join(name.replace("printed", "as-printed") for name in given)
            raise LudometerError(f"{names}: only learners take these; choose some with --learners")
        if tau is not None and kind != "boltzmann":
            raise LudometerError(f"tau is for boltzmann dynamics and for boltzmann and faq learners, not for {kind} dynamics alone")
        return None
    if "beta" in given and learning != "faq":
        raise LudometerError(f"beta is for faq learners, not for {learning}")
    if "gamma" in given and learning == "cross":
        raise LudometerError("cross learning has no discount factor, so it takes no gamma")
    if tau is not None and kind != "boltzmann" and learning not in ("boltzmann", "faq"):
        raise LudometerError(
            f"tau is for boltzmann dynamics and for boltzmann and faq learners, not for {kind} dynamics with {learning} learners"
        )
    temperature: dict[str, Any] = {"tau": tau} if learning in ("boltzmann", "faq") else {}
    start = None if place is None or learning == "greedy" or "q0" in given else [float(p) for part in place for p in part]
    return settings_for(learning, kappa=kappa, start=start, **temperature, **given)


def _check_pictures(game: Bimatrix, kind: str, populations: int, learning: bool, files: dict[str, str | None]) -> None:
    """Raise LudometerError for pictures that cannot be drawn, before anything is computed."""
    from ludometer.core.errors import LudometerError
    from ludometer.view.results.solution_plots import check_format

    for file in files.values():
        if file is not None:
            check_format(file)
    sizes = (len(game.row_labels), len(game.column_labels))
    if files["field"] is not None and not set(sizes) <= {2, 3}:
        raise LudometerError(f"fields are drawn for games of 2 or 3 actions each; this one is {sizes[0]}×{sizes[1]}")
    if files["basins"] is not None and (kind == "best-response" or (sizes, populations) not in (((2, 2), 2), ((3, 3), 1))):
        raise LudometerError(
            "basins are drawn for 2×2 games, and for one population with 3 actions, under replicator or boltzmann dynamics"
        )
    if files["curves"] is not None and not learning:
        raise LudometerError("learning curves need learners; choose some with --learners")


def _announce_quietly() -> None:
    """Announcements of compiling are for people, so only a terminal gets them."""
    import sys

    from ludometer.core.compiling.compilation import compilations

    compilations.quiet = not sys.stderr.isatty()
