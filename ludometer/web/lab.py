"""The state that all pages share."""

from __future__ import annotations

from pathlib import Path

from fastapi import Request

from ludometer.solvers.solvable import tables_root
from ludometer.web.catalogue import Catalogue
from ludometer.web.jobs.live_runs import Shelf, Watch
from ludometer.web.jobs.queue import Jobs
from ludometer.web.live import Hub
from ludometer.web.play.analysis import Analyses
from ludometer.web.play.lab_games import LabGames
from ludometer.web.play.thinking import Thinking


class Lab:
    """One running lab: its folders, games in progress, jobs, agents and live messages.

    `home` is the folder of games in progress and jobs, `tables` that of solved games, `store` the file of experiments; by default they
    are those of the command line.
    """

    def __init__(self, home: Path | None = None, tables: Path | None = None, store: Path | None = None) -> None:
        from ludometer.core.folders import experiments_file

        self.home = home or tables_root().parent / "lab"
        self.tables_folder = tables
        self.store = store or experiments_file()
        self.hub = Hub()
        self.jobs = Jobs(self.home / "jobs", self.store, tables)
        self.shelf = Shelf(self.store)
        self.watch = Watch(self.hub, self.jobs, self.shelf)
        self.thinking = Thinking(tables)
        self.catalogue = Catalogue(tables)
        self.games = LabGames(self.home / "games", self.hub, self.thinking, self.catalogue)
        self.analyses = Analyses(self)

    async def open(self) -> None:
        """Start the work of the lab; called in the server's event loop."""
        self.games.folder.mkdir(parents=True, exist_ok=True)
        self.jobs.open()
        self.watch.open()

    async def close(self) -> None:
        """End the work of the lab and save what is unsaved."""
        await self.watch.close()
        await self.jobs.close()
        await self.games.close()
        await self.analyses.close()
        self.thinking.close()


def lab_of(request: Request) -> Lab:
    """The lab that a request was made to; a dependency of endpoints."""
    lab: Lab = request.app.state.lab
    return lab
