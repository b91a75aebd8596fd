"""Game records: what is written is read back, and what is wrong is refused with its line."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.core.errors import LudometerError, NotationError
from ludometer.core.outcome import LOSS, WIN
from ludometer.core.record import LINE_WIDTH, Record, parse_record, parse_records, read_records
from ludometer.games import game

GOOD = """\
[Game "quixo:3"]
[First "a"]
[Second "b"]
[Result "*"]

1. A1>right A2>top 2. B1>left *
"""


def random_game(spec, choices, start="start"):
    """The record of a game in which the legal moves are picked by these numbers."""
    position = game(spec).position(start)
    moves = []
    for choice in choices:
        if position.is_over:
            break
        move = position.legal[choice % len(position.legal)]
        moves.append(position.move_text(move))
        position = position.play(move)
    return moves, position


texts = st.text(max_size=12)
comments = st.text(alphabet=st.characters(blacklist_characters="}", blacklist_categories=("Cs",)), max_size=120)


@settings(max_examples=60, deadline=None)
@given(
    spec=st.sampled_from(["quixo:3", "quixo:5", "dots:2x2", "ultimate"]),
    choices=st.lists(st.integers(0, 10_000), max_size=40),
    first=texts,
    second=texts,
    seed=st.none() | st.integers(),
    tags=st.dictionaries(st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}x", fullmatch=True), texts, max_size=3),
    notes=st.dictionaries(st.integers(0, 40), comments, max_size=3),
    reason=st.sampled_from(["resignation", "time", 'odd "reason"\n\\']),
)
def test_what_is_written_is_read_back(spec, choices, first, second, seed, tags, notes, reason):
    moves, final = random_game(spec, choices)
    record = Record(
        game=game(spec),
        moves=tuple(moves),
        result=final.result or "0-1",
        first=first,
        second=second,
        seed=seed,
        ended=None if final.is_over else reason,
        tags=tags,
        comments={place: note for place, note in notes.items() if place <= len(moves)},
    )
    text = str(record)
    assert parse_record(text) == record
    assert str(parse_record(text)) == text
    assert parse_record(text).final == final
    assert parse_records(text + "\n" + text) == [record, record]
    record.check()


@settings(max_examples=40, deadline=None)
@given(choices=st.lists(st.integers(0, 50), max_size=6), data=st.data())
def test_a_damaged_record_is_refused_in_one_line_or_is_still_a_record(choices, data):
    moves, final = random_game("quixo:3", choices)
    text = str(Record(game("quixo:3"), tuple(moves), final.result or "*"))
    place = data.draw(st.integers(0, len(text)))
    damaged = text[:place] + data.draw(st.text(max_size=3)) + text[place + data.draw(st.integers(0, 3)) :]
    try:
        for record in parse_records(damaged):
            record.check()
    except NotationError as error:
        assert "\n" not in str(error) and len(str(error)) < 400


def test_lines_are_wrapped_and_numbered_by_rounds():
    moves, final = random_game("quixo:5", range(3, 60))
    text = str(Record(game("quixo:5"), tuple(moves), final.result or "*"))
    lines = text.split("\n\n")[1].strip().split("\n")
    assert len(lines) > 2 and max(map(len, lines)) <= LINE_WIDTH
    assert lines[0].startswith(f"1. {moves[0]} {moves[1]} 2. {moves[2]}")


@pytest.mark.parametrize(("letters", "first_line"), [(LINE_WIDTH - 3, LINE_WIDTH), (LINE_WIDTH - 2, 41)])
def test_a_line_is_as_wide_as_allowed_and_no_wider(letters, first_line):
    """Two words that fill a line exactly stay together; with one letter more the second goes to the next line."""
    record = Record(game("quixo:3"), (), "*", comments={0: f"{'a' * 40} {'b' * (letters - 40)}"})
    written = str(record).split("\n\n")[1].strip().split("\n")
    assert len(written) == 2 and len(written[0]) == first_line
    assert parse_record(str(record)) == record


@pytest.mark.parametrize(
    ("result", "ended", "verdict"),
    [
        ("1-0", "resignation", "1-0: x wins (resignation)"),
        ("0-1", "time", "0-1: o wins (time)"),
        ("1/2-1/2", "ply limit", "1/2-1/2: a draw (ply limit)"),
        ("*", None, "*: no result"),
    ],
)
def test_the_verdict_names_the_winner_and_the_reason(result, ended, verdict):
    assert Record(game("quixo:3"), ("A1>right",), result, ended=ended).verdict == verdict


def test_a_player_who_moves_again_gets_no_new_number():
    moves = ("A1-B1", "A1-A2", "B1-B2", "A2-B2")
    record = Record(game("dots:1x1"), moves, game("dots:1x1").start().play(moves[0]).play(moves[1]).play(moves[2]).play(moves[3]).result)
    assert "1. A1-B1 A1-A2 2. B1-B2 A2-B2 0-1" in str(record)
    assert record.outcome == LOSS
    longer = Record(game("dots:1x2"), ("A1-B1", "A1-A2", "B1-B2", "A2-B2", "B1-C1", "C1-C2", "B2-C2"), "1/2-1/2")
    assert "1. A1-B1 A1-A2 2. B1-B2 A2-B2 B1-C1 3. C1-C2 B2-C2" in str(longer)


def test_a_game_that_the_second_player_begins():
    start = "X../.../... o"
    record = Record(game("quixo:3"), ("C1>left", "C3>top"), "*", start=start)
    assert '[Start "X../.../... o"]' in str(record) and "1... C1>left 2. C3>top *" in str(record)
    assert parse_record(str(record)) == record


def test_the_outcome_is_the_first_players():
    start = game("quixo:3").position("XX./.../OO. x")
    move = next(move for move, after in start.children() if after.is_over and after.result == "1-0")
    assert Record(game("quixo:3"), (move,), "1-0", start=str(start)).outcome == WIN
    assert Record(game("quixo:3"), (), "0-1", ended="resignation").outcome == LOSS
    assert Record(game("quixo:3"), (), "*").outcome is None


def test_comments_stay_at_their_place():
    record = parse_record(GOOD.replace("A2>top", "{good\n  move} {or not} A2>top {!}"))
    assert record.comments == {1: "good move or not", 2: "!"}
    assert parse_record(str(record)) == record
    with pytest.raises(LudometerError):
        Record(game("quixo:3"), (), "*", comments={0: "}"})


def test_a_further_tag_must_have_a_name_of_its_own():
    for name in ("Game", "two words", "", 'a"]'):
        with pytest.raises(LudometerError):
            Record(game("quixo:3"), (), "*", tags={name: "x"})


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('[Game "quixo:3"]\n', "", 5, '[Game "…"]'),
        ("quixo:3", "quixo:99", 1, "number from 2 to 6"),
        ('[First "a"]', '[First "a]', 2, "a tag on a line of its own"),
        ('[First "a"]', '[First "a"] x', 2, "a tag on a line of its own"),
        ('[Second "b"]', '[Second "b"]\n[Second "c"]', 4, "is given twice"),
        ('[Second "b"]', '[Second "b"]\n[Seed "many"]', 4, "whole number"),
        ('[Second "b"]', '[Second "b"]\n[Start "XXX"]', 4, "'/'"),
        ('[Result "*"]', '[Result "1-0"]', 6, "expected a move or the result 1-0, found '*'"),
        ("2. B1>left", "3. B1>left", 6, "expected 2."),
        ("2. B1>left", "B1>left", 6, "expected 2."),
        ("A2>top", "2. A2>top", 6, "expected a move"),
        ("1. A1", "1. 1. A1", 6, "expected a move"),
        ("A2>top", "A2>up", 6, "top, bottom, left or right"),
        ("A2>top", "C1>left", 6, "not allowed here"),
        ("A2>top", "{A2>top", 6, "'}'"),
        ("A2>top", '"A2>top', 6, "in quotes"),
        ("B1>left *", "B1>left", 7, "a move or the result *"),
        ("B1>left *", "B1>left 1-0", 6, "expected a move or the result *, found '1-0'"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old, new, line, words):
    assert parse_record(GOOD)
    with pytest.raises(NotationError) as caught:
        parse_record(GOOD.replace(old, new))
    assert str(caught.value).startswith(f"record, line {line}: ")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("result", "ended", "words"),
    [
        ("1-0", None, "expected the result * or a tag Ended"),
        ("7-0", "time", "since the game is not over"),
        ("1-0", "ply limit", "expected the result 1/2-1/2"),
    ],
)
def test_a_result_that_does_not_follow_is_refused(result, ended, words):
    record = Record(game("quixo:3"), (), result, ended=ended)
    with pytest.raises(LudometerError, match=words.replace("*", r"\*")):
        record.check()
    with pytest.raises(NotationError, match=words.replace("*", r"\*")):
        parse_record(str(record))


def test_a_finished_game_has_its_own_result_only():
    start = "XXX/.../OO. o"
    with pytest.raises(LudometerError, match="expected the result 1-0, to which the moves lead"):
        Record(game("quixo:3"), (), "0-1", start=start).check()
    with pytest.raises(LudometerError, match="expected no tag Ended"):
        Record(game("quixo:3"), (), "1-0", start=start, ended="time").check()
    Record(game("quixo:3"), (), "1-0", start=start).check()


def test_files(tmp_path):
    record = parse_record(GOOD)
    record.save(tmp_path / "game.txt")
    assert read_records(tmp_path / "game.txt") == [record]
    assert [file.name for file in tmp_path.iterdir()] == ["game.txt"]
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\x00")
    for wrong in ("bad.txt", "none.txt", "", "x" * 5000, "\0"):
        with pytest.raises(LudometerError, match="cannot read"):
            read_records(tmp_path / wrong)
    for wrong in (tmp_path, tmp_path / "no" / "folder", tmp_path / ("x" * 5000), tmp_path / "\0"):
        with pytest.raises(LudometerError, match="cannot write"):
            record.save(wrong)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bad.txt", "game.txt"]


def test_an_empty_text_holds_no_game():
    assert parse_records(" \n\n") == []
    with pytest.raises(NotationError, match="expected one game, found 0"):
        parse_record("")


def test_a_game_of_the_users_own_is_found_by_a_function_of_his():
    text = GOOD.replace("quixo:3", "my-game")
    with pytest.raises(NotationError, match="record, line 1: no game is called 'my-game'"):
        parse_record(text)
    assert parse_record(text, find_game=lambda spec: game("quixo:3")).moves == parse_record(GOOD).moves


def test_records_in_a_notebook():
    record = parse_record(GOOD)
    assert repr(record) == "<record of quixo:3: a against b, * after 3 moves>"
    ended = Record(game("quixo:3"), ("A1>right",), "0-1", "<a>", "b", ended="resignation")
    assert repr(ended) == "<record of quixo:3: <a> against b, 0-1 (resignation) after 1 move>"
    shown = ended._repr_html_()
    assert "<svg" in shown and "&lt;a&gt; (x) against b (o)" in shown and "0-1: o wins (resignation)" in shown and "A1&gt;right" in shown


def test_a_record_as_a_table():
    pytest.importorskip("pandas")
    record = Record(game("quixo:3"), ("A1>right", "A2>top"), "*", comments={1: "well"})
    rows = record.to_frame().to_dict("records")
    assert rows == [
        {"ply": 1, "player": "x", "move": "A1>right", "position": str(record.positions[1]), "comment": ""},
        {"ply": 2, "player": "o", "move": "A2>top", "position": str(record.positions[2]), "comment": "well"},
    ]


def test_moves_spelled_like_results(tmp_path):
    """A game whose moves are called 1-0, 0-1, 1/2-1/2 and *: records quote them, and tell them from the result."""
    plain = (Path(__file__).parents[1] / "arena" / "plain_tictactoe.py").read_text()
    file = tmp_path / "results.py"
    file.write_text(
        plain.replace('"Plain Tic-Tac-Toe", syntax="plain_tictactoe.py"', '"Results", syntax="results.py"')
        + '\n\nNAMES = ("1-0", "0-1", "1/2-1/2", "*", "a", "b", "c", "d", "e")\n'
        + "\n\ndef format_move(rules, state, move):\n    return NAMES[move]\n"
    )
    found = game(str(file))
    for moves, result, ended in (
        (("1-0", "a", "0-1", "b", "1/2-1/2"), "1-0", None),
        (("a", "1-0", "b", "0-1", "d", "1/2-1/2"), "0-1", None),
        (("*", "1-0", "1/2-1/2"), "*", "left"),
        (("a", "b", "1-0"), "1-0", "resignation"),
        (("a", "0-1"), "1/2-1/2", "agreement"),
    ):
        record = Record(found, moves, result, first="x", second="y", ended=ended)
        text = str(record)
        for move in moves:
            assert (f'"{move}"' in text.split("\n\n")[1]) == (move not in "abcde")
        again = parse_record(text)
        assert again == record and again.moves == moves and again.result == result
    file = tmp_path / "kept.txt"
    record.save(file)
    assert read_records(file) == [record]


def test_moves_are_numbered_by_rounds() -> None:
    """A round begins when the first player is to move after the second: moves that he makes running have one number."""
    moves = ("A1-B1", "B1-C1", "A1-A2", "A2-B2", "B1-B2", "B2-C2", "C1-C2")  # B1-B2 closes a box
    text = str(Record(game=game("dots:1x2"), moves=moves, result="1/2-1/2"))
    assert text.splitlines()[-1] == "1. A1-B1 B1-C1 2. A1-A2 A2-B2 3. B1-B2 B2-C2 C1-C2 1/2-1/2"
    assert parse_record(text).moves == moves
