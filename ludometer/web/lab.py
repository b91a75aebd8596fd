"""What all pages share."""

from __future__ import annotations

from pathlib import Path

from fastapi import Request

from ludometer.solvers.solvable import tables_root
from ludometer.web.catalogue import Catalogue
from ludometer.web.jobs.live_runs import Shelf, Watch
from ludometer.web.jobs.queue import Jobs
from ludometer.web.live import Hub
from ludometer.web.play.analysis import Analyses
from ludometer.web.play.lab_games import Tables
from ludometer.web.play.thinking import Thinking


class Lab:
    """One running lab: where its files lie, and what goes on in it.

    `home` holds what the lab itself keeps (games in progress, jobs), `tables` the solved games, `store` the experiments; by default all
    three are those of the command line.
    """

    def __init__(self, home: Path | None = None, tables: Path | None = None, store: Path | None = None) -> None:
        from ludometer.arena.work.store import default_path

        self.home = home or tables_root().parent / "lab"
        self.tables_folder = tables
        self.store = store or default_path()
        self.hub = Hub()
        self.jobs = Jobs(self.home / "jobs", self.store, tables)
        self.shelf = Shelf(self.store)
        self.watch = Watch(self.hub, self.jobs, self.shelf)
        self.thinking = Thinking(tables)
        self.catalogue = Catalogue(tables)
        self.games = Tables(self.home / "games", self.hub, self.thinking, self.catalogue)
        self.analyses = Analyses(self)

    async def open(self) -> None:
        """The server has started: its event loop runs."""
        self.games.folder.mkdir(parents=True, exist_ok=True)
        self.hub.bind()
        self.jobs.open()
        self.watch.open()

    async def close(self) -> None:
        """The server is about to end."""
        await self.watch.close()
        await self.jobs.close()
        await self.games.close()
        await self.analyses.close()
        self.thinking.close()


def lab_of(request: Request) -> Lab:
    """The lab that a request was made to, for endpoints."""
    lab: Lab = request.app.state.lab
    return lab
