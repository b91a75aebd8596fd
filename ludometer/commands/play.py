"""`ludometer play`: one game."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated

import typer

from ludometer.commands.output import GameSpec, Json, ending_on_interrupt, find_game, print_board, print_json, say

if TYPE_CHECKING:
    from ludometer.arena.play.playing import OnMove
    from ludometer.core.agent import Agent, Decision
    from ludometer.core.position import Position
    from ludometer.core.record import Record


def play(
    game: GameSpec,
    first: Annotated[str, typer.Option(metavar="AGENT", help="who moves first")] = "human",
    second: Annotated[str, typer.Option(metavar="AGENT", help="who moves second")] = "random",
    seed: Annotated[int, typer.Option(metavar="N", help="decides all chance")] = 0,
    start: Annotated[str, typer.Option(metavar="POSITION", help="where the game begins")] = "start",
    limit: Annotated[int | None, typer.Option(metavar="N", help="moves after which the game is drawn", min=0)] = None,
    record: Annotated[str | None, typer.Option(metavar="FILE", help="write the game's record into this file")] = None,
    svg: Annotated[str | None, typer.Option(metavar="FILE", help="draw the last position into this file")] = None,
    trees: Annotated[str | None, typer.Option(metavar="FOLDER", help="draw the search tree of every turn into this folder")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="print the record only")] = False,
    json: Json = False,
) -> None:
    """Play one game; the agent `human` asks on the terminal."""
    chosen = find_game(game)
    from ludometer.agents import agent as find_agent
    from ludometer.arena.play.playing import play_game
    from ludometer.core.files import check_outputs, write_text

    players = find_agent(first, chosen), find_agent(second, chosen)
    begin = chosen.position(start)
    check_outputs(record, svg)
    if trees is not None:
        _check_trees(players)
    silent = quiet or json
    if not silent:
        print(f"{chosen.spec}: {players[0]} ({chosen.kind.players[0]}) against {players[1]} ({chosen.kind.players[1]})", flush=True)
    # A person's board and prompts must not end up between what is printed for programs.
    with redirect_stdout(sys.stderr if silent else sys.stdout), ending_on_interrupt():
        game_record = play_game(chosen, *players, seed, begin, limit, None if silent else _printer(players))
    if record is not None:
        game_record.save(record)
    if svg is not None:
        write_text(svg, game_record.final.svg())
    if trees is not None:
        _draw_trees(game_record, players, trees)
    if json:
        print_json(game_record.document())
        return
    if not silent:
        print()
        print_board(game_record.final)
        print(f"\n{game_record.verdict}\n")
    print(game_record, end="")
    for file in (record, svg):
        if file is not None:
            say(f"written to {file}")


def _check_trees(players: tuple[Agent, Agent]) -> None:
    """Raise SpecError if neither player has a search tree."""
    from ludometer.arena.play.game_trees import searches
    from ludometer.core.errors import SpecError

    if not searches(*players):
        raise SpecError(f"neither {players[0]} nor {players[1]} searches depth first, so there are no trees to show; try alphabeta:2")


def _draw_trees(game_record: Record, players: tuple[Agent, Agent], folder: str) -> None:
    """Draw turn-001.png and so on; trees that are too large are named and left out."""
    from pathlib import Path

    from ludometer.arena.play.game_trees import game_trees
    from ludometer.core.errors import LudometerError
    from ludometer.core.files import reason
    from ludometer.view.search_trees import MOST_DRAWN, draw_tree

    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudometerError(f"the folder {folder} cannot be made: {reason(error)}") from error
    drawn = 0
    for turn, tree in game_trees(game_record, *players):
        if len(tree.parents) > MOST_DRAWN:
            say(f"turn {turn}: a tree of {len(tree.parents):,} branches is not drawn; {MOST_DRAWN:,} can be")
            continue
        draw_tree(tree, Path(folder) / f"turn-{turn:03}.png")
        drawn += 1
    say(f"{drawn} trees drawn in {folder}")


def _printer(players: tuple[Agent, Agent]) -> OnMove:
    """Print each move, and the board unless the human player's prompt or the end of the game shows it."""
    from ludometer.agents.human import HumanAgent

    def on_move(before: Position, decision: Decision, after: Position) -> None:
        if not before.game.kind.simultaneous:
            print(f"\n{before.turn} plays {before.move_text(decision.move)}")
        if not after.is_over and not isinstance(players[after.player], HumanAgent):
            print_board(after)

    return on_move
