"""Games in progress.  Each has a file of its own, written after every change, so neither a reload nor a restart of the lab loses anything.

All methods run in the server's event loop; only agents think in threads.  See `LabGame` for the numbers `serial` and `version`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from ludometer.arena.play.seat import Seat
from ludometer.arena.play.session import SIDES, Session
from ludometer.core.agent import Decision
from ludometer.core.errors import LudometerError
from ludometer.core.files import replacing
from ludometer.core.game import Game
from ludometer.core.position import Position
from ludometer.core.stopping import Stopped
from ludometer.web.catalogue import Catalogue
from ludometer.web.live import Hub
from ludometer.web.play.lab_game import GameState, LabGame, MoveReport
from ludometer.web.play.thinking import Thinking, Thought
from ludometer.web.problems import Problem

log = logging.getLogger("ludometer.web")

MOST_KEPT = 5000  # games on disk; those untouched for longest are deleted first
MOST_OPEN = 1000  # games in memory
MOST_SEATED = 200  # agents that keep their memory for their next move
SLOWEST_PACE = 10.0  # seconds a move
_CLEARED_EVERY = 200  # new games


class RecentGame(TypedDict):
    """A line in the list of games touched last."""

    id: str
    game: str
    players: list[str]
    moves: int
    result: str | None
    updated: float  # seconds since 1970


class LabGames:
    """All games in progress of a lab."""

    def __init__(self, folder: Path, hub: Hub, thinking: Thinking, catalogue: Catalogue) -> None:
        self.folder = folder
        self.hub = hub
        self.thinking = thinking
        self.catalogue = catalogue
        self._open: OrderedDict[str, LabGame] = OrderedDict()
        self._seated: OrderedDict[tuple[str, int], LabGame] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._made = 0
        hub.provide("game", self._snapshot)

    async def _snapshot(self, name: str) -> GameState | None:
        try:
            game = await self.get(name)
        except Problem:
            return None
        self.proceed(game)  # goes on after a restart of the server
        return game.document()

    # Finding and keeping

    async def get(self, name: str) -> LabGame:
        """The game with this name; raises Problem (404)."""
        game = self._open.get(name) or await self._read(name)
        self._open[name] = game
        self._open.move_to_end(name)
        if len(self._open) > MOST_OPEN:
            self._let_go()
        return game

    def _let_go(self) -> None:
        """Drop from memory the least recently requested game without viewers; its file stays."""
        for name, game in self._open.items():
            if game.thought is None and game.saving is None and not self.hub.is_followed(f"game/{name}"):
                for side in list(game.seats):
                    self._unseat(game, side)
                del self._open[name]
                return

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    async def _read(self, name: str) -> LabGame:
        if not (name.isalnum() and name.isascii() and len(name) <= 32) or not self._file(name).is_file():
            raise Problem(404, "there is no such game (any more); start a new one")
        try:
            kept = json.loads(self._file(name).read_text(encoding="utf-8"))
            rules_of = await self.catalogue.game(kept["session"]["game"])
            game = LabGame.restored(name, Session.from_document(kept["session"], lambda spec: rules_of), kept)
        except (OSError, ValueError, KeyError, TypeError, IndexError, LudometerError) as error:
            log.error("the file of game %s cannot be read: %s", name, error)
            raise Problem(404, "the file of this game is damaged; start a new one") from error
        return self._open.get(name) or game  # another request may have read it meanwhile

    def _changed(self, game: LabGame, of_the_game: bool = True) -> None:
        """Count, save and show a change; if an agent begins to think because of it, both are shown at once."""
        game.count_change(of_the_game)
        game.updated = time.time()
        self._save(game)
        if not self.proceed(game):
            self._show(game)

    def _save(self, game: LabGame) -> None:
        """Begin to write the game's file; a write that is under way is followed by another."""
        game.unsaved = json.dumps(game.stored(), separators=(",", ":")).encode()
        if game.saving is None:
            game.saving = asyncio.create_task(self._write(game))
            game.saving.add_done_callback(_take_note_of_failure)

    async def _write(self, game: LabGame) -> None:
        try:
            while game.unsaved is not None:
                content, game.unsaved = game.unsaved, None
                await asyncio.to_thread(_write_file, self._file(game.name), content)
        except OSError as error:
            log.error("game %s cannot be saved: %s", game.name, error)
            raise
        finally:
            game.saving = None

    async def saved(self, game: LabGame) -> None:
        """Wait until the game's file has its present state; raises OSError if it cannot be written."""
        if game.saving is not None:
            await asyncio.shield(game.saving)

    def _show(self, game: LabGame) -> None:
        if self.hub.is_followed(f"game/{game.name}"):
            self.hub.publish(f"game/{game.name}", f'{{"state":{game.text()}}}', urgent=True)

    def recent(self, count: int = 20) -> list[RecentGame]:
        """The games touched last, latest first."""
        files = sorted(self.folder.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        rows: list[RecentGame] = []
        for file in files[:count]:
            try:
                kept = json.loads(file.read_text(encoding="utf-8"))
                session = kept["session"]
                rows.append(
                    {
                        "id": file.stem,
                        "game": session["game"],
                        "players": kept["players"],
                        "moves": len(session["moves"]),
                        "result": session["result"],
                        "updated": kept["updated"],
                    }
                )
            except (OSError, ValueError, KeyError, TypeError):
                continue  # written by another version, or deleted just now
        return rows

    def _clear_old(self) -> None:
        """Delete the files of the games untouched for longest, beyond the number that is kept."""
        files = sorted(self.folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[: max(0, len(files) - MOST_KEPT)]:
            if file.stem not in self._open:
                file.unlink(missing_ok=True)

    # What players and pages do

    def new(self, session: Session, players: tuple[str, str], pace: float = 0.0, paused: bool = False) -> LabGame:
        """A new game; agents begin to think if it is their turn."""
        name = secrets.token_hex(8)
        game = LabGame(name, session, players)
        game.pace, game.paused = pace, paused
        self._open[name] = game
        self._made += 1
        if self._made % _CLEARED_EVERY == 0:
            self._clear_old()
        if len(self._open) > MOST_OPEN:
            self._let_go()
        session.start_clock()
        self._changed(game)
        return game

    async def remove(self, game: LabGame) -> None:
        """Delete a game for good."""
        self._abandon(game)
        await self.saved(game)
        self._open.pop(game.name, None)
        self._file(game.name).unlink(missing_ok=True)

    def move(self, game: LabGame, move: str, version: int) -> None:
        """Make a person's move; raises Problem (409) if the game has left this version, LudometerError if the move is not legal."""
        if game.last_posted == (version, move):
            return
        if version != game.version:
            raise Problem(409, "the game has changed meanwhile; here is the board as it is now")
        if not game.awaits_human:
            raise Problem(409, "it is not a person's turn" if not game.session.is_over else "the game is over")
        game.session.make(move)
        game.reports.append(None)
        game.last_posted = version, move
        game.message = ""
        game.session.start_clock()
        self._changed(game)

    def undo(self, game: LabGame) -> None:
        """Take the latest move back, with the answer to it; a game between agents is then paused, or they would make it again."""
        side = game.undo_side()
        if side is None:
            raise Problem(409, "there is no move to take back")
        self._abandon(game)
        game.session.take_back(side)
        del game.reports[game.session.ply :]
        game.paused = game.paused or not game.humans
        self._go_on(game)

    def redo(self, game: LabGame) -> None:
        """Make the moves again that `undo` took back."""
        self._abandon(game)
        if not game.session.redo():
            raise Problem(409, "there is no move to make again")
        game.reports += [None] * (game.session.ply - len(game.reports))
        self._go_on(game)

    def restart(self, game: LabGame) -> None:
        """Begin the game again from the position it was started from, with a new seed."""
        self._abandon(game)
        old = game.session
        game.session = Session(old.game, old.start, old.ply_limit, (None, None), *game.players, seed=_new_seed())
        game.reports = []
        for side in SIDES:
            self._unseat(game, side)
        self._go_on(game)

    def swap(self, game: LabGame) -> None:
        """Exchange the players."""
        self._abandon(game)
        for side in SIDES:
            self._unseat(game, side)
        game.players = game.players[1], game.players[0]
        game.session.names = game.players
        self._go_on(game)

    def resign(self, game: LabGame) -> None:
        """Resign for the only person, otherwise for the person to move."""
        if game.session.is_over or not game.humans:
            raise Problem(409, "no person plays this game")
        self._abandon(game)
        game.session.resign(game.humans[0] if len(game.humans) == 1 else game.session.to_move)
        self._changed(game)

    def stop(self, game: LabGame) -> None:
        """Ask the thinking agent to move now."""
        if game.thought is not None:
            game.thought.stop.ask()

    def pause(self, game: LabGame) -> None:
        """Let no agent begin to think, and drop the thought under way."""
        self._abandon(game)
        game.paused = True
        self._changed(game, of_the_game=False)

    def resume(self, game: LabGame) -> None:
        """End a pause."""
        game.paused, game.message = False, ""
        self._changed(game, of_the_game=False)

    def step(self, game: LabGame) -> None:
        """Let the agent to move make one move in a paused game."""
        game.paused, game.message = True, ""
        self.proceed(game, even_paused=True)

    def set_pace(self, game: LabGame, seconds: float) -> None:
        """Let every agent's move take at least this long."""
        game.pace = min(SLOWEST_PACE, max(0.0, seconds))
        self._changed(game, of_the_game=False)

    def _go_on(self, game: LabGame) -> None:
        game.message = ""
        game.session.start_clock()
        self._changed(game)

    # Agents

    def proceed(self, game: LabGame, even_paused: bool = False) -> bool:
        """Let the agent whose turn it is begin to think; False if none does."""
        side = game.session.to_move
        if side is None or game.awaits_human or game.thought is not None or (game.paused and not even_paused):
            return False
        self._seated.pop((game.name, side), None)
        game.thought = Thought(game.session, side, game.players[side], game.seats.pop(side, None))
        game.session.start_clock()
        game.count_change(of_the_game=False)
        self._show(game)
        task = asyncio.create_task(self._think(game, game.thought))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _think(self, game: LabGame, thought: Thought) -> None:
        begun = time.monotonic()
        problem = ""
        choice = None
        try:
            await thought.sit_down(self.thinking)
            choice = await self.thinking.run(thought.choose, thought.stop)
            slack = game.pace - (time.monotonic() - begun)
            if slack > 0 and not game.paused:
                await asyncio.sleep(slack)
        except Stopped:
            problem = f"{thought.spec} was stopped before it had a move"
        except LudometerError as error:
            problem = f"{thought.spec}: {error}"
        except MemoryError:
            problem = f"{thought.spec} needs more memory than there is"
        except Exception as error:
            log.error("agent %s failed at %s", thought.spec, game.session.position, exc_info=error)
            problem = f"{thought.spec} failed; the messages on the terminal say more"
        if game.thought is not thought:  # abandoned meanwhile
            if thought.seat is not None:
                thought.seat.leave()
            return
        game.thought = None
        if thought.seat is not None:
            self._seat(game, thought.side, thought.seat)
        if choice is None:
            game.message, game.paused = problem, True
            self._changed(game, of_the_game=False)
            return
        ply = game.session.ply
        game.session.answer(choice)
        del game.reports[game.session.ply :]  # the agent may have taken moves back
        if game.session.ply > ply:
            seconds = game.session.turns[-1].seconds
            said = plain_report(choice.report) | {"value": choice.value} if isinstance(choice, Decision) else {}
            game.reports.append({"seconds": seconds, **said})
        game.session.start_clock()
        self._changed(game)

    def _abandon(self, game: LabGame) -> None:
        """Drop the thought under way: its move will not be made."""
        if game.thought is not None:
            game.thought.stop.ask()
            game.thought = None

    def _seat(self, game: LabGame, side: int, seat: Seat) -> None:
        game.seats[side] = seat
        self._seated[game.name, side] = game
        while len(self._seated) > MOST_SEATED:
            (_, old_side), old = self._seated.popitem(last=False)
            self._unseat(old, old_side)

    def _unseat(self, game: LabGame, side: int) -> None:
        self._seated.pop((game.name, side), None)
        seat = game.seats.pop(side, None)
        if seat is not None:
            seat.leave()

    async def close(self) -> None:
        """End all thoughts and finish writing files."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(self.saved(game) for game in self._open.values()), return_exceptions=True)


def _take_note_of_failure(saving: asyncio.Task[None]) -> None:
    """Mark the error of a write as seen: it was logged, and `saved` raises it for those who wait."""
    if not saving.cancelled():
        saving.exception()


def _write_file(file: Path, content: bytes) -> None:
    with replacing(file) as stream:
        stream.write(content)


def plain_report(report: Mapping[str, Any]) -> MoveReport:
    """The entries of an agent's report that are JSON: texts, whole numbers, finite numbers and None."""
    return {name: value for name, value in report.items() if isinstance(value, int | str | None) or _is_finite(value)}


def _is_finite(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _new_seed() -> int:
    return secrets.randbelow(2**32)


def new_session(game: Game, players: tuple[str, str], start: Position | None = None, seed: int | None = None) -> Session:
    """A session without limits of time; the seed is drawn at random if None is given."""
    return Session(game, start, None, (None, None), *players, seed=_new_seed() if seed is None else seed)
