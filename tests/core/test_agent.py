"""Agents by their specs."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from ludometer.agents import agent, canonical_spec, kinds, study_kinds
from ludometer.arena.play.playing import play_game
from ludometer.core.agent import Agent, AgentKind, Option, digest, split_spec
from ludometer.core.errors import SpecError
from ludometer.core.random import stream
from ludometer.games import game
from ludometer.solvers import solve
from ludometer.web import untrusted

KIND = AgentKind(
    name="test",
    title="an agent for tests",
    home="ludometer.agents.random:RandomAgent",
    options=(
        Option("playouts", 100, "how many", least=1),
        Option("blunder", 0.0, "how often", least=0, most=1),
        Option("order", "plain", "in which order", choices=("plain", "best")),
        Option("loud", False, "with messages"),
    ),
    main="playouts",
)


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("", {}),
        ("1000", {"playouts": 1000}),
        ("playouts=7", {"playouts": 7}),
        ("7, blunder=0.25", {"playouts": 7, "blunder": 0.25}),
        ("order=BEST,loud", {"order": "best", "loud": True}),
        ("loud=no", {}),
        ("blunder=1e-3", {"blunder": 0.001}),
    ],
)
def test_options(text: str, changed: dict[str, object]) -> None:
    defaults = {"playouts": 100, "blunder": 0.0, "order": "plain", "loud": False}
    assert KIND.parse_options(text) == {**defaults, **changed}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("many", "playouts is a whole number, not 'many'"),
        ("1.5", "playouts is a whole number"),
        ("0", "playouts is a whole number at least 1, not 0"),
        ("blunder=2", "blunder is a number between 0 and 1, not 2"),
        ("blunder=nan", "between 0 and 1"),
        ("order=odd", "order is one of plain, best, not 'odd'"),
        ("loud=maybe", "loud is yes or no"),
        ("width=3", "has no option 'width'; options are playouts, blunder, order, loud"),
        ("playouts=3,playouts=3", "playouts is given twice in 'playouts=3,playouts=3'"),
        ("3,4", "playouts is given twice in '3,4'"),
        ("3,playouts=4", "playouts is given twice"),
        ("loud,loud=no", "loud is given twice"),
    ],
)
def test_wrong_options_say_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        KIND.parse_options(text)
    assert message in str(caught.value) and len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("texts", "canonical"),
    [
        (("", "100", "playouts=100", "order=plain", "blunder=0", "loud=no, blunder = 0.0"), "test"),
        (("1000", "playouts=1000", "order=plain,playouts=1000", " 1000 "), "test:1000"),
        (("loud", "loud=yes", "loud=on", "loud=1"), "test:loud"),
        (("loud,blunder=.5,7", "7,blunder=0.50,loud", "blunder=5e-1,loud=true,playouts=07"), "test:7,blunder=0.5,loud"),
        (("order=BEST", "order=best"), "test:order=best"),
        (("blunder=1", "blunder=1.0"), "test:blunder=1"),
        (("blunder=0", "blunder=-0", "blunder=-0.0", "blunder=0e5"), "test"),
        (("blunder=0.1234567890123",), "test:blunder=0.1234567890123"),
        (("blunder=1e-9",), "test:blunder=1e-09"),
    ],
)
def test_one_agent_has_one_spec(texts: tuple[str, ...], canonical: str) -> None:
    for text in texts:
        values = KIND.parse_options(text)
        assert KIND.spec(values) == KIND.identity(values, game("quixo:3")) == canonical
        assert KIND.parse_options(canonical.partition(":")[2]) == values


@given(st.data())
def test_canonical_specs_are_read_back(data: st.DataObject) -> None:
    """For every kind there is and any values of its options; two values that differ have two specs."""
    kind = data.draw(st.sampled_from([*kinds().values(), *study_kinds().values(), KIND, AWKWARD]))

    def value(option: Option) -> object:
        if option.is_switch:
            return data.draw(st.booleans())
        if option.choices:
            return data.draw(st.sampled_from(option.choices))
        if isinstance(option.default, str):
            return data.draw(st.sampled_from([option.default, "loud", "a=b", "solve", "mcts", "-", "steps", ""]))
        least = -1000 if option.least is None else option.least
        most = 10**6 if option.most is None else option.most
        if isinstance(option.default, int):
            return data.draw(st.integers(int(least), int(most)))
        return data.draw(st.floats(float(least), float(most)))

    values, others = ({option.name: value(option) for option in kind.options} for _ in range(2))
    name, parameters = split_spec(kind.spec(values))
    assert name == kind.name and kind.parse_options(parameters) == values
    assert (kind.spec(values) == kind.spec(others)) == (values == others)


AWKWARD = AgentKind(
    name="awkward",
    title="whose main option takes any text",
    home="ludometer.agents.random:RandomAgent",
    main="word",
    options=(Option("solve", True, "a switch that is on"), Option("word", "mcts", "any text"), Option("loud", False, "a switch")),
)


def test_minus_nothing_is_nothing() -> None:
    """Where 0 is not the default, −0 would be a second name."""
    kind = AgentKind(name="zero", title="", home="", options=(Option("c", 0.3, "a number"), Option("n", 5, "a whole number")))
    for text in ("c=0,n=0", "c=-0.0,n=-0", "c=-0,n=+0", "c=-1e-400,n=00"):
        assert kind.spec(kind.parse_options(text)) == "zero:c=0,n=0"


def test_the_spec_of_an_agent_that_is_not_made() -> None:
    quixo = game("quixo:3")
    for spec in ("mcts:iterations=7,c=0.3", " MCTS:7 ", "mcts:7"):
        assert canonical_spec(spec, quixo) == untrusted.agent_spec(spec, quixo) == agent(spec, quixo).spec == "mcts:7"
    assert canonical_spec("qlearning:weights=/tmp/nowhere.json", quixo) == "qlearning:weights=/tmp/nowhere.json"
    for spec, message in (
        ("mtcs:7", "no agent is called 'mtcs'; did you mean mcts?"),
        ("mcts:100001", "iterations is at most 100000 from outside"),
        ("qlearning:weights=x", "weights names a file"),
        ("human", "agent human cannot be had from outside"),
        ("window", "agent window cannot play quixo:3: its boards are not made of windows"),
    ):
        with pytest.raises(SpecError) as refusal:
            untrusted.agent_spec(spec, quixo)
        assert message in str(refusal.value)


def test_a_bare_value_that_looks_like_something_else_is_named() -> None:
    for word, canonical in (
        ("solve", "awkward:word=solve"),
        ("", "awkward:word="),
        ("a=b", "awkward:word=a=b"),
        ("other", "awkward:other"),
    ):
        assert AWKWARD.spec({"solve": True, "word": word, "loud": False}) == canonical
    assert AWKWARD.spec({"solve": False, "word": "mcts", "loud": True}) == "awkward:solve=no,loud"


def test_agents_records_and_documents_say_the_canonical_spec() -> None:
    tictactoe = game("tictactoe")
    spellings = ("mcts:7", "mcts:iterations=7", " MCTS:7,proven=yes ", "mcts:iterations=7,c=0.3")
    for spelling in spellings:
        made = agent(spelling, tictactoe)
        assert (made.spec, str(made), made.identity) == ("mcts:7", "mcts:7", "mcts:7")
        record = play_game(tictactoe, spelling, "random:", seed=1, ply_limit=1)
        assert (record.first, record.second, record.document()["first"]) == ("mcts:7", "random", "mcts:7")


def test_files_are_part_of_who_an_agent_is(tmp_path: Path) -> None:
    """Spelled differently, moved, or edited: the spec says where the file is, the identity what is in it."""
    (tmp_path / "a.npz").write_text("one")
    (tmp_path / "moved").mkdir()
    (tmp_path / "moved" / "a.npz").write_text("one")
    (tmp_path / "b.npz").write_text("two")

    def names(path: Path) -> tuple[str, str]:
        values = FILED.parse_options(f"weights={path}")
        return FILED.spec(values), FILED.identity(values, game("quixo:3"))

    one, moved, other = names(tmp_path / "a.npz"), names(tmp_path / "moved" / "a.npz"), names(tmp_path / "b.npz")
    assert one[0] == f"filed:weights={tmp_path / 'a.npz'}" and one[0] != moved[0]
    assert one[1] == moved[1] == f"filed:weights=a.npz@{hashlib.sha256(b'one').hexdigest()[:12]}" != other[1]
    (tmp_path / "a.npz").write_text("edited")
    assert names(tmp_path / "a.npz")[1] != one[1]
    folder = names(tmp_path / "moved")[1]
    (tmp_path / "moved" / "a.npz").write_text("One")
    assert names(tmp_path / "moved")[1] != folder
    assert FILED.identity(FILED.parse_options(""), game("quixo:3")) == "filed"
    with pytest.raises(SpecError, match="cannot read"):
        names(tmp_path / "none.npz")


FILED = AgentKind(
    name="filed",
    title="which reads a file",
    home="ludometer.agents.random:RandomAgent",
    options=(Option("weights", "", "a file", file=True), Option("depth", 3, "how deep", outside=6), Option("time", 0.0, "seconds")),
)


def test_tables_of_other_games_do_not_change_a_perfect_player(tmp_path: Path) -> None:
    before = agent(f"optimal:tables={tmp_path}", game("quixo:2")).identity
    assert before == f"optimal:tables={tmp_path.name}@none"
    solve("quixo:2", tables=tmp_path)
    solved = agent(f"optimal:tables={tmp_path}", game("quixo:2")).identity
    solve("quixo:3", tables=tmp_path, keep="values")
    assert agent(f"optimal:tables={tmp_path}", game("quixo:2")).identity == solved != before


def test_where_a_file_lies_in_a_folder_counts(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    (tmp_path / "a" / "table").write_text("one")
    before = digest(tmp_path)
    (tmp_path / "a" / "table").rename(tmp_path / "b" / "table")
    assert digest(tmp_path) != before


def test_large_files_in_a_folder_count_by_their_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludometer.core.agent._SMALL_FILE", 3)
    (tmp_path / "table").write_bytes(b"abcd")
    before = digest(tmp_path)
    (tmp_path / "table").write_bytes(b"efgh")
    assert digest(tmp_path) == before
    (tmp_path / "table").write_bytes(b"abcde")
    assert digest(tmp_path) != before


def test_every_option_that_names_a_file_says_so() -> None:
    files = {(kind.name, option.name) for kind in kinds().values() for option in kind.options if option.file}
    assert files >= {("polito", "path"), ("qlearning", "weights"), ("optimal", "tables")}
    for kind in kinds().values():
        for option in kind.options:
            assert option.file == (option.name in ("path", "weights", "tables", "file", "folder")), f"{kind.name}: {option.name}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weights=/etc/passwd", "agent filed: weights names a file, which input from outside cannot do"),
        ("depth=7", "agent filed: depth is at most 6 from outside, not 7"),
        ("time=0.5", "agent filed: time cannot be set from outside; leave it out"),
    ],
)
def test_input_from_outside_is_bounded(text: str, message: str) -> None:
    assert FILED.parse_options(text)
    with pytest.raises(SpecError) as refusal:
        FILED.check_outside(text)
    assert str(refusal.value) == message
    FILED.check_outside("depth=6,time=0,weights=")
    KIND.check_outside("order=best,loud")


@pytest.mark.parametrize("name", kinds())
def test_nothing_without_a_bound_is_open_to_the_outside(name: str) -> None:
    """Every option of every agent: a file is refused, and so is its largest number unless it is declared harmless."""
    kind = kinds()[name]
    harmless = [option.name for option in kind.options if option.outside is True]
    assert set(harmless) <= {
        "bot",
        "c",
        "evaluation",
        "beam",
        "variable",
        "alpha",
        "decay",
        "gamma",
        "epsilon",
        "score",
        "seed",
        "size",
        "blunder",
        "level",
    }
    for option in kind.options:
        if option.file:
            with pytest.raises(SpecError):
                kind.check_outside(f"{option.name}=/tmp/x")
        elif option.most is not None and option.outside is not True:
            with pytest.raises(SpecError, match="from outside"):
                kind.check_outside(f"{option.name}={option.format(type(option.default)(option.most))}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("human", "agent human cannot be had from outside: it asks the person at the terminal"),
        ("polito:path=/etc/passwd", "agent polito cannot be had from outside: it runs a program from a file"),
    ],
)
def test_some_agents_are_not_for_the_outside(spec: str, message: str) -> None:
    with pytest.raises(SpecError) as refusal:
        untrusted.agent(spec, game("quixo:5"))
    assert str(refusal.value) == message
    for allowed in ("mcts:500,c=1,time=2", "alphabeta:4,memory=1000,evaluation=lines", "window:1x2"):
        kind, _, parameters = allowed.partition(":")
        kinds()[kind].check_outside(parameters)
    assert str(untrusted.agent("mcts:30", game("quixo:5"))) == "mcts:30"


def test_moves_at_the_same_time_are_for_those_who_declare_it() -> None:
    prisoners = game("matrix:prisoners")
    for kind in kinds().values():
        assert (kind.refuses(prisoners) is None) == kind.simultaneous, kind.name
    assert kinds()["random"].simultaneous and not kinds()["mcts"].simultaneous


def test_an_agent_may_be_given_where_a_spec_is_asked_for() -> None:
    quixo = game("quixo:3")
    made = agent("random", quixo)
    assert agent(made, quixo) is made and isinstance(made, Agent)


def test_specs_that_name_nothing() -> None:
    with pytest.raises(SpecError, match="did you mean random"):
        agent("randon", game("quixo:3"))
    with pytest.raises(SpecError, match="takes no bare value"):
        agent("random:5", game("quixo:3"))


def test_every_kind_is_named_as_it_is_found() -> None:
    assert "random" in kinds()
    for name, kind in kinds().items():
        assert kind.name == name and kind.title and ":" in kind.home


def test_the_random_agent_is_even_and_repeats_itself() -> None:
    position = game("quixo:3").start()
    player = agent("random", position.game)
    moves = [player.choose(position, stream(5, number)).move for number in range(4_000)]
    assert moves == [player.choose(position, stream(5, number)).move for number in range(4_000)]
    assert chisquare([moves.count(move) for move in position.legal]).pvalue > 1e-4


def test_what_an_option_implies_is_not_spelt_out() -> None:
    """`textbook` sets c, the choice and two switches; only what differs from these belongs to the canonical spec."""
    for spec, canonical in (
        ("mcts:7,study=textbook", "mcts:7,study=textbook"),
        ("mcts:7,study=textbook,choice=value,reuse=no", "mcts:7,study=textbook"),
        ("mcts:7,study=textbook,reuse=yes", "mcts:7,reuse,study=textbook"),
    ):
        assert canonical_spec(spec, game("tictactoe")) == canonical
