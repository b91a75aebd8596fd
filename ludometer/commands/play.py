"""`ludometer play`: one game."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated

import typer

from ludometer.commands.output import GameSpec, Json, ending_on_interrupt, find_game, print_board, print_json, say

if TYPE_CHECKING:
    from ludometer.arena.playing import OnMove
    from ludometer.core.agent import Agent, Decision
    from ludometer.core.position import Position


def play(
    game: GameSpec,
    first: Annotated[str, typer.Option(metavar="AGENT", help="who moves first")] = "human",
    second: Annotated[str, typer.Option(metavar="AGENT", help="who moves second")] = "random",
    seed: Annotated[int, typer.Option(metavar="N", help="decides all chance")] = 0,
    start: Annotated[str, typer.Option(metavar="POSITION", help="where the game begins")] = "start",
    limit: Annotated[int | None, typer.Option(metavar="N", help="moves after which the game is drawn", min=0)] = None,
    record: Annotated[str | None, typer.Option(metavar="FILE", help="write the game's record into this file")] = None,
    svg: Annotated[str | None, typer.Option(metavar="FILE", help="draw the last position into this file")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="print the record only")] = False,
    json: Json = False,
) -> None:
    """Play one game; the agent `human` asks on the terminal."""
    chosen = find_game(game)
    from ludometer.agents import agent as find_agent
    from ludometer.arena.playing import play_game
    from ludometer.core.files import check_outputs, write_text

    players = find_agent(first, chosen), find_agent(second, chosen)
    begin = chosen.position(start)
    check_outputs(record, svg)
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


def _printer(players: tuple[Agent, Agent]) -> OnMove:
    """Prints each move, and the board unless someone else is about to: the person who moves next, or the end."""
    from ludometer.agents.human import HumanAgent

    def on_move(before: Position, decision: Decision, after: Position) -> None:
        if not before.game.kind.simultaneous:
            print(f"\n{before.turn} plays {before.move_text(decision.move)}")
        if not after.is_over and not isinstance(players[after.player], HumanAgent):
            print_board(after)

    return on_move
