"""docs/statistics.md: its examples are true."""

import doctest
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "statistics.md"


def test_the_examples_of_the_document_are_true():
    outcome = doctest.testfile(str(DOCUMENT), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8")
    assert outcome.attempted > 10 and outcome.failed == 0
