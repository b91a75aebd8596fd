"""The window agent against slow twins: the values of windows, the moves chosen, and what is refused."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ludometer.agents import agent, kinds, window, window_kernels
from ludometer.arena.play.playing import play_game
from ludometer.checks.game_contract import random_positions
from ludometer.core.errors import SpecError
from ludometer.core.position import Position
from ludometer.core.protocol.subboards import window_layouts
from ludometer.core.random import stream
from ludometer.games import game
from tests.naive.dots import NaiveDots, edge_name


@cache
def to_go(rows: int, columns: int, drawn: frozenset[str]) -> int:
    """What the player to move still gains on a small board, by trying everything."""
    values = worths(rows, columns, drawn).values()
    return max(values, default=0)


@cache
def worths(rows: int, columns: int, drawn: frozenset[str]) -> dict[str, int]:
    """What each free edge leads to, for the player who draws it."""
    found = {}
    board = NaiveDots(rows, columns)
    edges = {edge_name(edge) for edge in board.edges()}
    for edge in edges - drawn:
        won = sum(
            1
            for box in ((r, c) for r in range(rows) for c in range(columns))
            if edge in (sides := {edge_name(side) for side in board.sides(box)}) and sides <= drawn | {edge}
        )
        after = to_go(rows, columns, drawn | {edge})
        found[edge] = won + after if won else -after
    return found


def naive_opinions(position: Position, rows: int, columns: int) -> dict[str, tuple[int, int | None]]:
    """For each legal move (the sum of its worths, the highest value of a window where it is best) over all windows."""
    rules, free = position.game.rules, set(position.moves())
    sums: dict[str, int] = dict.fromkeys(free, 0)
    tops: dict[str, int | None] = dict.fromkeys(free)
    for shape in {(rows, columns), (columns, rows)}:
        small = NaiveDots(*shape)
        for down in range(rules.rows - shape[0] + 1):
            for right in range(rules.columns - shape[1] + 1):
                there = {}
                for edge in small.edges():
                    moved = tuple((r + down, c + right) for r, c in edge)
                    there[edge_name(edge)] = edge_name(moved)
                drawn = frozenset(name for name, place in there.items() if place not in free)
                value = to_go(*shape, drawn)
                for name, worth in worths(*shape, drawn).items():
                    place = there[name]
                    sums[place] += worth
                    if worth == value and (tops[place] is None or value > tops[place]):
                        tops[place] = value
    return {move: (sums[move], tops[move]) for move in free}


def positions(spec: str, games: int) -> list[Position]:
    return [position for number in range(games) for position in random_positions(game(spec), 1, number) if not position.is_over]


@pytest.mark.parametrize(("spec", "size"), [("dots:3x3", "2x2"), ("dots:4x3", "1x2"), ("dots:1x5", "3x1"), ("dots:3x4", "2x1")])
def test_windows_say_what_trying_everything_says(spec: str, size: str) -> None:
    player = agent(f"window:{size}", game(spec))
    rows, columns = (int(part) for part in size.split("x"))
    for position in positions(spec, 3)[::2]:
        opinions = player.opinions(position)
        expected = naive_opinions(position, rows, columns)
        for move, text in zip(position.legal, position.moves()):
            top = opinions[move, window_kernels.TOP]
            assert (opinions[move, window_kernels.SUM], None if top == window_kernels.NO_VALUE else top) == expected[text]


def test_the_random_choice_is_among_the_best_of_the_highest_windows() -> None:
    player = agent("window:2x2,choice=random", game("dots:3x3"))
    for number, position in enumerate(positions("dots:3x3", 2)):
        expected = naive_opinions(position, 2, 2)
        highest = max(top for _, top in expected.values() if top is not None)
        best = {move for move, (_, top) in expected.items() if top == highest}
        chosen = {position.move_text(player.choose(position, stream(number, seed)).move) for seed in range(60)}
        assert chosen <= best and (len(best) > 8 or chosen == best)


def test_the_sum_is_the_highest() -> None:
    player = agent("window:2x2,choice=sum", game("dots:3x3"))
    for position in positions("dots:3x3", 2):
        expected = {move: total for move, (total, _) in naive_opinions(position, 2, 2).items()}
        assert expected[position.move_text(player.choose(position, stream(1)).move)] == max(expected.values())


@pytest.mark.parametrize("choice", ["careful", "sum", "random"])
def test_a_window_as_large_as_the_board_plays_perfectly(choice: str) -> None:
    player = agent(f"window:2x2,choice={choice}", game("dots:2x2"))
    for position in positions("dots:2x2", 5):
        free = set(position.moves())
        edges = {edge_name(edge) for edge in NaiveDots(2, 2).edges()}
        worth = worths(2, 2, frozenset(edges - free))
        assert worth[position.move_text(player.choose(position, stream(2)).move)] == max(worth.values())


def naive_gain(position: Position, move: int) -> int:
    """What simple play leads to after a move, told in positions."""
    player = position.player

    def margin(at: Position) -> int:
        return at.margin if at.player == player else -at.margin

    def scoring(at: Position) -> Position | None:
        for number in at.legal:
            after = at.play(number)
            if after.player == at.player and after.margin > at.margin:
                return after
        return None

    def all_taken(at: Position) -> Position:
        following = scoring(at)
        return at if following is None else all_taken(following)

    def after_reply(at: Position) -> int:
        quiet = all_taken(at)
        given = [margin(all_taken(quiet.play(number))) for number in quiet.legal]
        return margin(quiet) + min((now - margin(quiet) for now in given), default=0)

    after = position.play(move)
    if after.player != player:
        return after_reply(after) - position.margin
    reached = []
    current: Position | None = after
    while current is not None:
        reached += [after_reply(stop) for number in current.legal if (stop := current.play(number)).player != player]
        if current.is_over:
            reached.append(margin(current))
        current = scoring(current)
    return max(reached) - position.margin


def test_a_window_turned_or_spelt_otherwise_is_the_same_player() -> None:
    chosen = game("dots:2x3")
    made = [agent(f"window:{size}", chosen) for size in ("1x2", "2x1", "2X1", "1×2")]
    assert {player.spec for player in made} == {player.identity for player in made} == {"window:1x2"}
    assert agent("window:2X2", chosen).spec == agent("window:size=2×2,choice=careful", chosen).spec == "window"
    keys = [stream(2, number) for number in range(20)]
    for position in positions("dots:2x3", 1)[::3]:
        opinions = made[0].opinions(position)
        for way in ("1x2", "2x1"):
            layouts = [window._layout(chosen, way, rules, places) for rules, places in window_layouts(chosen, way)]
            turned = agent("window:1x2", chosen)
            turned.layouts = layouts
            assert np.array_equal(turned.opinions(position), opinions)
            if not position.is_over:
                assert [turned.choose(position, key).move for key in keys] == [made[0].choose(position, key).move for key in keys]


@pytest.mark.exhaustive
def test_careful_moves_have_the_highest_gain() -> None:
    chosen = game("dots:2x3")
    player = agent("window:1x2", chosen)
    for position in positions("dots:2x3", 2)[5:]:
        moves = np.array(position.legal, np.int32)
        gains = np.zeros(moves.size, np.int64)
        window_kernels.count_gains(chosen.rules, position.state, moves, gains)
        assert gains.tolist() == [naive_gain(position, move) for move in position.legal]
        decision = player.choose(position, stream(3))
        assert decision.report["margin"] == position.margin + gains.max() == position.margin + gains[moves == decision.move][0]
        assert decision.value is None  # a margin is no number of points


def test_two_boxes_are_left_to_keep_the_move() -> None:
    # A row of three is open to be taken and one of three waits: taking all of it would mean opening the other.
    chosen = game("dots:2x3")
    position = chosen.position("---/|_._._./---/._._._./--- a")
    player = agent("window:2x2", chosen)
    first = position.play(player.choose(position, stream(1)).move)
    assert first.player == position.player and first.margin == 1
    left = first.play(player.choose(first, stream(1)).move)
    assert left.player != position.player


def test_careful_beats_random_choice() -> None:
    names = ("window:2x2", "window:2x2,choice=random")
    chosen = game("dots:5x5")
    players = [agent(name, chosen) for name in names]
    wins = 0
    for number in range(20):
        record = play_game(chosen, *(players if number % 2 == 0 else players[::-1]), seed=number)
        wins += record.outcome == (1 if number % 2 == 0 else -1)
    assert wins >= 17


@pytest.mark.parametrize(
    ("spec", "name", "part"),
    [
        ("dots:1x5", "window:2x2", "try 1x2"),
        ("dots:3x3", "window:4x1", "try 2x2"),
        ("dots:5x5", "window:3x4", "too large"),
        ("dots:5x5", "window:big", "rows x columns"),
        ("dots:5x5", "window:0x2", "rows x columns"),
        ("dots:5x5", "window:2x2,choice=best", "careful, sum, random"),
        ("quixo:3", "window", "not made of windows"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_line(spec: str, name: str, part: str) -> None:
    with pytest.raises(SpecError, match=part) as refusal:
        agent(name, game(spec))
    assert len(str(refusal.value).splitlines()) == 1


def test_games_without_windows_are_refused() -> None:
    from ludometer.games import kinds as game_kinds

    listed = [game(kind.listed[0]) for kind in game_kinds().values()]
    assert [chosen.kind.name for chosen in listed if kinds()["window"].refuses(chosen) is None] == ["dots"]


def test_the_least_that_must_be_given() -> None:
    """Every move is looked at until one gives nothing: the fewest points that the opponent can take in a row afterwards."""
    chosen = game("dots:2x2")
    buffers = [np.empty(chosen.move_bound, np.int32) for _ in range(2)]

    def lead(position: Position, player: int) -> int:
        return position.margin if position.player == player else -position.margin

    def all_taken(position: Position) -> Position:
        for move in position.legal if not position.is_over else ():
            after = position.play(move)
            if after.player == position.player and after.margin > position.margin:
                return all_taken(after)
        return position

    seen = set()
    for seed in range(40):
        position = chosen.start()
        for ply in range(10):
            position = position.play(position.legal[int(stream(seed, ply)) % len(position.legal)])
            if position.is_over:
                break
            mover = position.player
            given = [lead(position, mover) - lead(all_taken(position.play(move)), mover) for move in position.legal]
            found = int(window_kernels.least_given(chosen.rules, position.state, *buffers))
            assert found == min(given) if min(given) > 0 else found <= 0
            seen.add((min(given), given[0] == 1))
    assert {(1, True), (0, True)} <= seen, "also where the first move gives one point and a later one nothing"
