"""Matrix games: exact payoffs, names, the .nfg format, and input nobody should have written."""

from __future__ import annotations

import pickle
import random
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ludometer.core.errors import IllegalMoveError, LudometerError, NotationError, SpecError
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, LOSS, ONGOING, WIN
from ludometer.games import game
from ludometer.games.matrix import GAME
from ludometer.games.matrix.bimatrix import Bimatrix, action_names, format_payoff, matrix_game, parse_payoff, parse_table
from ludometer.games.matrix.named import NAMED, read_game
from ludometer.games.matrix.nfg import parse_nfg
from ludometer.games.matrix.rules import bimatrix_of, make_rules
from ludometer.solvers.perft import perft
from ludometer.view.boards.terminal import position_text
from tests.naive.matrix import BENCHMARKS, NaiveMatrix

PERFT = {"dispersion": [2, 4, 0], "sexes": [2, 4, 0], "prisoners": [2, 4, 0], "brps": [3, 9, 0], "1,0 2,0 3,0; 4,0 5,0 6,0": [2, 6, 0]}

# Rows a, b, c against columns x, y; the first player's action runs fastest.
PAYOFF_VERSION = """NFG 1 R "Three by two" { "Rosa" "Carl" } { { "a" "b" "c" } { "x" "y" } }
"a comment, \\"quoted\\" and
on two lines"

1 -1  2/3 0.25  3 .5
-4 1e1  5. 0  -6/4 7
"""
THREE_BY_TWO = [[(1, -1), (-4, 10)], [(Fraction(2, 3), Fraction(1, 4)), (5, 0)], [(3, Fraction(1, 2)), (Fraction(-3, 2), 7)]]

OUTCOME_VERSION = """NFG 1 R "Outcomes" { "P1" "P2" }
{ { "U" "D" }
{ "L" "R" }
}
""

{
{ "both" 3, 2 }
{ "" 1/3 -0.5 }
}
1 0 2 1
"""


def cells(table: Bimatrix) -> list[list[tuple[Fraction, Fraction]]]:
    return [list(zip(row, column)) for row, column in zip(table.row_payoffs, table.column_payoffs)]


def game_from(tmp_path: Path, text: str) -> Game:
    file = tmp_path / "game.nfg"
    file.write_text(text)
    return game(f"matrix:{file}")


@pytest.mark.parametrize("name", BENCHMARKS)
def test_benchmarks_are_the_study_s_exactly(name: str) -> None:
    rules = game(f"matrix:{name}").rules
    table = bimatrix_of(rules)
    given = {
        (row, column): (table.row_payoffs[i][j], table.column_payoffs[i][j])
        for i, row in enumerate(table.row_labels)
        for j, column in enumerate(table.column_labels)
    }
    assert given == BENCHMARKS[name]
    for i in range(rules.rows):
        for j in range(rules.columns):
            assert Fraction(int(rules.row_payoffs[i, j]), rules.denominator) == table.row_payoffs[i][j]
            assert Fraction(int(rules.column_payoffs[i, j]), rules.denominator) == table.column_payoffs[i][j]


@pytest.mark.parametrize("name", BENCHMARKS)
def test_same_as_slow_twin(name: str) -> None:
    start = game(f"matrix:{name}").start()
    for row in NaiveMatrix(BENCHMARKS[name]).moves():
        for column in NaiveMatrix(BENCHMARKS[name]).moves():
            position, naive = start, NaiveMatrix(BENCHMARKS[name])
            for player, action in enumerate((row, column)):
                assert (position.moves(), position.outcome, position.player) == (naive.moves(), ONGOING, player)
                assert str(position) == naive.text()
                assert position.game.position(naive.text()) == position
                position = position.play(action)
                naive.play(action)
            payoffs = naive.payoffs()
            assert payoffs is not None
            mine, theirs = payoffs
            assert (position.moves(), str(position), position.turn) == ([], naive.text(), "row")
            assert position.outcome == (WIN if mine > theirs else DRAW if mine == theirs else LOSS)
            assert position.result is not None
            assert tuple(Fraction(part) for part in position.result.split(",")) == payoffs


@pytest.mark.parametrize("text", PERFT)
def test_perft(text: str) -> None:
    start = game(f"matrix:{text}").start()
    assert [perft(start, depth) for depth in (1, 2, 3)] == PERFT[text]


def test_results_are_exact_and_short() -> None:
    assert game("matrix:prisoners").position("C D").result == "-4,0"
    assert game("matrix:brps").position("P S").result == "-0.05,0.05"
    assert game("matrix:1/3,-1/7 0,0").position("1 1").result == "1/3,-1/7"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-4", -4),
        ("+2", 2),
        ("0.25", Fraction(1, 4)),
        (".5", Fraction(1, 2)),
        ("5.", 5),
        ("-6/4", Fraction(-3, 2)),
        ("1e-2", Fraction(1, 100)),
    ],
)
def test_payoffs_are_read_exactly(text: str, value: Fraction) -> None:
    assert parse_payoff(text) == value


@pytest.mark.parametrize(
    "text", ["", "x", "1/0", "1//2", "1/-2", "--1", "1_0", "٣", "nan", "inf", "1e", "1e99", "1e-99", "0x10", "1" * 41, " 1"]
)
def test_other_numbers_are_refused(text: str) -> None:
    assert parse_payoff(text) is None


def test_payoffs_are_written_so_that_they_are_read_back() -> None:
    source = random.Random(5)
    for _ in range(500):
        payoff = Fraction(source.randint(-(10**6), 10**6), source.choice((1, 2, 3, 7, 10, 16, 250, 1024, 10**6, 2**40)))
        assert parse_payoff(format_payoff(payoff)) == payoff
    assert [format_payoff(Fraction(*pair)) for pair in ((-1, 20), (5, 1), (1, 3), (-7, 2), (1, 1000))] == [
        "-0.05",
        "5",
        "1/3",
        "-3.5",
        "0.001",
    ]


def test_typed_table_has_one_spelling() -> None:
    typed = game("matrix:3,2 0,0;0,0   2/2,.50")
    assert typed.spec == "matrix:3,2 0,0; 0,0 1,0.5"
    assert game(typed.spec) == typed and game(typed.spec).rules == typed.rules
    assert typed.start().moves() == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no game"),
        ("prisoner", "names no game"),
        ("1,2 3", "cell '3' in row 1 is not two payoffs"),
        ("1,2,3", "cell '1,2,3' in row 1 is not two payoffs"),
        ("1,2; 1,x", "cell '1,x' in row 2 is not two payoffs"),
        ("1,1/0", "is not two payoffs"),
        ("1,2; 1,2 3,4", "every row has as many cells; row 1 has 1, row 2 has 2"),
        ("1,2;", "row 1 has 1, row 2 has 0"),
        (";", "the payoff table is empty"),
        ("1,9223372036854775808", "has more than 63 bits"),
        ("1/9223372036854775807,1/2", "common denominator has more than 63 bits"),
        ("4611686018427387904,1/2", "over the common denominator 2 has more than 63 bits"),
        (" ".join(["1,1"] * 101), "the column player of a matrix game has from 1 to 100 actions, not 101"),
        ("; ".join(["1,1"] * 101), "the row player of a matrix game has from 1 to 100 actions, not 101"),
        ("/no/such/file.nfg", "there is no file"),
        ("/tmp.nfg", "there is no file"),
        ("a\0b.nfg", "there is no file"),
    ],
)
def test_bad_specs_are_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(LudometerError) as caught:
        game(f"matrix:{text}")
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_largest_payoffs_fit() -> None:
    rules = game("matrix:9223372036854775807,-9223372036854775807").rules
    assert int(rules.row_payoffs[0, 0]) == 2**63 - 1 and rules.row_payoffs.dtype == np.int64


def test_rules_are_complete_in_another_process() -> None:
    rules = game("matrix:brps").rules
    copy = pickle.loads(pickle.dumps(rules))
    assert copy == rules and hash(copy) == hash(rules) and bimatrix_of(copy) == bimatrix_of(rules)
    assert rules != game("matrix:sexes").rules


def test_rules_from_a_table_made_in_python() -> None:
    table = Bimatrix("Mine", ("up",), ("left", "right"), ((Fraction(1, 3), Fraction(2)),), ((Fraction(0), Fraction(1)),), ("Ann", "Bob"))
    assert bimatrix_of(make_rules(table)) == table
    with pytest.raises(LudometerError, match="1 rows of 2 payoffs"):
        Bimatrix("", ("up",), ("left", "right"), ((Fraction(1),),), ((Fraction(1),),))
    with pytest.raises(LudometerError, match="at most 60 characters"):
        Bimatrix("", ("u" * 61,), ("left",), ((Fraction(1),),), ((Fraction(1),),))


def test_payoff_version_of_nfg(tmp_path: Path) -> None:
    table = bimatrix_of(game_from(tmp_path, PAYOFF_VERSION).rules)
    assert cells(table) == THREE_BY_TWO
    assert (table.title, table.players) == ("Three by two", ("Rosa", "Carl"))
    assert (table.row_labels, table.column_labels) == (("a", "b", "c"), ("x", "y"))


def test_outcome_version_of_nfg() -> None:
    third = Fraction(1, 3)
    assert cells(parse_nfg(OUTCOME_VERSION)) == [[(3, 2), (third, Fraction(-1, 2))], [(0, 0), (3, 2)]]


@pytest.mark.parametrize(
    "text",
    [
        'NFG 1 D "" { "1" "2" } { 2 1 } 1 2 3 4',
        'NFG 1 R "" { "1" "2" } { 2 1 } "comment" 1, 2, 3, 4,',
        '\n\tNFG\n1\nR""{"1""2"}{2 1}1 2 3 4\n',
    ],
)
def test_nfg_may_be_laid_out_freely(text: str) -> None:
    assert cells(parse_nfg(text)) == [[(1, 2)], [(3, 4)]]


def test_file_with_byte_order_mark_and_other_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "dos.NFG"
    file.write_bytes(b"\xef\xbb\xbf" + PAYOFF_VERSION.replace("\n", "\r\n").encode())
    subject = game(f"matrix:{file}")
    assert subject.spec == f"matrix:{file}"
    assert cells(bimatrix_of(subject.rules)) == THREE_BY_TWO


def test_outcomes_of_nothing_pay_nothing() -> None:
    assert cells(parse_nfg('NFG 1 R "" { "a" "b" } { 1 2 } { } 0 0')) == [[(0, 0), (0, 0)]]


def test_escapes_and_control_characters_in_names() -> None:
    read = parse_nfg('NFG 1 R "say \\"hi\\" \\\\ \x1b[31m" { "a\nb" "c" } { { "\\"" } { "x" } } 1 2')
    assert (read.title, read.players, read.row_labels) == ('say "hi" \\  [31m', ("a b", "c"), ('"',))
    assert parse_nfg(read.to_nfg()) == read


@pytest.mark.parametrize("source", ["dispersion", "sexes", "prisoners", "brps", "1/3,-0.5 7,1e3; 0,0 1/9,2"])
def test_written_nfg_is_read_back(source: str) -> None:
    table = bimatrix_of(game(f"matrix:{source}").rules)
    assert parse_nfg(table.to_nfg()) == table


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the file ends where NFG"),
        ("EFG 2 R", "line 1: 'EFG' stands where NFG"),
        ("NFG 2 R", "line 1: '2' stands where 1, the version of the format, is expected"),
        ("NFG 1\nX", "line 2: 'X' stands where R (or D) is expected"),
        ("NFG 1 R title", "line 1: 'title' stands where the title in quotation marks is expected"),
        ('NFG 1 R "title', "line 1: this quotation mark is never closed"),
        ('NFG 1 R "" { "a" }', "line 1: a matrix game has exactly 2 players, not 1"),
        ('NFG 1 R "" { "a" "b" "c" } { 1 1 1 } 1 1 1', "line 1: a matrix game has exactly 2 players, not 3"),
        ('NFG 1 R "" { "a" "b"', "line 1: the file ends where } after the players is expected"),
        (
            'NFG 1 R "" { "a" "b" }\n{ 2 }',
            "line 2: '}' stands where the number of the second player's actions, a whole number from 1 to 100,",
        ),
        ('NFG 1 R "" { "a" "b" } { 2 2 2 }', "'2' stands where } after the actions of both players is expected"),
        ('NFG 1 R "" { "a" "b" } { 0 2 }', "'0' stands where the number of the first player's actions"),
        ('NFG 1 R "" { "a" "b" } { 101 2 }', "'101' stands where the number of the first player's actions"),
        ('NFG 1 R "" { "a" "b" } { 999999999999 2 }', "'999999999999' stands where"),
        ('NFG 1 R "" { "a" "b" } { -1 2 }', "'-1' stands where"),
        ('NFG 1 R "" { "a" "b" } { { } { "x" } }', "an action of the first player in quotation marks is expected"),
        ('NFG 1 R "" { "a" "b" } { { ' + '"x" ' * 101 + '} { "x" } }', "the first player has more than 100 actions"),
        ('NFG 1 R "" { "a" "b" } { { "' + "x" * 61 + '" } { "x" } }', "the name of an action has at most 60 characters"),
        ('NFG 1 R "" { "a" "b" } { 1 2 }\n1 2\n3', "line 3: the file ends where the second player's payoff for '1' against '2'"),
        ('NFG 1 R "" { "a" "b" } { 1 1 } 1 2 3', "line 1: '3' stands where the end of the file is expected"),
        ('NFG 1 R "" { "a" "b" } { 1 1 } 1 x', "'x' stands where the second player's payoff for '1' against '1', a number such as"),
        ('NFG 1 R "" { "a" "b" } { 1 1 } 1 1/0', "'1/0' stands where"),
        ('NFG 1 R "" { "a" "b" } { 1 1 } 1 1e999999999', "'1e999999999' stands where"),
        ('NFG 1 R "" { "a" "b" } { 1 1 } { { "o" 1 } } 1', "'}' stands where the outcome's payoff for the second player"),
        ('NFG 1 R "" { "a" "b" } { 1 1 } { { "o" 1 2 3 } } 1', "'3' stands where } after the two payoffs of an outcome"),
        ('NFG 1 R "" { "a" "b" } { 1 1 } { { 1 2 } } 1', "'1' stands where the name of an outcome in quotation marks"),
        (
            'NFG 1 R "" { "a" "b" } { 1 1 } { { "o" 1 2 } } 2',
            "'2' stands where the outcome of '1' against '1', a whole number from 0 to 1,",
        ),
        ('NFG 1 R "" { "a" "b" } { 1 1 } { { "o" 1 2 }', "the file ends where } after the outcomes is expected"),
    ],
)
def test_bad_nfg_says_which_line_and_what_is_expected(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(NotationError) as caught:
        game_from(tmp_path, text)
    assert message in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.exhaustive
def test_hostile_files(tmp_path: Path) -> None:
    source = random.Random(11)
    good = PAYOFF_VERSION.encode(), OUTCOME_VERSION.encode()
    file = tmp_path / "hostile.nfg"
    read = 0
    for _ in range(1500):
        content = bytearray(source.choice(good))
        for _ in range(source.randrange(1, 5)):
            at = source.randrange(len(content))
            content[at : at + source.randrange(3)] = bytes(
                source.choice(b'{}",\\ 0123456789/.e-\n\x00\xff') for _ in range(source.randrange(3))
            )
        file.write_bytes(content)
        try:
            table = bimatrix_of(game(f"matrix:{file}").rules)
        except LudometerError as error:
            assert len(str(error).splitlines()) == 1
            continue
        read += 1
        assert parse_nfg(table.to_nfg()) == table
    assert 100 < read < 1400


def test_files_too_large_or_not_text(tmp_path: Path) -> None:
    file = tmp_path / "large.nfg"
    file.write_bytes(b" " * 4_000_001)
    with pytest.raises(SpecError, match="larger than 4 MB"):
        game(f"matrix:{file}")
    file.write_bytes(b'NFG 1 R "\n\xff"')
    with pytest.raises(NotationError, match="line 2: byte 0xff is not UTF-8"):
        game(f"matrix:{file}")
    folder = tmp_path / "folder.nfg"
    folder.mkdir()
    with pytest.raises(SpecError, match="there is no file"):
        game(f"matrix:{folder}")


def test_largest_table() -> None:
    count = 100
    table = parse_table("; ".join(" ".join(f"{i}/7,{j}" for j in range(count)) for i in range(count)))
    rules = make_rules(parse_nfg(table.to_nfg()))
    assert (rules.rows, rules.columns, rules.denominator) == (count, count, 7)
    assert int(rules.row_payoffs[3, 99]) == 3 and int(rules.column_payoffs[3, 99]) == 7 * 99


def test_names_of_actions() -> None:
    assert action_names(("C", "Always defect", "", ".", "2", "tit\tfor tat")) == ["C", "Always_defect", "3", "4", "5", "tit_for_tat"]
    assert action_names(("same", "Same", "other")) == ["1", "2", "other"]


def test_actions_with_spaces_are_typed_either_way(tmp_path: Path) -> None:
    start = game_from(tmp_path, 'NFG 1 R "" { "a" "b" } { { "stay out" "go in" } { "x" "y" } } 1 2 3 4 5 6 7 8').start()
    assert start.moves() == ["stay_out", "go_in"]
    assert start.play("go in") == start.play("GO_IN") == start.play("2")
    position = start.play("go in").play("Y")
    assert (str(position), position.result) == ("go_in y", "7,8")
    assert start.game.position("2 2") == position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("C", "expected two actions with a space between them"),
        ("C D C", "expected two actions with a space between them"),
        ("E .", "the row player has no action 'E'; expected one of C, D, a number from 1 to 2 or a dot"),
        ("C 3", "the column player has no action '3'"),
        (". C", "the column player's cannot stand alone"),
        ("C ٢", "the column player has no action"),
    ],
)
def test_position_errors(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        game("matrix:prisoners").position(text)
    assert message in str(caught.value)


def test_move_errors() -> None:
    start = game("matrix:prisoners").start()
    for text in ("E", "0", "3", "-1", "9" * 50, "²"):
        with pytest.raises(NotationError, match="the row player has no action .*; expected one of C, D, a number from 1 to 2"):
            start.play(text)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        start.play("C").play("D").play("C")


def test_pictures_hide_the_row_player_s_choice() -> None:
    start = game("matrix:prisoners").start()
    draw = start.game.kind.required("draw")
    chosen = {action: start.play(action) for action in ("C", "D")}
    assert position_text(chosen["C"]) == position_text(chosen["D"])
    assert position_text(chosen["C"]).splitlines() == ["       C      D", "C  -1,-1   -4,0", "D   0,-4  -3,-3", "row: ?  column: ."]
    pictures = [draw(start.game.rules, position.state, position.last) for position in chosen.values()]
    assert pictures[0] == pictures[1] and set(pictures[0].spots) == {0, 1}
    end = chosen["C"].play("D")
    assert position_text(end).splitlines()[-1] == "row: C  column: D"
    roles = [shape.role for shape in draw(end.game.rules, end.state, end.last).shapes]
    assert roles.count("last") == roles.count("first-area") == roles.count("second-area") == 1


@pytest.mark.parametrize("name", NAMED)
def test_named_games(name: str) -> None:
    table, text = read_game(name.upper())
    assert (table, text) == (NAMED[name], name) and f"matrix:{name}" in GAME.listed and name in GAME.syntax
    assert bimatrix_of(game(f"matrix:{name}").rules) == table
    assert parse_nfg(table.to_nfg()) == table


def test_further_named_games_pay_what_is_known() -> None:
    tables = {name: NAMED[name].to_text() for name in ("stag", "pennies", "rps", "shapley", "hawkdove")}
    assert tables == {
        "stag": "2,2 0,1; 1,0 1,1",
        "pennies": "1,-1 -1,1; -1,1 1,-1",
        "rps": "0,0 -1,1 1,-1; 1,-1 0,0 -1,1; -1,1 1,-1 0,0",
        "shapley": "1,0 0,1 0,0; 0,0 1,0 0,1; 0,1 0,0 1,0",
        "hawkdove": "-1,-1 2,0; 0,2 1,1",
    }


def test_tables_of_single_numbers_are_zero_sum() -> None:
    assert game("matrix:1 -1; -1 1").spec == "matrix:1,-1 -1,1; -1,1 1,-1"
    assert cells(parse_table("1/2 3")) == [[(Fraction(1, 2), Fraction(-1, 2)), (3, -3)]]
    with pytest.raises(SpecError, match="cell 'x' in row 1 is not a payoff"):
        parse_table("1 x")


def test_tables_made_in_python() -> None:
    wanted = parse_table("3,2 0,0.1; 1/3,0 2,3")
    third = Fraction(1, 3)
    for row, column in (
        ([[3, 0], [third, 2]], [[2, 0.1], [0, 3]]),
        ((("3", "0"), ("1/3", 2.0)), np.array([[2, 0.1], [0, 3]])),
        ([[3, 0], [third, np.int64(2)]], [[2, np.float64(0.1)], [False + 0, Decimal("3")]]),
    ):
        assert matrix_game(row, column) == wanted
    assert matrix_game(np.array([[1, 2]])).column_payoffs == ((-1, -2),)
    labelled = matrix_game([[1]], [[2]], "T", ["up"], ["left"])
    assert (labelled.title, labelled.row_labels, labelled.column_labels) == ("T", ("up",), ("left",))


@pytest.mark.parametrize(
    ("row", "column", "message"),
    [
        ([[1, 2], [3]], None, "row 1 of the row player's has 2, row 2 has 1"),
        ([[1, "word"]], None, "row 1 of the row player's payoffs: 'word' is not a finite number"),
        ([[1, float("nan")]], None, "'nan' is not a finite number"),
        ([[1, float("inf")]], None, "'inf' is not a finite number"),
        ([[1, None]], None, "'None' is not a finite number"),
        ([[1, True]], None, "'True' is not a finite number"),
        ([[1j]], None, "is not a finite number"),
        ([[1, 2]], [[1], [2]], "not 1×2 and 2×1"),
        ([1, 2], None, "row 1 of the row player's payoffs is '1', not a list"),
        (5, None, "are a table"),
        ("1,2", None, "are a table"),
        ([], None, "from 1 to 100 actions, not 0"),
        ([[]], None, "from 1 to 100 actions, not 0"),
        (np.zeros((101, 2)), None, "from 1 to 100 actions, not 101"),
        (np.zeros((2, 2, 2)), None, "is not a finite number"),
    ],
)
def test_bad_tables_from_python(row, column, message: str) -> None:
    with pytest.raises(LudometerError) as caught:
        matrix_game(row, column)
    assert message in str(caught.value) and "\n" not in str(caught.value)
