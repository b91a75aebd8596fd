"""Section 5: random moves, MCTS with 80 simulations and the sliding window at Dots-and-Boxes on 7×7."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import erfc, sqrt
from typing import Any

import numpy as np

from ludometer.agents import agent
from ludometer.core.errors import SpecError
from ludometer.games import game
from ludometer.studies.agreement import ALPHA, Share, hardware, holds, share_difference, wilson
from ludometer.studies.entry import Entry, Judgement, Kind, Measured, Verdict
from ludometer.studies.laboratory import Laboratory

BOARD = "dots:7x7"
RANDOM, WINDOW = "random", "window:2x2,choice=random"
MCTS = "mcts:{},c=1,choice=visits,proven=yes,reuse=no"  # OpenSpiel's c = 2 with rewards of ±1, its solver on, its choice by visits
SIMULATIONS = 80
NAMES = {"rand": RANDOM, "mcts": MCTS.format(SIMULATIONS), "sw": WINDOW}
REPORTED_GAMES = 100
TABLE_3 = {  # first, second -> (games won by the first, points of the first minus the second's, over 100 games)
    ("rand", "mcts"): (2, -2534),
    ("mcts", "rand"): (95, 2390),
    ("rand", "sw"): (0, -4368),
    ("sw", "rand"): (100, 4296),
    ("mcts", "sw"): (0, -3822),
    ("sw", "mcts"): (100, 3942),
}
OTHERS = {  # what else the report's MCTS may have been
    "rewarded by the margin": f"{MCTS.format(SIMULATIONS)},score=margin",
    "with 640 simulations": MCTS.format(640),
}


@dataclass(frozen=True)
class Seated:
    """Games with fixed seats, for the first player."""

    games: int
    wins: int
    margin: float  # mean of boxes, first minus second
    deviation: float


def seated(lab: Laboratory, first: str, second: str, games: int) -> Seated:
    """Games on 7×7 between two specs, the first always moving first."""
    from ludometer.arena.play.compiled_games import game_seeds, play_games

    def play() -> Seated:
        chosen = game(BOARD)
        played = play_games(chosen, agent(first, chosen), agent(second, chosen), game_seeds(lab.seed, 0, games), stop=lab.stop)
        lab.stop.check("the games")
        margins = played.margins.astype(float)
        return Seated(games, int(np.sum(played.results > 0)), float(margins.mean()), float(margins.std(ddof=1)))

    return lab.once(f"004 {BOARD} {first} {second} {games}", play)


def _row(first: str, second: str) -> Any:
    def measure(lab: Laboratory) -> Measured:
        found = seated(lab, NAMES[first], NAMES[second], lab.pick(30, 400))
        value = {"won": 100 * found.wins / found.games, "margin": found.margin}
        error = 1.96 * found.deviation / sqrt(found.games)
        text = f"the first wins {found.wins} of {found.games}, {found.margin:+.1f} ± {error:.1f} boxes a game"
        note = ""
        if lab.full and "mcts" in (first, second):
            note = "; ".join(_otherwise(lab, first, second, how) for how in OTHERS)
        return Measured(value, text, data={"games": found.games, "deviation": found.deviation}, note=note)

    return measure


def _otherwise(lab: Laboratory, first: str, second: str, how: str) -> str:
    """The same row with another MCTS."""
    players = [OTHERS[how] if name == "mcts" else NAMES[name] for name in (first, second)]
    found = seated(lab, players[0], players[1], REPORTED_GAMES)
    error = 1.96 * found.deviation / sqrt(found.games)
    return f"{how}: {found.wins} of {found.games}, {found.margin:+.1f} ± {error:.1f}"


def row_agrees(reported: Any, measured: Measured) -> Judgement:
    """Games won (Newcombe's interval) and mean margins (normal, our deviation for both sides), each at half the usual level."""
    games, deviation = measured.data["games"], measured.data["deviation"]
    theirs, ours = Share(reported["won"] / 100, REPORTED_GAMES), Share(measured.value["won"] / 100, games)
    low, high = share_difference(theirs, ours, ALPHA / 2)
    error = deviation * sqrt(1 / REPORTED_GAMES + 1 / games)
    z = (measured.value["margin"] - reported["margin"]) / error if error else 0.0
    p_value = erfc(abs(z) / sqrt(2))
    text = f"games won {100 * low:+.0f} … {100 * high:+.0f} points from the report's; margins differ by {z:+.1f} standard errors"
    agrees = low <= 0 <= high and p_value >= ALPHA / 2
    return Judgement(Verdict.AGREES if agrees else Verdict.DIFFERS, text)


def _table_row(first: str, second: str) -> Entry:
    won, points = TABLE_3[first, second]
    weak = "mcts" in (first, second)
    return Entry(
        name=f"004.t3.{first}-{second}",
        title=f"100 games on 7×7, {first} first, {second} second: games won by the first, and its margin",
        where="table 3",
        kind=Kind.STATISTICAL,
        reported={"won": won, "margin": points / REPORTED_GAMES},
        reported_text=f"{won} of 100, {points:+,} boxes in all",
        settings=f"{BOARD}: {NAMES[first]} first, {NAMES[second]} second, 400 games",
        measure=_row(first, second),
        rule=row_agrees,
        reason="MCTS rewarded by the margin of boxes, as OpenSpiel's game can be set, comes nearer to the report" if weak else "",
    )


def _self_play_time(name: str) -> Any:
    def measure(lab: Laboratory) -> Measured:
        """Seconds for 100 games of an agent against itself, scaled up from fewer."""
        games = lab.pick(20, 100)
        chosen = game(BOARD)
        player = agent(NAMES[name], chosen)
        from ludometer.arena.play.compiled_games import game_seeds, play_games

        play_games(chosen, player, player, game_seeds(1, 0, 2))
        began = time.process_time()
        play_games(chosen, player, player, game_seeds(0, 0, games))
        seconds = (time.process_time() - began) * 100 / games
        return Measured(seconds, f"{seconds:.3g} s of processor time")

    return measure


def _time(name: str, seconds: float) -> Entry:
    return Entry(
        name=f"004.t4.{dict(rand='random').get(name, name)}",
        title=f"seconds for 100 games of {dict(rand='random moves', mcts='MCTS', sw='the sliding window')[name]} against itself",
        where="table 4",
        kind=Kind.HARDWARE,
        reported=seconds,
        settings=f"100 games of {NAMES[name]} against itself on {BOARD}, compiled",
        measure=_self_play_time(name),
        rule=hardware(),
        note="reported: the sliding window takes 6 times as long as random moves, MCTS 475 times as long as the window",
    )


def _window_wins(lab: Laboratory) -> Measured:
    games = lab.pick(30, 400)
    pairs = (("rand", "sw"), ("sw", "rand"), ("mcts", "sw"), ("sw", "mcts"))
    found = [seated(lab, NAMES[first], NAMES[second], games) for first, second in pairs]
    won = sum(one.wins if first == "sw" else one.games - one.wins for one, (first, _) in zip(found, pairs))  # 49 boxes: there are no draws
    total = sum(one.games for one in found)
    return Measured([won, total], f"{won:,} of {total:,} games", wilson(Share(won / total, total)))


def _one_row(lab: Laboratory) -> Measured:
    from ludometer.arena.play.playing import play_game

    try:
        agent(WINDOW, game("dots:1x7"))
    except SpecError as error:
        record = play_game("dots:1x7", "window:1x2,choice=random", "random")
        return Measured(True, f"refused: {error}", note=f"windows of 1×2 play it ({len(record.moves)} moves, {record.result})")
    return Measured(False, "windows of 2×2 are accepted on 1×7")


def _against_window(lab: Laboratory, spec: str) -> Measured:
    result = lab.match(BOARD, spec, WINDOW, lab.games(40, 400))
    text = f"{100 * result.score:.1f} % of {result.games} games"
    return Measured(
        result.score, text, (result.score_interval.low, result.score_interval.high), data={"p_value": result.statistics.p_value}
    )


def better_than_random_choice(reported: Any, measured: Measured) -> Judgement:
    won = measured.value > 0.5 and measured.data["p_value"] < ALPHA
    return Judgement(Verdict.AGREES if won else Verdict.DIFFERS, f"p = {measured.data['p_value']:.2g}")


def makes_a_difference(reported: Any, measured: Measured) -> Judgement:
    is_different = measured.data["p_value"] < ALPHA
    return Judgement(Verdict.AGREES if is_different else Verdict.DIFFERS, f"p = {measured.data['p_value']:.2g}")


ENTRIES = (
    *(_table_row(first, second) for first, second in TABLE_3),
    _time("rand", 0.285),
    _time("mcts", 814.429),
    _time("sw", 1.715),
    Entry(
        name="004.claim.swwins",
        title="the sliding window wins every game against random moves and MCTS",
        where="5.4",
        kind=Kind.CLAIM,
        reported=[400, 400],
        reported_text="every one of 400",
        settings="the games of table 3",
        measure=_window_wins,
        rule=holds(lambda value: value[0] == value[1], "the window wins every game"),
        reason="the report's 400 of 400 says at least 99.25 % (95 %)",
    ),
    Entry(
        name="004.claim.sw1xN",
        title="windows of 2×2 cannot play boards of one row",
        where="6.1",
        kind=Kind.CLAIM,
        reported="can not be used to play 1 × N",
        settings="window:2x2 and window:1x2 at dots:1x7",
        measure=_one_row,
        rule=holds(lambda refused: bool(refused), "windows of 2×2 are refused on 1×7"),
        in_suite=True,
    ),
    Entry(
        name="004.claim.selection",
        title="a better choice among the best moves of all windows",
        where="6.1",
        kind=Kind.CLAIM,
        reported="improvements could be made",
        settings=f"ludometer match {BOARD} window:2x2 {WINDOW} --games 400",
        measure=lambda lab: _against_window(lab, "window:2x2"),
        rule=better_than_random_choice,
    ),
    Entry(
        name="004.future.3x3",
        title="windows of 3×3 against windows of 2×2",
        where="6.1",
        kind=Kind.CLAIM,
        reported="interesting to compare how different solvers affect how well it plays",
        settings=f"ludometer match {BOARD} window:3x3,choice=random {WINDOW} --games 400",
        measure=lambda lab: _against_window(lab, "window:3x3,choice=random"),
        rule=makes_a_difference,
    ),
)
