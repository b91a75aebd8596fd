"""`ludometer dynamics`: equilibria, learning dynamics and learners of a matrix game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludometer.commands.option_groups import with_option_groups
from ludometer.commands.output import Json, ending_on_interrupt, print_json, say
from ludometer.core.errors import LudometerError, shorten

if TYPE_CHECKING:
    from ludometer.dynamics.learners import LearnerSettings
    from ludometer.dynamics.portrait import Portrait
    from ludometer.games.matrix.bimatrix import Bimatrix

MatrixSpec = Annotated[
    str, typer.Argument(metavar="GAME", help='matrix:NAME, matrix:FILE.nfg or a table such as "3,2 0,0; 0,0 2,3"; see `ludometer games`')
]
_FILE = "(png, svg or pdf)"
_LONGEST = 1e6  # units of time


@dataclass(frozen=True)
class FieldOptions:
    """Which learning dynamics."""

    kind: Annotated[
        str | None, typer.Option("--dynamics", metavar="KIND", help="replicator (default), boltzmann (default with --tau) or best-response")
    ] = None
    tau: Annotated[float | None, typer.Option(metavar="T", help="temperature of Boltzmann dynamics and learners")] = None
    kappa: Annotated[int, typer.Option(metavar="K", help="leniency: actions are judged by the best of K rewards")] = 1
    populations: Annotated[int, typer.Option(metavar="N", help="2, or 1 for a symmetric game")] = 2

    @property
    def temperature(self) -> float:
        """The temperature of the field; 1 by default."""
        return 1.0 if self.tau is None else self.tau


@dataclass(frozen=True)
class LearnerOptions:
    """Which learners, and how they learn."""

    learners: Annotated[
        str, typer.Option(metavar="KIND", help="greedy, boltzmann, faq, cross, none, or auto: those that follow the dynamics")
    ] = "auto"
    runs: Annotated[int, typer.Option(metavar="N", help="pairs of learners")] = 1_000
    episodes: Annotated[int, typer.Option(metavar="N", help="episodes each pair plays")] = 10_000
    alpha: Annotated[float | None, typer.Option(metavar="A", help="learning rate (0.05; cross learning 0.01)", show_default=False)] = None
    beta: Annotated[float | None, typer.Option(metavar="B", help="frequency adjustment of faq learners (0.05)", show_default=False)] = None
    gamma: Annotated[float | None, typer.Option(metavar="G", help="discount factor of Q-learners (0.1; faq 0)", show_default=False)] = None
    epsilon: Annotated[
        float | None, typer.Option(metavar="E", help="exploration of greedy learners (falls from 1 to 0.01)", show_default=False)
    ] = None
    q0: Annotated[str | None, typer.Option(metavar="Q|LOW,HIGH", help="first Q-values, or the range they are drawn from")] = None
    as_printed: Annotated[bool, typer.Option("--as-printed", help="greedy and boltzmann learners with the study's misprinted formulas")] = (
        False
    )
    seed: Annotated[int, typer.Option(metavar="N", help="decides all chance")] = 0
    workers: Annotated[int | None, typer.Option(metavar="N", help="threads for learners; default all cores", show_default=False)] = None

    def given(self) -> dict[str, Any]:
        """The options that were given, by their names in `learner_settings`."""
        options = {
            "alpha": self.alpha,
            "beta": self.beta,
            "gamma": self.gamma,
            "epsilon": self.epsilon,
            "q0": _range(self.q0),
            "printed": self.as_printed or None,
        }
        return {name: value for name, value in options.items() if value is not None}


@dataclass(frozen=True)
class PathOptions:
    """Where paths start, and what else is computed."""

    start: Annotated[
        str | None,
        typer.Option(
            metavar="PROFILE", help='where paths, and learners other than greedy, start, such as "0.2,0.8 0.5,0.5"; default several places'
        ),
    ] = None
    duration: Annotated[float | None, typer.Option(metavar="T", help="length of the paths, in units of alpha times steps")] = None
    profile: Annotated[str | None, typer.Option(metavar="PROFILE", help='gains of the best replies at "P P" or "3/5,2/5 O"')] = None
    fictitious: Annotated[int, typer.Option(metavar="N", help="rounds of fictitious play to follow; 0: none")] = 0
    eliminate: Annotated[str, typer.Option(metavar="KIND", help="dominated strategies: strict or weak")] = "strict"


@dataclass(frozen=True)
class FileOptions:
    """What is written into files."""

    plot: Annotated[str | None, typer.Option(metavar="FILE", help=f"draw the field {_FILE}")] = None
    basins: Annotated[str | None, typer.Option(metavar="FILE", help=f"draw the basins of attraction {_FILE}")] = None
    curves: Annotated[str | None, typer.Option(metavar="FILE", help=f"draw learning curves {_FILE}")] = None
    bifurcation: Annotated[str | None, typer.Option(metavar="FILE", help=f"draw logit equilibria over the temperature {_FILE}")] = None
    write: Annotated[str | None, typer.Option(metavar="FILE.nfg", help="write the game as a Gambit file")] = None

    def pictures(self) -> dict[str, str]:
        """Picture, by its name in `Portrait.plot` -> file."""
        files = {"field": self.plot, "basins": self.basins, "curves": self.curves, "bifurcation": self.bifurcation}
        return {picture: file for picture, file in files.items() if file is not None}


@with_option_groups
def dynamics(
    game: MatrixSpec, field: FieldOptions, learning: LearnerOptions, paths: PathOptions, files: FileOptions, json: Json = False
) -> None:
    """Find all equilibria of a matrix game, the rest points of its learning dynamics, and where learners end."""
    from ludometer.dynamics.equilibria import check_size, parse_profile
    from ludometer.dynamics.payoffs import find_game
    from ludometer.view.dynamics.text import gains_text, heading, portrait_text

    table, spec = find_game(game)
    check_size(table)
    kind, settings = _checked(table, field, learning, paths, files)
    profile = None if paths.profile is None else parse_profile(table, paths.profile)
    if not json:
        print(heading(table, spec), flush=True)
    if files.write is not None:
        from ludometer.core.files import write_text

        write_text(files.write, table.to_nfg())
    if settings is not None:
        _announce_quietly()
    with ending_on_interrupt():
        portrait = _portrait(table, spec, kind, settings, field, learning, paths)
        if files.pictures():
            from ludometer.view.dynamics.plots import load_matplotlib

            load_matplotlib()  # while learners play
        document = _document(portrait, files, profile) if json else None
        text = "" if json else portrait_text(portrait)
        drawn = [portrait.plot(file, picture) for picture, file in files.pictures().items()]
    if document is not None:
        print_json(document)
        return
    print(text)
    if profile is not None:
        print(f"\n{gains_text(table, profile)}")
    for file in [*drawn, *([files.write] if files.write else [])]:
        say(f"written to {file}")


def _checked(
    table: Bimatrix, field: FieldOptions, learning: LearnerOptions, paths: PathOptions, files: FileOptions
) -> tuple[str, LearnerSettings | None]:
    """The dynamics and the settings of the learners, None for no learners; raises LudometerError before anything is computed."""
    from ludometer.core.files import check_outputs
    from ludometer.dynamics.dominance import check_kind
    from ludometer.dynamics.fields import field_of
    from ludometer.dynamics.integration import check_rounds
    from ludometer.dynamics.learners import check_counts

    kind, learners = _kinds(field, learning)
    field_of(table, kind, field.temperature, field.kappa, field.populations)
    settings = _settings(table, kind, learners, field, learning, paths)
    check_counts(runs=learning.runs, episodes=learning.episodes, workers=learning.workers)
    check_kind(paths.eliminate)
    if paths.fictitious:
        check_rounds(paths.fictitious)
    if paths.duration is not None and not 0 < paths.duration <= _LONGEST:
        raise LudometerError(f"the duration of paths is a number above 0 up to {_LONGEST:.0f}, not {paths.duration}")
    check_outputs(*files.pictures().values(), files.write)
    _check_pictures(table, kind, field.populations, settings is not None, files)
    return kind, settings


def _portrait(
    table: Bimatrix,
    spec: str,
    kind: str,
    settings: LearnerSettings | None,
    field: FieldOptions,
    learning: LearnerOptions,
    paths: PathOptions,
) -> Portrait:
    from ludometer.dynamics.portrait import learning_dynamics

    start = _profile(table, paths)
    return learning_dynamics(
        spec,
        dynamics=kind,
        tau=field.temperature,
        kappa=field.kappa,
        populations=field.populations,
        elimination=paths.eliminate,
        start=None if start is None else [float(p) for part in start[: field.populations] for p in part],
        duration=paths.duration,
        fictitious=paths.fictitious,
        learners=settings,
        runs=learning.runs,
        episodes=learning.episodes,
        seed=learning.seed,
        workers=learning.workers,
    )


def _document(portrait: Portrait, files: FileOptions, profile: tuple[list[Any], list[Any]] | None) -> dict[str, Any]:
    from ludometer.dynamics.documents import logit_document
    from ludometer.dynamics.equilibria import nash_conv

    document = portrait.document()
    if files.bifurcation is not None:
        document["logit"] = logit_document(portrait)
    if profile is not None:
        gains = nash_conv(portrait.game, *profile)
        document["profile"] = {"gains": [float(gain) for gain in gains], "nash_conv": float(sum(gains)), "exact": str(sum(gains))}
    return document


def _profile(table: Bimatrix, paths: PathOptions) -> tuple[list[Any], list[Any]] | None:
    from ludometer.dynamics.equilibria import parse_profile

    return None if paths.start is None else parse_profile(table, paths.start)


def _range(text: str | None) -> tuple[float, float] | None:
    """`4` or `-4,4` as a range."""
    if text is None:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2):
        raise LudometerError(f"q0 is a number or a range such as -4,4, not {shorten(text)}")
    return numbers[0], numbers[-1]


def _kinds(field: FieldOptions, learning: LearnerOptions) -> tuple[str, str | None]:
    """The dynamics and the learners; the one that was not given follows from the other."""
    given = learning.given()
    kind = field.kind or ("boltzmann" if field.tau is not None or learning.learners == "faq" else "replicator")
    if learning.learners != "auto":
        return kind, None if learning.learners == "none" else learning.learners
    if "epsilon" in given:
        return kind, "greedy"
    if kind == "boltzmann":
        return kind, "faq"
    if {"q0", "gamma", "printed"} & set(given):
        return kind, "greedy"
    return kind, None if kind == "best-response" else "cross"


def _settings(
    table: Bimatrix, kind: str, learners: str | None, field: FieldOptions, learning: LearnerOptions, paths: PathOptions
) -> LearnerSettings | None:
    from ludometer.dynamics.learners import learner_settings

    given = learning.given()
    place = _profile(table, paths)
    if learners is None:
        if given:
            names = ", ".join(name.replace("printed", "as-printed") for name in given)
            raise LudometerError(f"{names}: only learners take these; choose some with --learners")
        if field.tau is not None and kind != "boltzmann":
            raise LudometerError(f"tau is for boltzmann dynamics and for boltzmann and faq learners, not for {kind} dynamics alone")
        return None
    if "beta" in given and learners != "faq":
        raise LudometerError(f"beta is for faq learners, not for {learners}")
    if "gamma" in given and learners == "cross":
        raise LudometerError("cross learning has no discount factor, so it takes no gamma")
    if field.tau is not None and kind != "boltzmann" and learners not in ("boltzmann", "faq"):
        raise LudometerError(
            f"tau is for boltzmann dynamics and for boltzmann and faq learners, not for {kind} dynamics with {learners} learners"
        )
    temperature: dict[str, Any] = {"tau": field.tau} if learners in ("boltzmann", "faq") else {}
    start = None if place is None or learners == "greedy" or "q0" in given else [float(p) for part in place for p in part]
    return learner_settings(learners, kappa=field.kappa, start=start, **temperature, **given)


def _check_pictures(game: Bimatrix, kind: str, populations: int, learning: bool, files: FileOptions) -> None:
    """Raise LudometerError for pictures that cannot be drawn."""
    from ludometer.view.figures import check_format

    pictures = files.pictures()
    for file in pictures.values():
        check_format(file)
    sizes = (len(game.row_labels), len(game.column_labels))
    if "field" in pictures and not set(sizes) <= {2, 3}:
        raise LudometerError(f"fields are drawn for games of 2 or 3 actions each; this one is {sizes[0]}×{sizes[1]}")
    if "basins" in pictures and (kind == "best-response" or (sizes, populations) not in (((2, 2), 2), ((3, 3), 1))):
        raise LudometerError(
            "basins are drawn for 2×2 games, and for one population with 3 actions, under replicator or boltzmann dynamics"
        )
    if "curves" in pictures and not learning:
        raise LudometerError("learning curves need learners; choose some with --learners")


def _announce_quietly() -> None:
    """Announce compiling on a terminal only."""
    import sys

    from ludometer.core.compiling.compilation import compilations

    compilations.quiet = not sys.stderr.isatty()
