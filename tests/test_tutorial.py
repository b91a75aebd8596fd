"""The documents are true: their code is the code that runs, their examples can be typed, their links lead somewhere."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ludometer.agents import agent
from ludometer.arena.play.playing import play_game
from ludometer.arena.play.session import Session
from ludometer.checks.game_contract import check_game, check_garbage
from ludometer.cli import main
from ludometer.core.agent import Decision
from ludometer.core.outcome import DRAW, LOSS, WIN
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.core.record import parse_record
from ludometer.core.stopping import Stop
from ludometer.games import game, kinds
from ludometer.solvers.perft import perft

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
EXAMPLE = ROOT / "examples" / "connect_three.py"


def blocks(document: str) -> list[tuple[str, str]]:
    """(word after the fence, content) of each fenced block of a document."""
    return re.findall(r"^```(\S+)\n(.*?)^```$", (DOCS / document).read_text(), re.MULTILINE | re.DOTALL)


def test_the_tutorial_shows_the_example_as_it_is() -> None:
    """Its pieces, in order and with nothing between them but empty lines, are the file."""
    pieces = [content for _, content in blocks("adding-a-game.md")]
    shown = "\n".join(pieces[:-1])  # the last block is what may be added

    def without_empty_lines(text: str) -> list[str]:
        return [line for line in text.splitlines() if line.strip()]

    assert without_empty_lines(shown) == without_empty_lines(EXAMPLE.read_text())


def test_the_further_examples_are_shown_as_they_are() -> None:
    """Each piece stands in the file that is named with it."""
    pieces = re.findall(r"^```text (\S+)\n(.*?)^```$", (DOCS / "adding-a-game.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(pieces) >= 8
    for file, piece in pieces:
        assert piece in (ROOT / file).read_text(), f"{file} has no {piece!r}"


def test_the_example_is_as_short_as_it_claims() -> None:
    lines = len(EXAMPLE.read_text().splitlines())
    assert lines < 80
    for document in ("adding-a-game.md", "README.md"):
        assert f"{lines} lines" in (DOCS / document).read_text()


def test_the_example_keeps_the_contract() -> None:
    subject = game(str(EXAMPLE))
    check_game(subject)
    check_garbage(subject, count=2_000)


def test_the_optional_part_keeps_the_contract(tmp_path: Path) -> None:
    file = tmp_path / "mirrored.py"
    text = EXAMPLE.read_text() + "\n\n" + blocks("adding-a-game.md")[-1][1]
    file.write_text(text.replace("ConnectThree", "Mirrored"))
    subject = game(str(file))
    assert subject.start().symmetry_count == 2
    assert subject.start().play("A").transformed(1) == subject.start().play("C")
    check_game(subject)


def naive_wins(columns: list[str], player: str) -> bool:
    """Connect Three written again from its rules: columns are strings of stones, the lowest first."""
    cells = [[column[height : height + 1] for column in columns] for height in range(3)]
    lines = [*cells, *zip(*cells), [cells[i][i] for i in range(3)], [cells[i][2 - i] for i in range(3)]]
    return any(all(cell == player for cell in line) for line in lines)


def naive_perft(columns: list[str], player: str, depth: int) -> int:
    if depth == 0:
        return 1
    other = "o" if player == "x" else "x"
    if naive_wins(columns, other):
        return 0
    total = 0
    for place, column in enumerate(columns):
        if len(column) < 3:
            total += naive_perft([*columns[:place], column + player, *columns[place + 1 :]], other, depth - 1)
    return total


def test_the_example_follows_its_rules() -> None:
    start = game(str(EXAMPLE)).start()
    assert [perft(start, depth) for depth in range(11)] == [naive_perft(["", "", ""], "x", depth) for depth in range(11)]


def value(position: Position, known: dict[Position, int]) -> int:
    if position.is_over:
        return position.outcome
    if position not in known:
        known[position] = max(-value(after, known) for _, after in position.children())
    return known[position]


def test_the_example_can_be_solved() -> None:
    """Nothing but the position's own methods: enough for a game of this size."""
    known: dict[Position, int] = {}
    assert value(game(str(EXAMPLE)).start(), known) == DRAW
    assert set(known.values()) == {WIN, DRAW, LOSS}


def test_the_commands_of_the_tutorial(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    assert main(["show", str(EXAMPLE), ".../.O./.XX o", "--svg", str(picture), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["moves"] == ["A", "B", "C"]
    assert picture.read_text().startswith("<svg")
    assert main(["perft", str(EXAMPLE), "9", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] == naive_perft(["", "", ""], "x", 9)
    assert main(["play", str(EXAMPLE), "--first", "random", "--second", "random", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["result"] in ("1-0", "1/2-1/2", "0-1")


def test_every_notation_in_the_document_can_be_typed() -> None:
    specs = set()
    for spec, content in blocks("notation.md"):
        if spec == "record":
            assert str(parse_record(content)).split() == content.split()
            continue
        specs.add(game(spec).kind.name)
        position = game(spec).start()
        for line in content.splitlines():
            what, text = line.split(maxsplit=1)
            if what == "position":
                position = game(spec).position(text)
                assert str(position) == text
            else:
                assert what == "move"
                assert position.play(text) != position
    assert specs == set(kinds()), "every kind's notation is described"


@pytest.mark.parametrize("name", kinds())
def test_the_help_lines_can_be_typed(name: str) -> None:
    """The example at the end of a kind's one-line help is one of its positions."""
    kind = kinds()[name]
    text = kind.position_help.split(":", 1)[1] if name != "matrix" else kind.position_help
    candidates = [candidate.strip() for candidate in re.split(r": |; |\(|\)", text)]
    specs = [*kind.listed, "dots:1x1", "dots:1x2", "dots:2x1"]
    assert any(readable(spec, candidate) for spec in specs if game(spec).kind is kind for candidate in candidates if candidate)


def readable(spec: str, text: str) -> bool:
    from ludometer.core.errors import LudometerError

    try:
        game(spec).position(text)
    except LudometerError:
        return False
    return True


def test_the_plain_agent_of_the_document_plays(tmp_path: Path) -> None:
    file = tmp_path / "my_agent.py"
    file.write_text(blocks("adding-an-agent.md")[0][1])
    subject = game("tictactoe")
    position = subject.position("XX./OO./... x")
    decision = agent(f"{file}:5", subject).choose(position, stream(1))
    assert isinstance(decision, Decision) and position.move_text(decision.move) == "C1"
    assert play_game(subject, str(file), "random", seed=1).moves == play_game(subject, str(file), "random", seed=1).moves


def test_the_agents_of_the_document_play() -> None:
    _, (_, code), (_, remembering) = blocks("adding-an-agent.md")
    module = ModuleType("ludometer.agents.greedy")
    sys.modules[module.__name__] = module
    try:
        exec(compile(code, "greedy", "exec"), vars(module))
        subject = game("tictactoe")
        player = module.AGENT.agent(subject, "50")
        assert player.tries == 50 and str(player) == "greedy:50" and str(module.AGENT.agent(subject, "tries=100")) == "greedy"
        position = subject.position("XX./OO./... x")
        assert position.move_text(player.choose(position, stream(1)).move) == "C1"
        assert player.choose(subject.start(), stream(1)).move in subject.start().legal
        boxes = game("dots:1x1").position("-/|_|/. b")
        assert module.AGENT.agent(boxes.game).choose(boxes, stream(1)).report == {"won": True}
        stop = Stop()
        stop.ask()
        assert player.choose(position, stream(1), stop).report == {}
    finally:
        del sys.modules[module.__name__]
    exec(compile(remembering, "copying", "exec"), names := {})
    copying = names["CopyingAgent"](game("quixo:3"), "copying")
    record = play_game("quixo:3", "random", copying, seed=2, ply_limit=2)
    assert record.moves[1] == record.moves[0] or record.moves[0] not in record.positions[1].moves()
    assert len(record.moves) == 2 and str(agent("random", subject)) == "random"


def test_the_lines_on_playing_run() -> None:
    """One after the other, as they stand."""
    names: dict[str, object] = {}
    for _, code in blocks("playing.md"):
        exec(compile(code, "playing", "exec"), names)
        if "session" in names and "resign" in code:
            session = names["session"]
            assert isinstance(session, Session) and (session.result, session.ended) == ("1-0", "resignation")
    assert isinstance(names["session"], Session) and names["session"].ply == 2


@pytest.mark.parametrize("document", sorted(path.name for path in DOCS.glob("*.md")))
def test_links_and_paths_exist(document: str) -> None:
    text = (DOCS / document).read_text()
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("http") or (DOCS / target).exists(), f"{document}: {target}"
    for path in re.findall(r"`((?:ludometer|tests|examples|docs|core|games|view|agents)/[\w/.-]+)`", text):
        if any(word in path for word in ("NAME", "connect3", "greedy")):
            continue
        assert (ROOT / path).exists() or (ROOT / "ludometer" / path).exists(), f"{document}: {path}"
