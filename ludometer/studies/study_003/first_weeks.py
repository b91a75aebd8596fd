"""Weeks 1 and 2: random moves, minimax, a cache, early wins; all of it on the 3×3 board."""

from __future__ import annotations

import time
from fractions import Fraction
from functools import cache
from typing import Any

from ludometer.agents import agent
from ludometer.games import game
from ludometer.studies.agreement import ALPHA, equal, hardware, wrong_if
from ludometer.studies.decisions import decided
from ludometer.studies.entry import Entry, Judgement, Kind, Measured, Rule, Verdict
from ludometer.studies.laboratory import Laboratory
from ludometer.studies.study_003.chances import Chances, Policy, at_random, chances

BOARD = "tictactoe"
PLAIN = "minimax:9,shuffle=no"
CACHED = "minimax:9,cache=exact,shuffle=no"
PLAIN_STATES = [549946, 59705, 7332, 935, 198, 47, 14, 5, 2]
CACHED_STATES = [16168, 4792, 8, 7, 6, 5, 4, 3, 2]


def counts_of_chances(games: int) -> Rule:
    """Rule: reported counts of events agree with their exact probabilities, by exact binomial tests at the joint level ALPHA."""

    def judge(reported: Any, measured: Measured) -> Judgement:
        from scipy.stats import binomtest

        p_values = [binomtest(count, games, float(chance)).pvalue for count, chance in zip(reported, measured.value, strict=True)]
        smallest = min(1.0, min(p_values) * len(p_values))
        text = f"smallest of {len(p_values)} exact binomial p-values times {len(p_values)}: {smallest:.2g}"
        return Judgement(Verdict.AGREES if smallest >= ALPHA else Verdict.DIFFERS, text)

    return judge


def shares_of_results(reported: Any, measured: Measured) -> Judgement:
    """Wins, losses and draws of some games against exact chances: χ² with two degrees of freedom."""
    from scipy.stats import chisquare

    games = sum(reported)
    p_value = float(chisquare(reported, [games * chance for chance in measured.value]).pvalue)
    return Judgement(
        Verdict.AGREES if p_value >= ALPHA else Verdict.DIFFERS, f"χ² test of the reported counts against the chances: p = {p_value:.2f}"
    )


def early_wins_change_nothing(reported: Any, measured: Measured) -> Judgement:
    """Whether the second player's chances are the same in both variants, so that the difference that was reported is chance."""
    from scipy.stats import binomtest

    without, preferring = measured.value["second"]
    if without != preferring:
        return Judgement(Verdict.DIFFERS, "the chances of the two variants differ")
    p_values = [binomtest(wins, 100, without / 100).pvalue for wins in reported["second"]]
    proof = (
        f"as second player minimax wins exactly as often with the preference as without it, {without:.3f} % of games, and draws the rest"
    )
    chance = f"85 and 76 of 100 are chance (exact binomial p = {p_values[0]:.2f} and {p_values[1]:.2f})"
    return Judgement(Verdict.WRONG, f"{proof}; {chance}")


# ---- random moves ----


@cache
def _random_game() -> Chances:
    return chances(game(BOARD).start(), at_random, at_random)


def _random_results(lab: Laboratory) -> Measured:
    first, draw, second = _random_game().results
    return Measured(
        [float(first), float(second), float(draw)], f"exactly X {first}, O {second}, draws {draw} ({_percent(first, second, draw)})"
    )


def _percent(*shares: Fraction) -> str:
    return " / ".join(f"{100 * float(share):.2f} %" for share in shares)


def _random_move_time(lab: Laboratory) -> Measured:
    """Milliseconds for a move through Python objects, the slow way, over 100 games."""
    from ludometer.arena.play.playing import play_game

    play_game(BOARD, "random", "random")
    began, moves = time.perf_counter(), 0
    for number in range(100):
        moves += len(play_game(BOARD, "random", "random", seed=number).moves)
    milliseconds = 1000 * (time.perf_counter() - began) / moves
    return Measured(milliseconds, f"{1000 * milliseconds:.0f} µs for a move with all its bookkeeping")


# ---- minimax against itself ----


def self_play(spec: str) -> tuple[list[int], str]:
    """(states visited in each turn, final board) of a game of an agent against itself."""
    from ludometer.arena.play.turn_reports import play_with_reports

    table = play_with_reports(BOARD, spec, spec)
    return [int(nodes) for nodes in table.column("nodes")], str(table.record.final).split()[0]


def _final_board(lab: Laboratory) -> Measured:
    return Measured(self_play(CACHED)[1])


def _plain_states(lab: Laboratory) -> Measured:
    return Measured(self_play(PLAIN)[0])


def _cached_states(lab: Laboratory) -> Measured:
    return Measured(self_play(CACHED)[0])


def _early_states(lab: Laboratory) -> Measured:
    return Measured({"early=no": self_play(f"{CACHED},early=no")[0], "early=yes": self_play(CACHED)[0]})


def _first_move_seconds(lab: Laboratory) -> Measured:
    start, seconds = game(BOARD).start(), []
    for spec in (f"{PLAIN},early=no", f"{PLAIN},early=no", f"{CACHED},early=no", CACHED):
        player = agent(spec, start.game)
        seconds.append(min(decided(player, start).report["seconds"] for _ in range(3)))
    return Measured(seconds, " ".join(f"{one:.2g}" for one in seconds), note="boards are never copied here, so the first two are one agent")


# ---- minimax against random ----


@cache
def _against_random(early: str, plays: str) -> Chances:
    """Minimax, who takes the first of the best moves in reading order, against random moves."""
    chosen = game(BOARD)
    player = agent(f"{CACHED},early={early},memory=20000", chosen)
    by_minimax: Policy = lambda position: [decided(player, position).move]  # noqa: E731
    return chances(chosen.start(), *((by_minimax, at_random) if plays == "first" else (at_random, by_minimax)))


def _wins(lab: Laboratory) -> Measured:
    firsts = [_against_random(early, "first").first for early in ("no", "yes")]
    seconds = [_against_random(early, "second").second for early in ("no", "yes")]
    text = f"exactly {_percent(*firsts)} first, {_percent(*seconds)} second"
    return Measured({"first": [100 * float(one) for one in firsts], "second": [100 * float(one) for one in seconds]}, text)


def _lengths(lab: Laboratory) -> Measured:
    """Chances that turns 6 and 8 (minimax first), 7 and 9 (random first) are reached, without and with a preference for early wins."""
    found = []
    for plays, turns in (("first", (6, 8)), ("second", (7, 9))):
        for turn in turns:
            found += [_against_random(early, plays).reaches[turn - 1] for early in ("no", "yes")]
    return Measured([float(one) for one in found], _percent(*found))


ENTRIES = (
    Entry(
        name="003.random",
        title="random against random, 100 games: X wins, O wins, draws",
        where="1.2",
        kind=Kind.STATISTICAL,
        reported=[55, 31, 14],
        settings="all games of random players, with their probabilities",
        measure=_random_results,
        rule=shares_of_results,
        in_suite=False,
    ),
    Entry(
        name="003.random.time",
        title="time of a random move in milliseconds",
        where="1.2",
        kind=Kind.CLAIM,
        reported=[35, 65],
        reported_text="35 to 65 milliseconds",
        settings="100 games of ludometer play tictactoe --first random --second random",
        measure=_random_move_time,
        rule=wrong_if(
            lambda milliseconds: milliseconds < 35,
            "the unit is wrong: the raw data published beside the report have 0.000021 to 0.000065 s for random moves, microseconds",
        ),
    ),
    Entry(
        name="003.mm.game",
        title="final board of minimax against itself",
        where="2.2.1, raw data",
        kind=Kind.EXACT,
        reported="XXO/OOX/XOX",
        settings=f"ludometer play tictactoe --first {CACHED} --second {CACHED}",
        measure=_final_board,
        rule=equal(),
        in_suite=True,
    ),
    Entry(
        name="003.mm.states",
        title="states visited by minimax, turn by turn",
        where="2.2.1, second figure; raw data",
        kind=Kind.EXACT,
        reported=PLAIN_STATES,
        settings=f"play_with_reports('tictactoe', '{PLAIN}', '{PLAIN}')",
        measure=_plain_states,
        rule=equal(),
        in_suite=True,
    ),
    Entry(
        name="003.mm.cached",
        title="the same with cached states",
        where="2.2.1, second figure; raw data",
        kind=Kind.EXACT,
        reported=CACHED_STATES,
        settings=f"play_with_reports('tictactoe', '{CACHED}', '{CACHED}')",
        measure=_cached_states,
        rule=equal(),
        in_suite=True,
    ),
    Entry(
        name="003.mm.early.states",
        title="prioritising early wins leaves the number of states as it is",
        where="2.2.1",
        kind=Kind.EXACT,
        reported={"early=no": CACHED_STATES, "early=yes": CACHED_STATES},
        settings=f"play_with_reports with {CACHED},early=no and early=yes",
        measure=_early_states,
        rule=equal(),
        in_suite=True,
    ),
    Entry(
        name="003.mm.time",
        title="seconds for the first move: plain, without copies, cached, early wins",
        where="2.2.1, first figure; raw data",
        kind=Kind.HARDWARE,
        reported=[37.33, 26.67, 1.53, 1.55],
        settings=f"{PLAIN}; {CACHED}; early=no and early=yes",
        measure=_first_move_seconds,
        rule=hardware(),
    ),
    Entry(
        name="003.mm.random",
        title="wins of minimax against random in 100 games, first and second, without and with a preference for early wins",
        where="2.2.2, table",
        kind=Kind.STATISTICAL,
        reported={"first": [99, 99], "second": [85, 76]},
        reported_text="first 99 % and 99 %, second 85 % and 76 %: “prioritizing earlier wins seems to increase the chance of a draw”",
        settings=f"all games of {CACHED},early=no|yes, the first best move in reading order, against random moves, with probabilities",
        measure=_wins,
        rule=early_wins_change_nothing,
    ),
    Entry(
        name="003.mm.length",
        title="of 100 games, how many reach turns 6 and 8 (minimax first), 7 and 9 (random first), without and with early wins",
        where="2.2.2, figures; raw data",
        kind=Kind.STATISTICAL,
        reported=[32, 14, 5, 1, 57, 46, 15, 24],
        settings="the same games",
        measure=_lengths,
        rule=counts_of_chances(100),
    ),
)
