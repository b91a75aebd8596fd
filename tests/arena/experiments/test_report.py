"""Report cards: facts against known answers, and a page for a game that nobody here has seen."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from ludometer.arena.experiments import report as reports
from ludometer.arena.experiments.report import Report, reference_cards, report
from ludometer.arena.measurements.selfplay import SelfPlay, facts, states_at_least
from ludometer.arena.work.execution import Execution
from ludometer.core.errors import LudometerError
from ludometer.games import game, kinds

SQUEEZE = str(Path(__file__).parents[1] / "squeeze.py")
CONTRACT = {"branching", "length", "first_player_advantage", "draws", "complexity", "ladder", "depth", "perfect"}


@pytest.fixture(scope="module")
def squeeze() -> Report:
    return report(SQUEEZE, games=12, positions=20, rungs=6, precision=2, seed=1, execution=Execution(workers=2))


@pytest.mark.exhaustive
def test_random_tic_tac_toe_is_what_the_exact_numbers_say() -> None:
    """737/1260 wins, 8/63 draws, 121/420 losses of the first player."""
    subject, number = SelfPlay.of(game("tictactoe"), "random", 3), 20_000
    found = facts(subject, subject.work(0, number, 0.0, None).units)
    for estimate, exact in ((found.first_player, (737 / 1260 - 121 / 420) / 2), (found.draws, 8 / 63)):
        assert abs(estimate.value - exact) < 4 * 0.5 / number**0.5
        assert estimate.interval.width < 6 * 0.5 / number**0.5
    assert 1 < found.tree.value < 5.56, "at most log10 of 9!"
    assert found.longest == 9 and found.unfinished == 0.0


def test_chunks_of_games_are_the_same_games() -> None:
    subject = SelfPlay.of(game("tictactoe"), "mcts:5", 3)
    whole, parts = subject.work(0, 9, 0.0, None).units, [subject.work(first, 3, 0.0, None).units for first in (0, 3, 6)]
    for name, array in whole.items():
        assert array.tolist() == [value for part in parts for value in part[name].tolist()]
    assert len(subject.record(4).moves) == whole["length"][4]


def test_the_number_of_states_is_a_lower_bound() -> None:
    found = states_at_least(game("tictactoe"), games=1 << 14)
    assert not found.is_exact and 100 < found.count <= 252, "so many boards are there after three moves, fewer than all"
    none_agree = states_at_least(game("mnk:9,9,5"), games=256)
    assert 256**2 / 7 < none_agree.count < 256**2 / 5, "no agreement: with 95 % at most 3.0 were expected"


@pytest.mark.exhaustive
def test_a_card_of_a_new_game_has_all_its_numbers(squeeze: Report) -> None:
    document = squeeze.document()
    assert set(document) >= CONTRACT and set(document["games"][0]) >= CONTRACT
    for name in ("branching", "length", "first_player_advantage", "draws", "forced_wins"):
        low, high = document[name]["interval"]
        assert low <= document[name]["value"] <= high, name
    assert 9 <= document["length"]["value"] <= 16
    assert document["perfect"] is None and document["accuracy"] is None
    assert document["depth"]["plan"]["yardstick"] == "uct"
    assert json.loads(json.dumps(document)) == document


@pytest.mark.exhaustive
def test_a_card_says_what_it_could_not_measure(squeeze: Report) -> None:
    said = " ".join(squeeze.cards[0].missing)
    assert "perfect result" in said and "out of reach" in said and "exact number of states" in said
    assert all(f"not measured: {one}" in str(squeeze) for one in squeeze.cards[0].missing)


@pytest.mark.exhaustive
def test_the_page_needs_nothing_else(squeeze: Report, tmp_path: Path) -> None:
    file = tmp_path / "card.html"
    squeeze.save(str(file))
    page = file.read_text()
    assert not re.search(r'\b(src|href)="(?!#)', page), "nothing is fetched"
    assert not re.search(r"url\((?!#)|@import|<script", page)
    assert {link for link in re.findall(r'https?://[^"\s<]+', page)} <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    for drawing in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(drawing)
    names = re.findall(r'\bid="([^"]+)"', page)
    assert len(names) == len(set(names)), "names of parts are unique in the page"
    assert page.count("<figure>") == len(squeeze.cards[0].sample.positions)
    assert "What could not be measured" in page and "Squeeze" in page


@pytest.mark.exhaustive
def test_markdown_and_data_hold_the_same_numbers(squeeze: Report, tmp_path: Path) -> None:
    squeeze.save(str(tmp_path / "card.json"))
    squeeze.save(str(tmp_path / "card.md"))
    assert json.loads((tmp_path / "card.json").read_text()) == squeeze.document()
    text = (tmp_path / "card.md").read_text()
    assert f"{squeeze.document()['branching']['value']:.1f}" in text and "## Beside other games" in text
    for file in ("card.pdf", "card", str(tmp_path / "no" / "card.html")):
        with pytest.raises(LudometerError):
            squeeze.save(file)


@pytest.mark.exhaustive
def test_the_same_seed_gives_the_same_card(squeeze: Report) -> None:
    again = report(SQUEEZE, games=12, positions=20, rungs=6, precision=2, seed=1, execution=Execution(workers=1)).document()

    def timeless(document: dict[str, object]) -> str:
        return re.sub(r'"(seconds_per_move|work)": [^,}]+', "", json.dumps(document))

    assert timeless(again) == timeless(squeeze.document())


def test_reference_cards_are_those_of_built_in_games() -> None:
    cards = reference_cards()
    assert len(cards) >= 5, f"{reports.REFERENCE} is made by `ludometer report GAME … --out`"
    names = set(kinds())
    for card in cards:
        assert card["game"].partition(":")[0] in names and set(card) >= CONTRACT
    known = {card["game"]: card for card in cards}
    assert known["mnk:3,3,3"]["perfect"]["value"] == "draw" and known["mnk:3,3,3"]["complexity"]["states"]["value"] == 5478
    assert known["quixo:3"]["perfect"] == {"value": "win", "distance": 7}


def test_games_of_simultaneous_moves_have_no_card() -> None:
    with pytest.raises(LudometerError, match="same time"):
        report("matrix:prisoners")


def test_a_game_decided_by_the_last_move_allowed_is_finished() -> None:
    """Of five games three are as long as allowed; two of these were won or lost."""
    ones = np.ones(5)
    units = {
        "result": np.array([1, -1, 0, 0, 1]),
        "length": np.array([6, 6, 6, 5, 5]),
        "choices": ones,
        "single": ones,
        "log_choices": ones,
    }
    assert facts(SelfPlay.of(game("quixo:3"), "random", ply_limit=6), units).unfinished == 0.2


def test_what_never_happened_in_a_few_games_may_still_happen() -> None:
    """No move without a choice in 20 games does not show that there is none."""
    subject = SelfPlay.of(game("mnk:4,4,4"), "random", 3)
    units = subject.work(0, 20, 0.0, None).units
    units["single"] = units["single"] * 0
    found = facts(subject, units).single
    assert found.value == 0 and found.interval.low == 0 and 0.1 < found.interval.high < 0.2
