"""What a store holds, seen run by run: its games one by one, any of them rebuilt move for move, files for other programs, comparisons.

    with Store(path, read_only=True) as store:
        for game in stored_games(store, 3): …
        print(rebuilt(store, 3, 17))

Games of a run are numbered from 0: those of its first pairing, two for each pair, then those of the next.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from io import TextIOWrapper
from typing import Any, BinaryIO

from ludometer.arena.experiments.ladder import Ladder
from ludometer.arena.experiments.ladder_runs import stored_ladder
from ludometer.arena.experiments.match import MatchResult, SprtResult
from ludometer.arena.experiments.tournament import TournamentPair, TournamentResult, rated
from ludometer.arena.measurements.pairings import Tallies
from ludometer.arena.measurements.pairs import Pairing, game_record, seed_of_game
from ludometer.arena.statistics.match_statistics import match_statistics
from ludometer.arena.statistics.pair_bounds import score_interval
from ludometer.arena.statistics.pair_counts import Interval
from ludometer.arena.statistics.sequential import Sequential
from ludometer.arena.statistics.sprt import Sprt
from ludometer.arena.work.store import Run, Store
from ludometer.core.errors import LudometerError, SpecError
from ludometer.core.files import write_with
from ludometer.core.outcome import RESULT_TEXT
from ludometer.core.progress import OnProgress
from ludometer.core.record import Record
from ludometer.core.stopping import Stop

_EARLY_ENDS = ("width", "decided", "sprt")  # why a match ends before all its games are played
FORMATS = ("csv", "json", "parquet", "records")


@dataclass(frozen=True)
class RunPairing:
    """The pairs of one pairing that a run wants."""

    series: int
    pairs: int
    pairing: Pairing
    key: dict[str, Any]
    first_game: int  # the number of its first game in the run


@dataclass(frozen=True)
class StoredGame:
    """One game of a run."""

    game: int  # its number in the run
    first: str
    second: str
    result: str  # 1-0, 1/2-1/2, 0-1
    length: int  # moves after the opening
    margin: int | None  # for the first player, in games with points
    seed: int
    opening_plies: int


def parts_of(store: Store, run: int) -> list[RunPairing]:
    """The pairings of a run; raises LudometerError where it has none."""
    found: list[RunPairing] = []
    number = 0
    for series, pairs in store.parts(store.run(run).id):
        key = store.key_of(series)
        if key.get("unit") == "pair":
            found.append(RunPairing(series, pairs, Pairing(**store.subject_of(series)), key, number))
            number += 2 * pairs
    if not found:
        raise LudometerError(f"run {run} has no games")
    return found


def stored_games(store: Store, run: int) -> Iterator[StoredGame]:
    """The games of a run that are there, in the order of their numbers."""
    for part in parts_of(store, run):
        pairing = part.pairing
        names = (pairing.a, pairing.b)
        for first, count, _, arrays in store.chunks(part.series, until=part.pairs):
            margins = arrays.get("margins")
            for place in range(2 * min(count, part.pairs - first)):
                number, turned = 2 * first + place, place % 2
                yield StoredGame(
                    game=part.first_game + number,
                    first=names[turned],
                    second=names[1 - turned],
                    result=RESULT_TEXT[int(arrays["results"][place])],
                    length=int(arrays["lengths"][place]),
                    margin=None if margins is None else int(margins[place]),
                    seed=seed_of_game(pairing, number),
                    opening_plies=pairing.opening_plies,
                )


def games_from(store: Store, run: int, first: int) -> Iterator[StoredGame]:
    """The games of a run that are there, from number `first` on; those before it are not read."""
    for part in parts_of(store, run):
        number = max(first, part.first_game)
        while number < part.first_game + 2 * part.pairs:
            pair = (number - part.first_game) // 2
            if store.chunk_with(part.series, pair) is None:
                gaps = store.missing(part.series, part.pairs)
                begin, count = next((begin, count) for begin, count in gaps if begin <= pair < begin + count)
                number = part.first_game + 2 * (begin + count)
                continue
            yield stored_game(store, run, number)[2]
            number += 1


def stored_game(store: Store, run: int, number: int) -> tuple[RunPairing, int, StoredGame]:
    """One game of a run, the part it belongs to and its number there; raises LudometerError if it is not there."""
    parts = parts_of(store, run)
    part = next((part for part in reversed(parts) if number >= part.first_game), None)
    games = parts[-1].first_game + 2 * parts[-1].pairs
    if part is None or not 0 <= number < games:
        raise LudometerError(f"run {run} has games 0 to {games - 1}, not {number}")
    local = number - part.first_game
    chunk = store.chunk_with(part.series, local // 2)
    if chunk is None:
        raise LudometerError(f"game {number} of run {run} is not played yet")
    first, arrays = chunk
    place, pairing = local - 2 * first, part.pairing
    margins = arrays.get("margins")
    names = (pairing.a, pairing.b)
    game = StoredGame(
        number,
        names[local % 2],
        names[1 - local % 2],
        RESULT_TEXT[int(arrays["results"][place])],
        int(arrays["lengths"][place]),
        None if margins is None else int(margins[place]),
        seed_of_game(pairing, local),
        pairing.opening_plies,
    )
    return part, local, game


def rebuilt(store: Store, run: int, number: int, stop: Stop | None = None) -> Record:
    """A game of a run, played again move for move.

    Raises LudometerError where that cannot be: another version or other rules played it, or an agent that looks at the clock.
    """
    part, local, stored = stored_game(store, run, number)
    _check_origin(part, run)
    record = game_record(part.pairing, local, stop)
    if (record.result, len(record.moves)) != (stored.result, stored.length):
        raise LudometerError(
            f"game {number} of run {run} cannot be rebuilt: it ended {stored.result} after {stored.length} moves, now "
            f"{record.result} after {len(record.moves)}; an agent that looks at the clock never plays the same game twice"
        )
    return record


def _check_origin(part: RunPairing, run: int) -> None:
    """Raise LudometerError unless games of a part would be played now as they were then."""
    try:
        now = part.pairing.key()
    except SpecError as error:
        raise LudometerError(f"games of run {run} cannot be rebuilt: {error}") from error
    differing = [name for name in part.key if part.key[name] != now.get(name)]
    if differing:
        then = ", ".join(f"{name} {part.key[name]}" for name in differing)
        raise LudometerError(f"games of run {run} cannot be rebuilt: they were played with {then}, which is different now")


# ---- results ----


def stored_result(store: Store, run: int, tallies: Tallies | None = None) -> MatchResult | TournamentResult | Ladder | None:
    """The result of a match, tournament or ladder, made again from what the store has; None for other kinds, and where nothing is there.

    The run may still be going on, in this or another process.  Who asks again and again hands over `tallies` of the same store.
    """
    found = store.run(run)
    build = {"match": _stored_match, "tournament": _stored_tournament, "ladder": stored_ladder}.get(found.kind)
    return None if build is None else build(found, tallies or Tallies(store))


def _stored_match(run: Run, tallies: Tallies) -> MatchResult | None:
    (part,) = parts_of(tallies.store, run.id)
    known = run.result or {}
    ended_early = known.get("ended") in _EARLY_ENDS
    pairs = known["games"] // 2 if ended_early else part.pairs
    test = Sprt(known["sprt"]["elo0"], known["sprt"]["elo1"]) if "sprt" in known else None
    totals, sequential = tallies.totals(part.series, pairs, lambda: Sequential(pairs, sprt=None))
    if not totals.pairs:
        return None
    return MatchResult(
        pairing=part.pairing,
        wanted=known.get("wanted", 2 * part.pairs) if ended_early else 2 * part.pairs,
        totals=totals,
        statistics=match_statistics(totals.counts),
        anytime_interval=sequential.sequence.interval,
        history=sequential.history,
        sprt=None if test is None else SprtResult(test, test.llr(totals.counts.pentanomial), known["sprt"]["decision"]),
        ended=known["ended"] if ended_early else "games" if totals.pairs >= part.pairs else "stopped",
        run=run.id,
        notes=tuple(known.get("notes", ())),
    )


def _stored_tournament(run: Run, tallies: Tallies) -> TournamentResult | None:
    known = run.result or {}
    names = list(run.players)
    pairs = []
    wanted = 0
    for part in parts_of(tallies.store, run.id):
        totals, _ = tallies.totals(part.series, part.pairs)
        wanted += 2 * part.pairs
        if totals.pairs:
            a, b = sorted((part.pairing.a, part.pairing.b), key=names.index)
            pairs.append(TournamentPair(a, b, totals, totals.counts if a == part.pairing.a else totals.counts.swapped()))
    if {name for pair in pairs for name in (pair.a, pair.b)} != set(names):
        return None
    ended = "games" if sum(pair.totals.games for pair in pairs) == wanted else "stopped"
    return rated(run.game, names, known.get("anchor", names[0]), pairs, wanted, ended, run.id, tuple(known.get("notes", ())))


# ---- files ----


def export(store: Store, run: int, form: str, file: str, progress: OnProgress | None = None) -> int:
    """Write the games of a run into a file, one row or record each; returns how many.

    csv, parquet   a table with the columns of `StoredGame`
    json           what is known of the run, and its games
    records        every game move for move, played again

    Raises LudometerError for other formats, parquet without pyarrow, and games that cannot be rebuilt.
    """
    if form not in FORMATS:
        raise LudometerError(f"a run is exported as {', '.join(FORMATS)}, not {form}")
    games = 0

    def counted() -> Iterator[StoredGame]:
        nonlocal games
        total = sum(2 * part.pairs for part in parts_of(store, run))
        for game in stored_games(store, run):
            yield game
            games += 1
            if progress is not None:
                progress(games, total, "")

    if form == "parquet":
        _write_parquet(file, counted())
        return games
    write = {"csv": _write_csv, "json": _write_json, "records": _write_records}[form]

    def write_all(stream: BinaryIO) -> None:
        text = TextIOWrapper(stream, "utf-8", newline="")
        write(store, run, counted(), text)
        text.flush()
        text.detach()

    write_with(file, write_all)
    return games


def _write_csv(store: Store, run: int, games: Iterator[StoredGame], text: TextIOWrapper) -> None:
    import csv

    writer = csv.writer(text)
    writer.writerow(list(StoredGame.__dataclass_fields__))
    writer.writerows(["" if cell is None else cell for cell in vars(game).values()] for game in games)


def _write_json(store: Store, run: int, games: Iterator[StoredGame], text: TextIOWrapper) -> None:
    found = store.run(run)
    text.write(json.dumps({**found.document(), "key": found.key, "result": found.result})[:-1] + ', "games_played": [')
    for place, game in enumerate(games):
        text.write((",\n" if place else "\n") + json.dumps(vars(game)))
    text.write("\n]}\n")


def _write_records(store: Store, run: int, games: Iterator[StoredGame], text: TextIOWrapper) -> None:
    for place, game in enumerate(games):
        text.write(("\n" if place else "") + str(rebuilt(store, run, game.game)).rstrip() + "\n")


def _write_parquet(file: str, games: Iterator[StoredGame]) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise LudometerError("parquet needs the package pyarrow; pip install pyarrow, or export as csv") from None
    rows = [asdict(game) for game in games]
    write_with(file, lambda stream: parquet.write_table(pyarrow.Table.from_pylist(rows), stream))


# ---- comparisons ----


@dataclass(frozen=True)
class MatchComparison:
    """Two matches side by side."""

    runs: tuple[int, int]
    results: tuple[MatchResult, MatchResult]
    difference: float  # of the scores of A, the second's minus the first's
    interval: Interval  # 95 %: each score lies in its own 97.5 % interval
    settings: dict[str, tuple[Any, Any]]  # what differs in what was asked for

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "runs": list(self.runs),
            "matches": [result.document() for result in self.results],
            "difference": self.difference,
            "interval": self.interval.document(),
            "settings": {name: list(values) for name, values in self.settings.items()},
        }


def compare(store: Store, first: int, second: int) -> MatchComparison:
    """How two matches of a store differ; raises LudometerError for runs of other kinds and without games."""
    results = []
    for run in (first, second):
        result = stored_result(store, run)
        if not isinstance(result, MatchResult):
            kind = store.run(run).kind
            raise LudometerError(f"run {run} is a {kind}{' without games' if kind == 'match' else ''}; only matches can be compared")
        results.append(result)
    one, other = (score_interval(result.counts.pentanomial, 0.025) for result in results)
    keys = [parts_of(store, run)[0].key for run in (first, second)]
    return MatchComparison(
        runs=(first, second),
        results=(results[0], results[1]),
        difference=results[1].score - results[0].score,
        interval=Interval(other.low - one.high, other.high - one.low),
        settings={name: (keys[0][name], keys[1].get(name)) for name in keys[0] if keys[0][name] != keys[1].get(name)},
    )
