"""OpenSpiel and this package play the same games: rules, moves and players are compared in both directions."""

from __future__ import annotations

import json
import random
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.agents import agent
from ludometer.arena.play.playing import play_game
from ludometer.bridges import OPENSPIEL_KINDS, openspiel, openspiel_worker
from ludometer.bridges.openspiel import Link, as_bot
from ludometer.core.agent import Agent, Decision, Player
from ludometer.core.errors import LudometerError, SpecError
from ludometer.core.outcome import ONGOING
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.requests import Resign
from ludometer.core.stopping import Stop, Stopped
from ludometer.games import game
from ludometer.games import kinds as game_kinds

SPECS = ("dots:1x1", "dots:2x3", "dots:4x4", "dots:9x9", "mnk:3,3,3", "mnk:3,4,3", "mnk:5,4,4", "mnk:7,8,4", "ultimate")
THEIR_NAMES = (
    "dots_and_boxes(num_rows=2,num_cols=3)",
    "dots_and_boxes(num_rows=3,num_cols=3,utility_margin=true)",
    "mnk(m=4,n=3,k=3)",
    "tic_tac_toe",
    "ultimate_tic_tac_toe",
)


def check_same(link: Link, position: Position, state: pyspiel.State) -> None:
    """Legal moves, the player to move and the result are those of OpenSpiel."""
    assert state.is_terminal() == position.is_over
    first = position.outcome * (1 if position.player == 0 else -1)
    if position.is_over:
        assert state.legal_actions() == [] and position.legal == ()
        if link.theirs.get_parameters().get("utility_margin"):
            first = position.margin * (1 if position.player == 0 else -1)
        assert state.returns() == [first, -first]
        return
    assert position.outcome == ONGOING and state.current_player() == position.player
    openings: dict[int, list[list[int]]] = {}
    for move in position.legal:
        actions = link.counterpart.actions(position, move)
        assert link.counterpart.move(position, actions) == move
        openings.setdefault(actions[0], []).append(actions)
    assert sorted(openings) == state.legal_actions()
    for action, following in openings.items():
        if len(following[0]) == 2:
            seconds = sorted(actions[1] for actions in following)
            assert seconds == state.child(action).legal_actions() and state.child(action).current_player() == position.player
            assert link.counterpart.move(position, [action]) is None
        else:
            assert len(following) == 1


def walk(link: Link, seed: int) -> None:
    """A random game in both, compared at each step; then the same game replayed from its history."""
    chance = random.Random(seed)
    position, state, moves = link.game.start(), link.theirs.new_initial_state(), []
    check_same(link, position, state)
    while not position.is_over:
        moves.append(chance.choice(position.legal))
        for action in link.counterpart.actions(position, moves[-1]):
            state.apply_action(action)
        position = position.play(moves[-1])
        check_same(link, position, state)
    assert link.replayed(state.history()) == (position, [])
    assert link.state_after(moves).history() == state.history()


@pytest.mark.exhaustive
@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_both_play_by_the_same_rules(spec: str, seed: int) -> None:
    walk(Link(game(spec)), seed)


@pytest.mark.parametrize("name", THEIR_NAMES)
def test_their_games_are_ours(name: str) -> None:
    theirs = pyspiel.load_game(name)
    for seed in range(5):
        walk(Link(openspiel.our_game(theirs), theirs), seed)


def test_the_middle_of_a_free_choice_is_known() -> None:
    link = Link(game("ultimate"))
    assert link.replayed([3]) == (link.game.start(), [3])
    position, begun = link.replayed([3, 5])
    assert str(position).endswith(" o C2") and begun == []


def test_a_game_that_begins_elsewhere_is_refused_in_a_line() -> None:
    position = game("tictactoe").position("X../.../... o")
    bot = agent("openspiel:uniform_random", position.game)
    for ask in (lambda: bot.choose(position, stream(1)), lambda: play_game("tictactoe", bot, "random", start=position)):
        with pytest.raises(LudometerError, match="from their start only: OpenSpiel knows a position by the moves") as refusal:
            ask()
        assert len(str(refusal.value).splitlines()) == 1
    player = bot.player()
    with pytest.raises(LudometerError, match="was told of moves that lead to"):
        player.choose(position, stream(1))
    player.observe(position.game.start().parse_move("A1"), position)
    assert player.choose(position, stream(1)).move in position.legal


def test_the_kinds_of_both_sides_agree() -> None:
    assert set(openspiel.COUNTERPARTS) == set(OPENSPIEL_KINDS) <= set(game_kinds())


def test_chance_comes_from_the_key() -> None:
    start = game("ultimate").start()
    for bot in ("uniform_random", "mcts,simulations=5"):
        player = agent(f"openspiel:{bot}", start.game)
        moves = [player.choose(start, stream(1, number)).move for number in range(8)]
        assert moves == [player.choose(start, stream(1, number)).move for number in range(8)]
        assert len(set(moves)) > 4


def test_every_option_arrives_in_the_process_where_bots_think(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    echo = tmp_path / "echo.py"
    echo.write_text(
        "import json, sys\nsettings = json.loads(sys.stdin.readline())\n"
        "for line in sys.stdin:\n    print(json.dumps({'refused': json.dumps([settings, json.loads(line)])}), flush=True)\n"
    )
    monkeypatch.setattr(openspiel, "_WORKER", echo)
    player = agent("openspiel:mcts,simulations=11,c=0.5,rollouts=13,solve=no", game("tictactoe")).player(side=1)
    first = player.start.play("B2")
    player.observe(first.last, first)
    answer = player.choose(first, np.uint64(0xFFFFFFFF00000007))
    settings, request = json.loads(str(answer.reason).removeprefix("OpenSpiel: "))
    wanted = {"game": "tic_tac_toe()", "bot": "mcts", "simulations": 11, "c": 0.5, "rollouts": 13, "solve": False}
    assert {name: settings[name] for name in wanted} == wanted and settings["memory"] > 0
    assert request == {"actions": [4], "count": 1, "seed": 7}


def test_every_setting_reaches_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    spy = SimpleNamespace(
        RandomRolloutEvaluator=lambda *given: ("evaluator", *given),
        ChildSelectionPolicy=SimpleNamespace(UCT="uct"),
        MCTSBot=lambda *given: made.append(given),
        make_uniform_random_bot=lambda *given: made.append(given),
        load_bot=lambda *given: made.append(given),
    )
    monkeypatch.setattr(openspiel_worker, "pyspiel", spy)
    settings = {"bot": "mcts", "simulations": 11, "c": 0.5, "rollouts": 13, "solve": False, "memory": 17}
    openspiel_worker.make_bot("game", settings, 1, 19)
    openspiel_worker.make_bot("game", {"bot": "uniform_random"}, 1, 19)
    openspiel_worker.make_bot("game", {"bot": "other"}, 1, 19)
    assert made == [("game", ("evaluator", 13, 19), 0.5, 11, 17, False, 19, False, "uct"), (1, 19), ("other", "game", 1)]


def test_thinking_can_be_stopped_and_the_agent_plays_on() -> None:
    """The search would take days; the process it runs in ends with it."""
    player = agent("openspiel:mcts,simulations=1000000000,solve=no", game("ultimate"))
    stop, start = Stop(), game("ultimate").start()
    begun = []
    make_worker = player._worker
    player._worker = lambda: begun.append(make_worker()) or begun[-1]
    threading.Timer(0.3, stop.ask).start()
    with pytest.raises(Stopped, match="OpenSpiel's move was stopped"):
        player.choose(start, stream(1), stop)
    assert begun[0].process.returncode is not None and player._idle == []
    player._settings["simulations"] = 10
    assert player.choose(start, stream(1)).move in start.legal


def test_two_threads_have_a_process_each() -> None:
    start = game("tictactoe").start()
    player = agent("openspiel:mcts,simulations=50", start.game)
    alone = [player.choose(start, stream(number)).move for number in range(8)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda number: player.choose(start, stream(number)).move, range(8))) == alone
    assert 1 <= len(player._idle) <= 2


@pytest.mark.exhaustive
@pytest.mark.parametrize("spec", ["dots:3x3", "mnk:4,3,3", "tictactoe", "ultimate"])
@pytest.mark.parametrize("bot", ["mcts,simulations=20", "uniform_random"])
def test_their_bots_play_here(spec: str, bot: str) -> None:
    player = agent(f"openspiel:{bot}", game(spec))
    for players in ((player, "random"), ("random", player)):
        record = play_game(spec, *players, seed=5)
        record.check()
        assert record.final.is_over and play_game(spec, *players, seed=5).moves == record.moves


def test_a_bot_that_knows_no_move_forfeits() -> None:
    record = play_game("dots:3x3", "openspiel:fixed_action_preference", "random", seed=5)
    assert record.result == "0-1" and str(record.ended) == "forfeit: OpenSpiel: No legal actions in action list."


@pytest.mark.exhaustive
def test_their_search_is_no_beginner() -> None:
    records = [play_game("tictactoe", "openspiel:mcts,simulations=300", "random", seed) for seed in range(10)]
    assert sum(record.result == "1-0" for record in records) >= 8 and all(record.result != "0-1" for record in records)


@pytest.mark.parametrize("name", THEIR_NAMES)
def test_our_agents_play_there(name: str) -> None:
    theirs = pyspiel.load_game(name)
    for seed in range(3):
        bots = [as_bot(theirs, "random", 0, seed), pyspiel.make_uniform_random_bot(1, seed)]
        returns = pyspiel.evaluate_bots(theirs.new_initial_state(), bots, seed)
        assert returns[0] == -returns[1]
        again = [as_bot(name, "random", 0, seed), pyspiel.make_uniform_random_bot(1, seed)]
        assert pyspiel.evaluate_bots(theirs.new_initial_state(), again, seed) == returns
        both = [as_bot(theirs, "random", 0, seed), as_bot(theirs, "random", 1, seed)]
        for _ in range(2):  # the same bots once more: a new game begins
            pyspiel.evaluate_bots(theirs.new_initial_state(), both, seed)


def test_a_good_agent_beats_their_random_bot() -> None:
    theirs = pyspiel.load_game("dots_and_boxes(num_rows=4,num_cols=4)")
    bots = [as_bot(theirs, "window:2x2", 0), pyspiel.make_uniform_random_bot(1, 3)]
    assert sum(pyspiel.evaluate_bots(theirs.new_initial_state(), bots, seed)[0] for seed in range(6)) >= 5


def test_our_agents_see_the_game_go_by_there() -> None:
    """Every whole move, also one of two actions, in the order in which it was made."""
    seen: list[Position] = []

    class Watcher(Player):
        def observe(self, move: int, after: Position) -> None:
            seen.append(after)

        def choose(self, position, key, stop=None):
            assert (seen[-1] if seen else self.start) == position
            return Decision(position.legal[int(key) * len(position.legal) >> 64])

    class Watching(Agent):
        def player(self, start=None, side=0, ply_limit=None):
            return Watcher(self, start or self.game.start(), side, ply_limit)

    theirs = pyspiel.load_game("ultimate_tic_tac_toe")
    free = 0
    for seed in range(5):
        seen.clear()
        bots = [as_bot(theirs, Watching(game("ultimate"), "watching"), 0, seed), pyspiel.make_uniform_random_bot(1, seed)]
        pyspiel.evaluate_bots(theirs.new_initial_state(), bots, seed)
        position = game("ultimate").start()
        for after in seen:
            assert after.last is not None and position.play(after.last) == after
            position = after
        free += sum(str(after).endswith("*") for after in seen)
    assert len(seen) > 10 and free > 5


def test_a_bot_goes_on_from_any_state() -> None:
    theirs = pyspiel.load_game("ultimate_tic_tac_toe")
    state = theirs.new_initial_state()
    state.apply_action(7)  # the first player has chosen a board, but not this bot
    bot = as_bot(theirs, "random", 0)
    bot.restart_at(state)
    cell = bot.step(state)
    assert cell in state.legal_actions()
    # Its own choice of a board is completed as planned, unless somebody else's was made instead.
    fresh = theirs.new_initial_state()
    board = bot.step(fresh)
    fresh.apply_action(board)
    planned = bot.step(fresh)
    assert bot.step(fresh) == planned in fresh.legal_actions()
    other = theirs.new_initial_state()
    other.apply_action((board + 1) % 9)
    assert bot.step(other) in other.legal_actions()
    state.apply_action(cell)
    with pytest.raises(LudometerError, match="player 0, but player 1"):
        bot.step(state)


def test_a_bot_that_nobody_restarts_notices_another_game() -> None:
    """Of the same length or longer than the game it has seen: it answers as a bot that has seen no other."""
    theirs = pyspiel.load_game("tic_tac_toe")
    bot = as_bot(theirs, "alphabeta", 0)
    for history, winning in (([3, 0, 5, 1], 4), ([2, 0, 5, 1], 8), ([0, 4], None), ([8, 4, 6, 3], 7), ([0, 1, 4, 2], 8)):
        state = theirs.new_initial_state()
        for action in history:
            state.apply_action(action)
        action = bot.step(state)
        assert action == as_bot(theirs, "alphabeta", 0).step(state)
        assert winning is None or action == winning


def test_a_bot_refuses_a_state_without_a_history() -> None:
    theirs = pyspiel.load_game("tic_tac_toe")
    state = theirs.new_initial_state('{"board":["x",".",".",".","o",".",".",".","."],"current_player":"x"}')
    with pytest.raises(LudometerError, match="from the start only"):
        as_bot(theirs, "random", 0).step(state)


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: agent("openspiel:alphazero", game("tictactoe")), "there are mcts, fixed_action_preference"),
        (lambda: agent("openspiel", game("ultimate:open")), "ultimate is the same game|nobody plays on"),
        (lambda: agent("openspiel", game("quixo:3")), "OpenSpiel has no such game"),
        (lambda: agent("openspiel:uniform_random,simulations=5", game("tictactoe")), "simulations is for mcts, not for 'uniform_random'"),
        (lambda: agent("openspiel:uniform_random,solve=no", game("tictactoe")), "solve is for mcts"),
        (lambda: as_bot("connect_four", "random", 0), "there are dots_and_boxes"),
        (lambda: as_bot("tic_tac_toe", "random", 2), "0 or 1"),
        (lambda: as_bot("dots_and_boxes(num_rows=12,num_cols=2)", "random", 0), "dots"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_line(make, part: str) -> None:
    with pytest.raises(LudometerError, match=part) as refusal:
        make()
    assert len(str(refusal.value).splitlines()) == 1


def test_without_openspiel_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    openspiel.pyspiel.cache_clear()
    try:
        with pytest.raises(SpecError, match=r"pip install 'ludometer\[openspiel\]'"):
            agent("openspiel", game("tictactoe"))
    finally:
        openspiel.pyspiel.cache_clear()


class WrongMark:
    """A state of Ultimate Tic-Tac-Toe that shows another mark than was put once somebody has chosen the board for the second time."""

    def __init__(self) -> None:
        self.state = pyspiel.load_game("ultimate_tic_tac_toe").new_initial_state()
        self.choices = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.state, name)

    def apply_action(self, action: int) -> None:
        self.choices += "Choose" in self.state.action_to_string(self.state.current_player(), action)
        self.state.apply_action(action)

    def __str__(self) -> str:
        return str(self.state).replace("o", "x", 1 if self.choices > 1 else 0)


def test_a_version_that_puts_the_wrong_mark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = SimpleNamespace(load_game=lambda name: SimpleNamespace(new_initial_state=WrongMark))
    assert openspiel.puts_wrong_mark(broken) and not openspiel.puts_wrong_mark(pyspiel)
    monkeypatch.setitem(sys.modules, "pyspiel", broken)
    openspiel.pyspiel.cache_clear()
    try:
        with pytest.raises(LudometerError, match="wrong mark"):
            openspiel.pyspiel()
    finally:
        openspiel.pyspiel.cache_clear()


def test_resigning_agents_are_heard_of() -> None:
    class Quitter(type(agent("random", game("tictactoe")))):
        def choose(self, position, key, stop=None):
            return Resign()

    bot = as_bot("tic_tac_toe", Quitter(game("tictactoe"), "quitter"), 0)
    with pytest.raises(LudometerError, match=r"bot quitter makes no move: Resign\(\)"):
        bot.step(pyspiel.load_game("tic_tac_toe").new_initial_state())
