"""Verification of solutions of games without repetition: table entries from the rules, proven values by a new proof."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ludometer.core.machine import usable_cores
from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.solvers.acyclic.check_kernels import (
    CHECKED,
    MISSING,
    OTHER_COUNT,
    OTHER_MOVES,
    OTHER_NUMBER,
    STOP,
    WRONG,
    Found,
    Listed,
    check_dense,
    check_from,
    check_random_games,
    state_of_entry,
)
from ludometer.solvers.acyclic.search import Prover
from ludometer.solvers.acyclic.solution import NOT_PROVEN, PositionTable, ProvenSolution
from ludometer.solvers.acyclic.table import LONGEST_GAME
from ludometer.solvers.background import run_watched
from ludometer.solvers.check_findings import SHOWN, Findings
from ludometer.solvers.options import OptionError, VerifyOptions
from ludometer.solvers.task_graph import run_all

_ENTRIES_PER_TASK = 1 << 15  # some hundredths of a second
_TASKS_WAITING = 4  # for each worker


def check_positions(table: PositionTable, options: VerifyOptions) -> tuple[int, Findings]:
    """(entries checked, errors) of a table of all positions.

    A sample of numbered states is drawn evenly; of listed positions it is those of random games.
    """
    _on_the_processor(table.game.spec, options)
    if table.is_dense:
        checked, findings = _check_numbered(table, options)
    else:
        _by_one_thread(table.game.spec, options)
        checked, findings = _check_listed(table, options)
    findings.add(*_check_totals(table))
    return checked, findings


def _on_the_processor(spec: str, options: VerifyOptions) -> None:
    if options.device != "cpu":
        raise OptionError(f"on {options.device} only games of tiles are verified, {spec} is not one", "leave out {device}")


def _by_one_thread(spec: str, options: VerifyOptions) -> None:
    if options.workers is not None:
        raise OptionError(f"{spec} is verified by one thread", "leave out {workers}")


def _check_totals(table: PositionTable) -> list[str]:
    if table.stated is None:
        return []
    summary = table.summary()
    wrong = [key for key, value in table.stated.items() if summary[key] != value]
    return [f"the manifest's {', '.join(wrong)} are not those of the entries"] if wrong else []


def _check_numbered(table: PositionTable, options: VerifyOptions) -> tuple[int, Findings]:
    sample, workers = options.sample, options.workers or usable_cores()
    rules, values = table.game.rules, table.tables()["values"]
    chosen = np.empty(0, np.int64)
    if sample is not None and sample < values.size:
        chosen = np.sort(np.random.default_rng(options.seed).choice(values.size, sample, replace=False, shuffle=False))
    total = chosen.size or values.size

    def work(begin: int) -> tuple[int, np.ndarray, int]:
        wrong = np.empty((SHOWN, 4), np.int64)
        end = min(begin + _ENTRIES_PER_TASK, total)
        found = int(check_dense(rules, values, chosen, begin, end, np.empty(table.game.move_bound, np.int32), wrong))
        return end - begin, wrong, found

    done, findings = 0, Findings()
    with ThreadPoolExecutor(workers) as pool:
        for checked, wrong, found in run_all(pool, work, range(0, total, _ENTRIES_PER_TASK), _TASKS_WAITING * workers, options.stop):
            done += checked
            _describe_all(table, wrong, found, findings)
            options.report(done, total, "numbered states")
    return done, findings


def _check_listed(table: PositionTable, options: VerifyOptions) -> tuple[int, Findings]:
    game, arrays, sample = table.game, table.tables(), options.sample
    keys = arrays["keys"]
    findings = Findings(_check_order(keys))
    if findings:
        return 0, findings
    start = game.start().state
    listed = Listed(table.reduced, game.kind.scored, keys, arrays["values"], arrays["moves"], arrays["counts"])
    notes = Found(np.zeros(3, np.int64), np.empty((SHOWN, 4), np.int64))
    control = notes.control
    total = len(keys) if sample is None else sample

    def report() -> None:
        if control[CHECKED] > 0:  # before that the compiler is at work
            options.report(int(control[CHECKED]), total, "positions reached by playing")

    seen = np.zeros(len(keys), bool)
    if sample is None:
        buffers = np.empty((LONGEST_GAME, game.move_bound), np.int32)
        words = np.empty((LONGEST_GAME, 2, keys.shape[1]), np.uint64)

        def work() -> None:
            check_from(game.rules, start, 0, listed, seen, buffers, words, notes)

    else:
        buffer, pair = np.empty(game.move_bound, np.int32), np.empty((2, keys.shape[1]), np.uint64)
        key = stream(options.seed, "verification")

        def work() -> None:
            check_random_games(game.rules, start, sample, key, listed, buffer, pair, notes)

    run_watched(work, control, STOP, None, report, options.stop)
    _describe_all(table, notes.wrong, int(control[WRONG]), findings)
    if sample is None and not seen.all():
        findings.add(f"{int(np.sum(~seen)):,} entries are of positions that cannot be reached from the start")
    return int(control[CHECKED]), findings


def _check_order(keys: np.ndarray) -> list[str]:
    """Whether the keys ascend strictly, as looking them up assumes."""
    before, after = keys[:-1], keys[1:]
    ascends = np.zeros(len(before), bool)
    equal = np.ones(len(before), bool)
    for word in range(keys.shape[1]):
        ascends |= equal & (before[:, word] < after[:, word])
        equal &= before[:, word] == after[:, word]
    return [] if ascends.all() else ["the positions are not in ascending order"]


def _describe_all(table: PositionTable, wrong: np.ndarray, found: int, findings: Findings) -> None:
    """Add `found` wrong entries, the first of which are in `wrong`."""
    described = [_describe(table, *map(int, row)) for row in wrong[:found]]
    findings.add(*described)
    findings.add_further(found - len(described))


def _describe(table: PositionTable, what: int, entry: int, stored: int, right: int) -> str:
    if what == MISSING:
        return "a position that can be reached is not in the table"
    where = f"entry {entry}"
    if table.is_dense:
        where += f", {str(Position(table.game, state_of_entry(table.game.rules, entry)))!r}"
    if what == OTHER_NUMBER:
        return f"{where}: its state has another number"
    name = {OTHER_MOVES: "moves made", OTHER_COUNT: "number of positions"}.get(what, "value")
    return f"{where}: stored {name} {stored}, but the rules and its successors say {right}"


def check_proven(solution: ProvenSolution, options: VerifyOptions) -> tuple[int, Findings]:
    """(values checked, errors) of a proven solution: each stored value, or a sample of them, is proven again by a new search."""
    game = solution.game
    _on_the_processor(game.spec, options)
    _by_one_thread(game.spec, options)
    begin = game.start()
    kept = [("the start", begin, solution.start_value)]
    for move, value in zip(begin.legal, solution.move_values.tolist()):
        if value != NOT_PROVEN:
            kept.append((f"move {begin.move_text(move)}", begin.play(move), value))
    if options.sample is not None and options.sample < len(kept):
        kept = [kept[place] for place in np.sort(np.random.default_rng(options.seed).choice(len(kept), options.sample, replace=False))]
    prover = Prover(game)
    findings = Findings()
    for done, (name, position, stored) in enumerate(kept, start=1):
        proof = prover.prove(position, stop=options.stop).value
        right = proof if position.player == begin.player else proof.for_other_player()
        number = right.outcome if right.margin is None else right.margin
        if number != stored:
            findings.add(f"{name}: stored {stored}, but a new proof says {number}")
        options.report(done, len(kept), name)
    return len(kept), findings
