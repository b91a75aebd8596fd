"""Games in progress.  A table has a game, two players, and a file that is written after every change: neither a reload nor a restart of
the server loses anything.

All methods run in the server's event loop; only the thinking of agents is done in threads.  `version` grows when the game changes, so
that a move made on an old board is noticed; `serial` grows with everything that a page shows.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import secrets
import time
from collections import OrderedDict
from pathlib import Path
from typing import Any

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
from ludometer.web.play.lab_game import Table
from ludometer.web.play.thinking import Thinking, Thought
from ludometer.web.problems import Problem

log = logging.getLogger("ludometer.web")

MOST_TABLES = 5000  # kept on disk; the ones untouched for longest go first
MOST_OPEN = 1000  # in memory
MOST_SEATED = 200  # agents that wait for their next move with what they remember
SLOWEST_PACE = 10.0  # seconds a move
_CLEARED_EVERY = 200  # new tables


class Tables:
    """All tables of a lab."""

    def __init__(self, folder: Path, hub: Hub, thinking: Thinking, catalogue: Catalogue) -> None:
        self.folder = folder
        self.hub = hub
        self.thinking = thinking
        self.catalogue = catalogue
        self._open: OrderedDict[str, Table] = OrderedDict()
        self._seated: OrderedDict[tuple[str, int], Table] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._made = 0
        hub.provide("table", self._snapshot)

    async def _snapshot(self, name: str) -> dict[str, Any] | None:
        try:
            table = await self.get(name)
        except Problem:
            return None
        self.proceed(table)  # goes on after a restart of the server
        return table.document()

    # Finding and keeping

    async def get(self, name: str) -> Table:
        """The table with this name; raises Problem (404)."""
        table = self._open.get(name) or await self._read(name)
        self._open[name] = table
        self._open.move_to_end(name)
        if len(self._open) > MOST_OPEN:
            self._let_go()
        return table

    def _let_go(self) -> None:
        """Forget the table that was asked for longest ago, if nobody looks at it; its file stays."""
        for name, table in self._open.items():
            if table.thought is None and table.saving is None and not self.hub.is_followed(f"table/{name}"):
                for side in list(table.seats):
                    self._unseat(table, side)
                del self._open[name]
                return

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    async def _read(self, name: str) -> Table:
        if not (name.isalnum() and name.isascii() and len(name) <= 32) or not self._file(name).is_file():
            raise Problem(404, "there is no such game (any more); start a new one")
        try:
            kept = json.loads(self._file(name).read_text(encoding="utf-8"))
            game = await self.catalogue.game(kept["session"]["game"])
            session = Session.from_document(kept["session"], lambda spec: game)
            table = Table(name, session, (kept["players"][0], kept["players"][1]))
            table.reports = (kept["reports"] + [None] * session.ply)[: session.ply]
            for key in ("pace", "paused", "message", "version", "serial", "updated"):
                setattr(table, key, kept[key])
        except (OSError, ValueError, KeyError, TypeError, IndexError, LudometerError) as error:
            log.error("the file of game %s cannot be read: %s", name, error)
            raise Problem(404, "the file of this game is damaged; start a new one") from error
        return self._open.get(name) or table  # somebody else may have read it meanwhile

    def _changed(self, table: Table, game_changed: bool = True) -> None:
        """Count, keep and show a change; where an agent begins to think because of it, that is shown with it."""
        table.serial += 1
        table.version += game_changed
        table.updated = time.time()
        self._save(table)
        if not self.proceed(table):
            self._show(table)

    def _save(self, table: Table) -> None:
        """Begin to write the table's file, or let the writing that goes on write once more."""
        table.unsaved = json.dumps(table.stored(), separators=(",", ":")).encode()
        if table.saving is None:
            table.saving = asyncio.create_task(self._write(table))

    async def _write(self, table: Table) -> None:
        try:
            while table.unsaved is not None:
                content, table.unsaved = table.unsaved, None
                await asyncio.to_thread(_write_file, self._file(table.name), content)
        finally:
            table.saving = None

    async def saved(self, table: Table) -> None:
        """Wait until all that happened at a table is in its file; raises OSError if it cannot be written."""
        if table.saving is not None:
            await asyncio.shield(table.saving)

    def _show(self, table: Table) -> None:
        if self.hub.is_followed(f"table/{table.name}"):
            self.hub.publish(f"table/{table.name}", f'{{"state":{table.text()}}}', urgent=True)

    def recent(self, count: int = 20) -> list[dict[str, Any]]:
        """The games touched last, for a list."""
        files = sorted(self.folder.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        rows = []
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
                continue  # written by another version, or taken away just now
        return rows

    def _clear_old(self) -> None:
        files = sorted(self.folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[: max(0, len(files) - MOST_TABLES)]:
            if file.stem not in self._open:
                file.unlink(missing_ok=True)

    # What players and pages do

    def new(self, session: Session, players: tuple[str, str], pace: float = 0.0, paused: bool = False) -> Table:
        """A new table; agents begin to think if it is their turn."""
        name = secrets.token_hex(8)
        table = Table(name, session, players)
        table.pace, table.paused = pace, paused
        self._open[name] = table
        self._made += 1
        if self._made % _CLEARED_EVERY == 0:
            self._clear_old()
        if len(self._open) > MOST_OPEN:
            self._let_go()
        session.start_clock()
        self._changed(table)
        return table

    async def remove(self, table: Table) -> None:
        """Delete a game for good."""
        self._abandon(table)
        await self.saved(table)
        self._open.pop(table.name, None)
        self._file(table.name).unlink(missing_ok=True)

    def move(self, table: Table, move: str, version: int) -> None:
        """A person's move on the board of this version; raises Problem (409) for an old one, LudometerError for one that is not allowed."""
        if table.last_posted == (version, move):
            return
        if version != table.version:
            raise Problem(409, "the game has changed meanwhile; here is the board as it is now")
        if not table.awaits_human:
            raise Problem(409, "it is not a person's turn" if not table.session.is_over else "the game is over")
        table.session.make(move)
        table.reports.append(None)
        table.last_posted = version, move
        table.message = ""
        table.session.start_clock()
        self._changed(table)

    def undo(self, table: Table) -> None:
        side = table.undo_side()
        if side is None:
            raise Problem(409, "there is no move to take back")
        self._abandon(table)
        table.session.take_back(side)
        del table.reports[table.session.ply :]
        table.paused = table.paused or not table.humans
        self._go_on(table)

    def redo(self, table: Table) -> None:
        self._abandon(table)
        if not table.session.redo():
            raise Problem(409, "there is no move to make again")
        table.reports += [None] * (table.session.ply - len(table.reports))
        self._go_on(table)

    def restart(self, table: Table) -> None:
        """The same game from its start, with other chance."""
        self._abandon(table)
        old = table.session
        table.session = Session(old.game, old.start, old.ply_limit, (None, None), *table.players, seed=new_seed())
        table.reports = []
        table.seats = {}
        self._go_on(table)

    def swap(self, table: Table) -> None:
        """The players change sides."""
        self._abandon(table)
        for side in SIDES:
            self._unseat(table, side)
        table.players = table.players[1], table.players[0]
        table.session.names = table.players
        self._go_on(table)

    def resign(self, table: Table) -> None:
        """A person gives up: the one to move, or the only one."""
        if table.session.is_over or not table.humans:
            raise Problem(409, "there is nobody here who could resign")
        self._abandon(table)
        table.session.resign(table.humans[0] if len(table.humans) == 1 else table.session.to_move)
        self._changed(table)

    def stop(self, table: Table) -> None:
        """Ask the agent that thinks for the best move it has."""
        if table.thought is not None:
            table.thought.stop.ask()

    def pause(self, table: Table) -> None:
        self._abandon(table)
        table.paused = True
        self._changed(table, game_changed=False)

    def resume(self, table: Table) -> None:
        table.paused, table.message = False, ""
        self._changed(table, game_changed=False)

    def step(self, table: Table) -> None:
        """One move of an agent in a paused game."""
        table.paused, table.message = True, ""
        self.proceed(table, even_paused=True)

    def set_pace(self, table: Table, seconds: float) -> None:
        table.pace = min(SLOWEST_PACE, max(0.0, seconds))
        self._changed(table, game_changed=False)

    def _go_on(self, table: Table) -> None:
        table.message = ""
        table.session.start_clock()
        self._changed(table)

    # Agents

    def proceed(self, table: Table, even_paused: bool = False) -> bool:
        """Let the agent whose turn it is think, unless it does already; whether one begins now."""
        side = table.session.to_move
        if side is None or table.awaits_human or table.thought is not None or (table.paused and not even_paused):
            return False
        self._seated.pop((table.name, side), None)
        table.thought = Thought(table.session, side, table.players[side], table.seats.pop(side, None))
        table.session.start_clock()
        table.serial += 1
        self._show(table)
        task = asyncio.create_task(self._think(table, table.thought))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _think(self, table: Table, thought: Thought) -> None:
        begun = time.monotonic()
        problem = ""
        choice = None
        try:
            await thought.sit_down(self.thinking)
            choice = await self.thinking.run(thought.choose, thought.stop)
            slack = table.pace - (time.monotonic() - begun)
            if slack > 0 and not table.paused:
                await asyncio.sleep(slack)
        except Stopped:
            problem = f"{thought.spec} was stopped before it had a move"
        except LudometerError as error:
            problem = f"{thought.spec}: {error}"
        except MemoryError:
            problem = f"{thought.spec} needs more memory than there is"
        except Exception as error:
            log.error("agent %s failed at %s", thought.spec, table.session.position, exc_info=error)
            problem = f"{thought.spec} failed; the messages on the terminal say more"
        if table.thought is not thought:  # the game went another way meanwhile
            if thought.seat is not None:
                thought.seat.leave()
            return
        table.thought = None
        if thought.seat is not None:
            self._seat(table, thought.side, thought.seat)
        if choice is None:
            table.message, table.paused = problem, True
            self._changed(table, game_changed=False)
            return
        ply = table.session.ply
        table.session.answer(choice)
        if table.session.ply > ply:
            table.reports.append(_report(choice, table))
        table.session.start_clock()
        self._changed(table)

    def _abandon(self, table: Table) -> None:
        """Whatever an agent thinks now is of no use any more."""
        if table.thought is not None:
            table.thought.stop.ask()
            table.thought = None

    def _seat(self, table: Table, side: int, seat: Seat) -> None:
        table.seats[side] = seat
        self._seated[table.name, side] = table
        while len(self._seated) > MOST_SEATED:
            (_, old_side), old = self._seated.popitem(last=False)
            self._unseat(old, old_side)

    def _unseat(self, table: Table, side: int) -> None:
        self._seated.pop((table.name, side), None)
        seat = table.seats.pop(side, None)
        if seat is not None:
            seat.leave()

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(self.saved(table) for table in self._open.values()), return_exceptions=True)


def _write_file(file: Path, content: bytes) -> None:
    with replacing(file) as stream:
        stream.write(content)


def _report(choice: Any, table: Table) -> dict[str, Any] | None:
    """What an agent said of its move, as far as a page shows it."""
    if not isinstance(choice, Decision):
        return None
    numbers = {name: value for name, value in choice.report.items() if isinstance(value, int | str) or is_finite(value)}
    return {"seconds": table.session.turns[-1].seconds, **numbers, "value": choice.value}


def is_finite(value: Any) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def new_seed() -> int:
    return secrets.randbelow(2**32)


def new_session(game: Game, players: tuple[str, str], start: Position | None = None, seed: int | None = None) -> Session:
    return Session(game, start, None, (None, None), *players, seed=new_seed() if seed is None else seed)
