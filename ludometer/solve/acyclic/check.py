"""Checking solutions of games without repetition again: every entry of a table from the rules, every proven value by a new proof."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np

from ludometer.core.position import Position
from ludometer.core.random import stream
from ludometer.solve.acyclic.check_kernels import (
    CHECKED,
    MISSING,
    OTHER_COUNT,
    OTHER_MOVES,
    OTHER_NUMBER,
    STOP,
    WRONG,
    check_dense,
    check_from,
    check_random_games,
    state_of_entry,
)
from ludometer.solve.acyclic.driver import NOT_PROVEN, PositionTable, ProvenSolution
from ludometer.solve.acyclic.search import Prover
from ludometer.solve.acyclic.table import LONGEST_GAME
from ludometer.solve.table_files import ProgressCallback
from ludometer.solve.watching import run_watched

_SHOWN = 20  # errors that are described
_ENTRIES_PER_TASK = 1 << 18


def check_positions(
    table: PositionTable, sample: int | None, seed: int, workers: int, progress: ProgressCallback | None
) -> tuple[int, list[str]]:
    """(entries checked, errors) of a table of all positions.

    A sample of numbered states is drawn evenly; of listed positions it is those of random games.
    """
    check = _check_numbered if table.is_dense else _check_listed
    checked, errors = check(table, sample, seed, workers, progress)
    return checked, errors + _check_totals(table)


def _check_totals(table: PositionTable) -> list[str]:
    if table.stated is None:
        return []
    summary = table.summary()
    wrong = [key for key, value in table.stated.items() if summary[key] != value]
    return [f"the manifest's {', '.join(wrong)} are not those of the entries"] if wrong else []


def _check_numbered(
    table: PositionTable, sample: int | None, seed: int, workers: int, progress: ProgressCallback | None
) -> tuple[int, list[str]]:
    rules, values = table.game.rules, table.tables()["values"]
    chosen = np.empty(0, np.int64)
    if sample is not None and sample < values.size:
        chosen = np.sort(np.random.default_rng(seed).choice(values.size, sample, replace=False, shuffle=False))
    total = chosen.size or values.size

    def work(begin: int) -> tuple[int, list[str]]:
        wrong = np.empty((_SHOWN, 4), np.int64)
        end = min(begin + _ENTRIES_PER_TASK, total)
        found = int(check_dense(rules, values, chosen, begin, end, np.empty(table.game.move_bound, np.int32), wrong))
        return end - begin, _descriptions(table, wrong, found)

    done, errors = 0, []
    with ThreadPoolExecutor(workers) as pool:
        for future in as_completed([pool.submit(work, begin) for begin in range(0, total, _ENTRIES_PER_TASK)]):
            checked, found = future.result()
            done += checked
            errors += found
            if progress is not None:
                progress(done, total, "numbered states")
    return done, errors


def _check_listed(
    table: PositionTable, sample: int | None, seed: int, workers: int, progress: ProgressCallback | None
) -> tuple[int, list[str]]:
    game, arrays = table.game, table.tables()
    keys, values = arrays["keys"], arrays["values"]
    errors = _check_order(keys)
    if errors:
        return 0, errors
    start = game.start().state
    control, wrong = np.zeros(3, np.int64), np.empty((_SHOWN, 4), np.int64)
    total = len(keys) if sample is None else sample
    reduced, scored = table.reduced, game.kind.scored

    def report() -> None:
        if progress is not None:
            progress(int(control[CHECKED]), total, "positions reached by playing")

    seen = np.zeros(len(keys), bool)
    if sample is None:
        buffers = np.empty((LONGEST_GAME, game.move_bound), np.int32)
        words = np.empty((LONGEST_GAME, 2, keys.shape[1]), np.uint64)
        every = (reduced, scored, keys, values, arrays["moves"], arrays["counts"], seen, buffers, words, control, wrong)
        run_watched(lambda: check_from(game.rules, start, 0, *every), control, STOP, None, report)
    else:
        buffer, pair = np.empty(game.move_bound, np.int32), np.empty((2, keys.shape[1]), np.uint64)
        some = (sample, stream(seed, "verification"), reduced, scored, keys, values, buffer, pair, control, wrong)
        run_watched(lambda: check_random_games(game.rules, start, *some), control, STOP, None, report)
    found = int(control[WRONG])
    errors = _descriptions(table, wrong, found)
    if sample is None and not seen.all():
        errors.append(f"{int(np.sum(~seen)):,} entries are of positions that cannot be reached from the start")
    return int(control[CHECKED]), errors


def _check_order(keys: np.ndarray) -> list[str]:
    """Whether the keys ascend strictly, as looking them up assumes."""
    before, after = keys[:-1], keys[1:]
    ascends = np.zeros(len(before), bool)
    equal = np.ones(len(before), bool)
    for word in range(keys.shape[1]):
        ascends |= equal & (before[:, word] < after[:, word])
        equal &= before[:, word] == after[:, word]
    return [] if ascends.all() else ["the positions are not in ascending order"]


def _descriptions(table: PositionTable, wrong: np.ndarray, found: int) -> list[str]:
    """A line for each wrong entry, the first of which are in `wrong`."""
    return [_describe(table, *map(int, row)) for row in wrong[:found]] + ["one more entry is wrong"] * max(0, found - len(wrong))


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


def check_proven(
    solution: ProvenSolution, sample: int | None, seed: int, workers: int, progress: ProgressCallback | None
) -> tuple[int, list[str]]:
    """(values checked, errors): each value that was kept is proven again by a search of its own."""
    game = solution.game
    begin = game.start()
    kept = [("the start", begin, solution.start_value)]
    for move, value in zip(begin.legal, solution.move_values.tolist()):
        if value != NOT_PROVEN:
            kept.append((f"move {begin.move_text(move)}", begin.play(move), value))
    if sample is not None:
        kept = kept[:sample]
    prover = Prover(game)
    errors = []
    for done, (name, position, stored) in enumerate(kept, start=1):
        proof = prover.prove(position).value
        right = proof if position.player == begin.player else proof.for_other_player()
        number = right.outcome if right.margin is None else right.margin
        if number != stored:
            errors.append(f"{name}: stored {stored}, but a new proof says {number}")
        if progress is not None:
            progress(done, len(kept), name)
    return len(kept), errors
