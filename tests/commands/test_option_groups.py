"""Dataclasses of options are options of their own on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from ludometer.commands.option_groups import with_option_groups


@dataclass(frozen=True)
class Size:
    rows: Annotated[int, typer.Option(help="number of rows", min=1)] = 3
    columns: int = 4


@with_option_groups
def command(name: str, size: Size, loud: Annotated[bool, typer.Option("--loud")] = False) -> None:
    """Show a size."""
    print(name, size, loud)


def test_groups_are_filled_in() -> None:
    app = typer.Typer()
    app.command()(command)
    run = CliRunner().invoke
    assert run(app, ["a"]).output == "a Size(rows=3, columns=4) False\n"
    assert run(app, ["a", "--rows", "7", "--loud"]).output == "a Size(rows=7, columns=4) True\n"
    assert run(app, ["a", "--rows", "0"]).exit_code == 2
    shown = run(app, ["--help"]).output
    assert "Show a size." in shown and "number of rows" in shown and "--columns" in shown and "--size" not in shown


def test_two_options_of_one_name_are_a_mistake() -> None:
    def twice(rows: int, size: Size) -> None: ...

    with pytest.raises(AssertionError, match="two options are called rows"):
        with_option_groups(twice)
