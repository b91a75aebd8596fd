"""`ludometer serve`: the lab in the browser."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from ludometer.commands.output import say
from ludometer.core.errors import LudometerError

_NEEDED = ("fastapi", "jinja2", "uvicorn", "websockets")


def serve(
    port: Annotated[int, typer.Option(metavar="N", help="where it listens; 0: any free port", min=0, max=65535)] = 8080,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="which address it listens at; any but 127.0.0.1 lets others in")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="a further name by which browsers may call it; may be repeated")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="do not open a browser")] = False,
    tables: Annotated[str, typer.Option(metavar="DIR", help="folder with solved tables; default: the user's")] = "",
    store: Annotated[str, typer.Option(metavar="FILE", help="the file of experiments; default: the user's")] = "",
) -> None:
    """Open the lab in the browser: play, analyse, watch, measure; a JSON API beside it."""
    missing = [package for package in _NEEDED if importlib.util.find_spec(package) is None]
    if missing:
        raise LudometerError(f"the web lab needs {', '.join(missing)}; install it with: pip install 'ludometer[web]'")
    from ludometer.web.lab import Lab
    from ludometer.web.server import LOOPBACK
    from ludometer.web.server import serve as run

    if host not in LOOPBACK:
        say(f"warning: at {host} everybody who reaches this machine can use the lab; it has no passwords")
    lab = Lab(tables=Path(tables).expanduser() if tables else None, store=Path(store).expanduser() if store else None)
    run(lab, host, port, name or (), not no_browser, lambda address: print(f"the lab is at {address} (Ctrl-C ends it)", flush=True))
