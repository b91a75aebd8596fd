"""OpenSpiel: its bots play our games, and our agents are bots that play its games.

    agent("openspiel:mcts,simulations=1000", game("dots:5x5"))       # a player here
    as_bot("dots_and_boxes(num_rows=5,num_cols=5)", "mcts:1000", 0)  # a pyspiel.Bot there

Both directions number moves differently; `Counterpart` translates.  OpenSpiel's states are reached by playing a history from the
start, never by taking moves back (its undo cannot be relied on) and never by an action that is not legal (which ends the process).
`pyspiel` is imported when it is needed, and not before.
"""

from __future__ import annotations

import importlib
import random
import threading
import time
from abc import ABC, abstractmethod
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ludometer.agents import agent as find_agent
from ludometer.bridges import OPENSPIEL
from ludometer.bridges.process import NoAnswer, WorkerProcess
from ludometer.core.agent import Agent, Decision, Player
from ludometer.core.errors import LudometerError, SpecError, shorten
from ludometer.core.game import Game
from ludometer.core.outcome import FIRST
from ludometer.core.requests import Forfeit
from ludometer.core.stopping import Stop
from ludometer.games import game

if TYPE_CHECKING:
    from ludometer.core.position import Position

_GAMES_CHECKED = 3  # every game has free choices in plenty
_MEMORY = 1000  # megabytes for the tree of OpenSpiel's MCTS
_WORKER = Path(__file__).with_name("openspiel_worker.py")


@lru_cache(maxsize=1)
def pyspiel() -> ModuleType:
    """The installed OpenSpiel; raises LudometerError if there is none, or one that plays a wrong game."""
    try:
        module = importlib.import_module("pyspiel")
    except ImportError as error:
        raise LudometerError(f"OpenSpiel is not installed ({error}); run: pip install 'ludometer[openspiel]'") from error
    if puts_wrong_mark(module):
        raise LudometerError(
            "this OpenSpiel puts the wrong mark after a free choice in ultimate_tic_tac_toe; run: pip install --upgrade 'open_spiel>=2.0'"
        )
    return module


def puts_wrong_mark(module: ModuleType) -> bool:
    """Whether a player who chooses the board in Ultimate Tic-Tac-Toe may get the other's mark there, as in old versions.

    In a few random games the players' marks are counted: they take turns, so x has one more than o or as many.
    """
    chance = random.Random(0)
    theirs = module.load_game("ultimate_tic_tac_toe")
    for _ in range(_GAMES_CHECKED):
        state = theirs.new_initial_state()
        while not state.is_terminal():
            marks = str(state).split("Current player")[0]
            if marks.count("x") - marks.count("o") != state.current_player():
                return True
            state.apply_action(chance.choice(state.legal_actions()))
    return False


class Counterpart(ABC):
    """Translation of one kind of game to OpenSpiel."""

    @abstractmethod
    def name(self, game: Game) -> str:
        """OpenSpiel's name of this game; raises SpecError if it has no such game."""

    @abstractmethod
    def actions(self, position: Position, move: int) -> list[int]:
        """OpenSpiel's actions for a move of ours."""

    @abstractmethod
    def move(self, position: Position, actions: list[int]) -> int | None:
        """Our move for actions of OpenSpiel, None if a further action is needed."""

    def narrowed(self, position: Position, actions: list[int]) -> Position:
        """The position as it is for a player who has made the first of the actions that a move consists of."""
        return position


class DotsCounterpart(Counterpart):
    """Level edges row by row, then upright ones row by row."""

    def name(self, game: Game) -> str:
        return f"dots_and_boxes(num_rows={game.rules.rows},num_cols={game.rules.columns})"

    def actions(self, position: Position, move: int) -> list[int]:
        rows, columns = _size(position)
        line, column = divmod(move, columns + 1)
        return [line * columns + column if line <= rows else (rows + 1) * columns + (line - rows - 1) * (columns + 1) + column]

    def move(self, position: Position, actions: list[int]) -> int | None:
        rows, columns = _size(position)
        upright = actions[0] - (rows + 1) * columns
        if upright >= 0:
            return (rows + 1) * (columns + 1) + upright
        row, column = divmod(actions[0], columns)
        return row * (columns + 1) + column


class MnkCounterpart(Counterpart):
    """Cells row by row; OpenSpiel's m is the number of columns and its n that of rows."""

    def name(self, game: Game) -> str:
        rules = game.rules
        if (rules.rows, rules.columns, rules.line) == (3, 3, 3):
            return "tic_tac_toe"
        return f"mnk(m={rules.columns},n={rules.rows},k={rules.line})"

    def actions(self, position: Position, move: int) -> list[int]:
        columns = _size(position)[1]
        row, column = divmod(move, columns + 1)
        return [row * columns + column]

    def move(self, position: Position, actions: list[int]) -> int | None:
        columns = _size(position)[1]
        row, column = divmod(actions[0], columns)
        return row * (columns + 1) + column


class UltimateCounterpart(Counterpart):
    """A cell of the board to play in; a player who may choose the board does that first."""

    def name(self, game: Game) -> str:
        if game.rules.open:
            raise SpecError(f"OpenSpiel cannot play {game.spec}: nobody plays on in boards that are won there; ultimate is the same game")
        return "ultimate_tic_tac_toe"

    def actions(self, position: Position, move: int) -> list[int]:
        board, cell = divmod(move, 9)
        return [board, cell] if _is_free_choice(position) else [cell]

    def move(self, position: Position, actions: list[int]) -> int | None:
        if not _is_free_choice(position):
            return 9 * int(position.state.board) + actions[0]
        return 9 * actions[0] + actions[1] if len(actions) == 2 else None

    def narrowed(self, position: Position, actions: list[int]) -> Position:
        return type(position)(position.game, position.state._replace(board=np.uint64(actions[0])), position.last)


def _size(position: Position) -> tuple[int, int]:
    """Rows and columns of a board."""
    return int(position.game.rules.rows), int(position.game.rules.columns)


def _is_free_choice(position: Position) -> bool:
    return int(position.state.board) == 9


# our kind -> its counterpart
COUNTERPARTS: dict[str, Counterpart] = {"dots": DotsCounterpart(), "mnk": MnkCounterpart(), "ultimate": UltimateCounterpart()}


def our_game(theirs: Any) -> Game:
    """Our game for one of OpenSpiel's; raises SpecError if there is none."""
    name, parameters = theirs.get_type().short_name, theirs.get_parameters()
    if name == "dots_and_boxes":
        return game(f"dots:{parameters['num_rows']}x{parameters['num_cols']}")
    if name == "mnk":
        return game(f"mnk:{parameters['n']},{parameters['m']},{parameters['k']}")
    if name == "tic_tac_toe":
        return game("mnk:3,3,3")
    if name == "ultimate_tic_tac_toe":
        return game("ultimate")
    raise SpecError(f"no game here is OpenSpiel's {name}; there are dots_and_boxes, mnk, tic_tac_toe and ultimate_tic_tac_toe")


class Link:
    """A game and its counterpart in OpenSpiel."""

    def __init__(self, game: Game, theirs: Any = None) -> None:
        self.game = game
        self.counterpart = COUNTERPARTS[game.kind.name]
        self.theirs = pyspiel().load_game(self.counterpart.name(game)) if theirs is None else theirs

    def replayed(self, actions: list[int]) -> tuple[Position, list[int]]:
        """Our position after OpenSpiel's actions from the start, and those of them that are not a whole move yet."""
        position, begun = self.game.start(), list[int]()
        for action in actions:
            position, begun = self.advanced(position, begun, action)
        return position, begun

    def advanced(self, position: Position, begun: list[int], action: int) -> tuple[Position, list[int]]:
        """The same after one more action."""
        move = self.counterpart.move(position, [*begun, action])
        return (position, [*begun, action]) if move is None else (position.play(move), [])

    def state_after(self, moves: list[int]) -> Any:
        """OpenSpiel's state after moves of ours from the start."""
        position, state = self.game.start(), self.theirs.new_initial_state()
        for move in moves:
            for action in self.counterpart.actions(position, move):
                state.apply_action_with_legality_check(action)
            position = position.play(move)
        return state


class OpenSpielAgent(Agent):
    """A bot of OpenSpiel, made anew for each move, so that its chance comes from the move's key alone.

    It thinks in a process of its own, which can be ended when a stop is asked for.  Processes are kept for the next move, as many as
    there were moves asked for at the same time.
    """

    def __init__(self, game: Game, spec: str, bot: str, simulations: int, c: float, rollouts: int, solve: bool) -> None:
        super().__init__(game, spec)
        try:
            self.link = Link(game)
        except SpecError:
            raise
        except LudometerError as error:
            raise SpecError(f"agent openspiel: {error}") from error
        if bot != "mcts":
            given = {"simulations": simulations, "c": c, "rollouts": rollouts, "solve": solve}
            changed = [option.name for option in OPENSPIEL.options if option.name in given and given[option.name] != option.default]
            if changed:
                raise SpecError(f"agent openspiel: {', '.join(changed)} is for mcts, not for {shorten(bot)}")
            able = pyspiel().bots_that_can_play_game(self.link.theirs)
            if bot not in able:
                raise SpecError(f"agent openspiel: no bot {shorten(bot)} plays {game.spec}; there are mcts, {', '.join(able)}")
        self._settings = {
            "game": str(self.link.theirs),
            "bot": bot,
            "simulations": simulations,
            "c": c,
            "rollouts": rollouts,
            "solve": solve,
            "memory": _MEMORY,
        }
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []  # idle processes

    def player(self, start: Position | None = None, side: int = FIRST, ply_limit: int | None = None) -> OpenSpielPlayer:
        """Raises LudometerError if the game begins elsewhere than at the start: OpenSpiel knows positions by the moves that led there."""
        return OpenSpielPlayer(self, start or self.game.start(), side, ply_limit)

    def step(self, actions: list[int], count: int, seed: int, stop: Stop | None) -> list[int]:
        """The bot's next `count` actions after these ones; raises NoAnswer if it has none, and Stopped."""
        worker = self._worker()
        worker.tell({"actions": actions, "count": count, "seed": seed})
        answer = worker.answer(None, "OpenSpiel's move", stop)
        with self._lock:
            self._idle.append(worker)
        if "refused" in answer:
            raise NoAnswer(f"OpenSpiel: {answer['refused']}")
        return list(answer["actions"])

    def _worker(self) -> WorkerProcess:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        worker = WorkerProcess(_WORKER)
        worker.tell(self._settings)
        return worker


class OpenSpielPlayer(Player):
    """A bot in one game, which keeps the actions made."""

    agent: OpenSpielAgent

    def __init__(self, agent: OpenSpielAgent, start: Position, side: int, ply_limit: int | None) -> None:
        super().__init__(agent, start, side, ply_limit)
        if start != agent.game.start():
            raise LudometerError(
                "agent openspiel plays games from their start only: OpenSpiel knows a position by the moves that led to it"
            )
        self._position = start
        self._actions: list[int] = []

    def observe(self, move: int, after: Position) -> None:
        self._actions += self.agent.link.counterpart.actions(self._position, move)
        self._position = after

    def choose(self, position: Position, key: np.uint64, stop: Stop | None = None) -> Decision | Forfeit:
        since = time.perf_counter()
        if position != self._position:
            raise LudometerError(f"agent openspiel was told of moves that lead to {self._position}, and is asked about {position}")
        counterpart = self.agent.link.counterpart
        count = len(counterpart.actions(position, position.legal[0]))
        try:
            actions = self.agent.step(self._actions, count, int(key) & 0x7FFFFFFF, stop)
        except NoAnswer as error:
            return Forfeit(str(error))
        move = counterpart.move(position, actions)
        assert move is not None, "so many actions are a move"
        return Decision(move, None, {"seconds": time.perf_counter() - since})


def as_bot(game: Any, agent: Agent | str, player: int, seed: int = 0) -> Any:
    """A `pyspiel.Bot` that plays as an agent of ours; `game` is a `pyspiel.Game` or the text that names one.

    Raises LudometerError if OpenSpiel is missing or the game is not one of ours.

    >>> import pyspiel
    >>> bots = [as_bot("tic_tac_toe", "alphabeta", 0), as_bot("tic_tac_toe", "random", 1)]
    >>> pyspiel.evaluate_bots(pyspiel.load_game("tic_tac_toe").new_initial_state(), bots, 1)
    [1.0, -1.0]
    """
    theirs = pyspiel().load_game(game) if isinstance(game, str) else game
    link = Link(our_game(theirs), theirs)
    if player not in (0, 1):
        raise LudometerError(f"a player is 0 or 1, not {player}")
    from ludometer.bridges.openspiel_bot import AgentBot

    return AgentBot(link, find_agent(agent, link.game), player, seed)
