"""The list of tests that take long names tests that there are."""

from __future__ import annotations

from tests.slow import LIST, durations, slow_tests


def test_every_name_in_the_list_is_that_of_a_test() -> None:
    root = LIST.parents[1]
    for name in slow_tests():
        file, _, function = name.split("[")[0].partition("::")
        assert f"def {function}(" in (root / file).read_text(encoding="utf-8"), name


def test_what_pytest_prints_is_read() -> None:
    lines = [
        "0.50s call     tests/a.py::test_a[x y]",
        "1.25s setup    tests/a.py::test_a[x y]",
        "0.01s teardown tests/b.py::test_b",
        "other 3s call",
    ]
    assert durations("\n".join(lines)) == {"tests/a.py::test_a[x y]": 1.75, "tests/b.py::test_b": 0.01}
