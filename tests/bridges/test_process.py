"""A process that answers with lines: what is taken for an answer, and what ends it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ludometer.bridges.process import NoAnswer, TooSlow, WorkerProcess

SECONDS = 60.0  # far more than any of these answers takes

Begin = Callable[[str], WorkerProcess]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """A process that runs these lines once it has read a request."""
    begun: list[WorkerProcess] = []

    def begin_process(lines: str) -> WorkerProcess:
        script = tmp_path / f"worker{len(begun)}.py"
        script.write_text(f"import sys, time\nsys.stdin.readline()\n{lines}\nsys.stdout.flush()\nsys.stdin.readline()\n")
        worker = WorkerProcess(script)
        begun.append(worker)
        worker.tell({})
        return worker

    yield begin_process
    for worker in begun:
        worker.end()


def test_answers_come_one_after_the_other(begin: Begin) -> None:
    worker = begin("""print('{"move": 1}'); print('{"move": "' + 9000 * "x" + '"}')""")
    assert worker.answer(SECONDS, "a move") == {"move": 1}
    assert worker.answer(SECONDS, "a move") == {"move": 9000 * "x"}


def test_sets_of_words_have_the_same_order_in_every_process(begin: Begin) -> None:
    """Else the same seed would give another game."""
    order = """print('{"order": "' + ' '.join({str(number) for number in range(50)}) + '"}')"""
    assert begin(order).answer(SECONDS, "an order") == begin(order).answer(SECONDS, "an order")


@pytest.mark.parametrize("lines", ["print(11000 * 'x', end='')", "print('nonsense')", "print('[1, 2]')", "print()", "print('3')"])
def test_nonsense_is_told_at_once_and_ends_the_process(begin: Begin, lines: str) -> None:
    """Also a line that has no end but is longer than any answer: nobody waits until the time is used up."""
    worker = begin(lines)
    with pytest.raises(NoAnswer, match="its process answered nonsense") as refusal:
        worker.answer(SECONDS, "a move")
    assert not isinstance(refusal.value, TooSlow) and worker.process.returncode is not None
    with pytest.raises(NoAnswer, match="has ended"):
        worker.tell({})


def test_errors_and_ends_are_told(begin: Begin) -> None:
    with pytest.raises(NoAnswer, match="^no move here$"):
        begin("""print('{"error": "no move here"}')""").answer(SECONDS, "a move")
    with pytest.raises(NoAnswer, match="its process has ended"):
        begin("sys.exit()").answer(SECONDS, "a move")
    slow = begin("time.sleep(60)")
    with pytest.raises(TooSlow, match="more than 0.2 s for a move"):
        slow.answer(0.2, "a move")
    assert slow.process.returncode is not None, "it was ended"
