"""Records of games: text in the manner of chess's PGN, for any game.

    [Game "quixo:4"]
    [First "human"]
    [Second "random"]
    [Result "*"]
    [Seed "1"]
    [Ended "quit"]

    1. A1>right B1>bottom {a comment} 2. A2>bottom *

Tags, an empty line, the moves with the result last, an empty line, the next record.  Game, First, Second and Result are
required.  Seed is a whole number; Start is the position the game began at, if not the usual one; Ended is the reason if the
rules did not end the game (ply limit, resignation, time, quit, …).  Other tags are kept.
In a tag's value, and in moves with spaces or brackets in them, which stand in quotes, `\\"`, `\\\\`, `\\n` and `\\r`
mean a quote, a backslash and the two line ends.

A number opens each round: it stands before every move with which the first player takes over, and before the
first move of all (as `1...` if that is the second player's).  A player who moves several times running gets one number.
Comments in braces are kept with the place they stand at; white space in them is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ludometer.core.errors import IllegalMoveError, LudometerError, NotationError, shorten
from ludometer.core.files import read_text, write_text
from ludometer.core.frames import data_frame
from ludometer.core.game import Game
from ludometer.core.outcome import DRAW, FIRST, RESULT_TEXT
from ludometer.core.text import count_text

if TYPE_CHECKING:
    from ludometer.core.position import Position

UNFINISHED = "*"
PLY_LIMIT, RESIGNATION, TIME, FORFEIT, QUIT = "ply limit", "resignation", "time", "forfeit", "quit"  # usual reasons in Ended
LINE_WIDTH = 100

_OWN_TAGS = ("Game", "First", "Second", "Result", "Seed", "Start", "Ended")
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\["\\nr])*)"\][ \t\r]*')
_QUOTED = re.compile(r'"((?:[^"\\\n]|\\["\\nr])*)"(?=\s|\Z)')
_NUMBER = re.compile(r"\d+\.+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_UNESCAPE = re.compile(r'\\(["\\nr])')
_OUTCOMES = {text: outcome for outcome, text in RESULT_TEXT.items()}
_RESULTS = (UNFINISHED, *_OUTCOMES)


@dataclass(frozen=True, repr=False)
class Record:
    """One game as it was played.  `str(record)` is its text, `parse_records` the inverse.

    >>> record = lm.play_game("quixo:3", "random", "random", seed=1)
    >>> record
    <record of quixo:3: random against random, 1-0 after 11 moves>
    >>> record.final.is_over, record.moves[:2]
    (True, ('C1>bottom', 'B3>right'))
    """

    game: Game
    moves: tuple[str, ...]
    result: str  # as `Position.result`, or `*`
    first: str = "?"  # who played: agent specs or any names
    second: str = "?"
    seed: int | None = None
    start: str | None = None  # text of the position the game began from; None: the usual one
    ended: str | None = None  # why the game stopped, if not by the rules
    tags: Mapping[str, str] = field(default_factory=dict)  # further tags
    comments: Mapping[int, str] = field(default_factory=dict)  # number of moves made before it -> comment

    def __post_init__(self) -> None:
        for name in self.tags:
            if not _TAG_NAME.fullmatch(name) or name in _OWN_TAGS:
                raise LudometerError(f"a record cannot have a further tag {shorten(name)}; a name is letters, digits and _")
        for comment in self.comments.values():
            if "}" in comment:
                raise LudometerError(f"a comment in a record cannot contain '}}': {shorten(comment)}")
        tidy = {place: " ".join(comment.split()) for place, comment in self.comments.items()}
        object.__setattr__(self, "comments", {place: tidy[place] for place in sorted(tidy) if tidy[place]})

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """All positions of the game from the first to the last; raises NotationError or IllegalMoveError."""
        positions = [self.game.position(self.start or "start")]
        for move in self.moves:
            positions.append(positions[-1].play(move))
        return tuple(positions)

    def replayed(self, positions: list[Position]) -> Record:
        """The same record with the positions that its moves lead through, which are then not computed again."""
        self.__dict__["positions"] = tuple(positions)
        return self

    @property
    def final(self) -> Position:
        """The last position of the game."""
        return self.positions[-1]

    @property
    def outcome(self) -> int | None:
        """WIN, DRAW or LOSS for the first player; None without a result."""
        if self.final.is_over:
            return self.final.outcome if self.final.player == FIRST else -self.final.outcome
        return _OUTCOMES.get(self.result)

    @property
    def verdict(self) -> str:
        """The result in words, and why the game stopped: `1-0: x wins (resignation)`."""
        names, outcome = self.game.kind.players, self.outcome
        words = "no result" if outcome is None else "a draw" if outcome == DRAW else f"{names[0] if outcome > DRAW else names[1]} wins"
        return f"{self.result}: {words}" + (f" ({self.ended})" if self.ended else "")

    def __repr__(self) -> str:
        reason = f" ({self.ended})" if self.ended else ""
        length = count_text(len(self.moves), "move")
        return f"<record of {self.game.spec}: {self.first} against {self.second}, {self.result}{reason} after {length}>"

    def _repr_html_(self) -> str:
        from ludometer.view.results.records import record_html

        return record_html(self)

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row for each move: ply (from 1), player, move, position after it, comment before it; needs pandas."""
        return data_frame(
            {
                "ply": ply,
                "player": before.turn,
                "move": move,
                "position": str(after),
                "comment": self.comments.get(ply - 1, ""),
            }
            for ply, (before, move, after) in enumerate(zip(self.positions, self.moves, self.positions[1:]), start=1)
        )

    def document(self) -> dict[str, Any]:
        """The record for JSON."""
        return {
            "game": self.game.reference,
            "first": self.first,
            "second": self.second,
            "seed": self.seed,
            "start": str(self.positions[0]),
            "moves": list(self.moves),
            "result": self.result,
            "ended": self.ended,
            "position": str(self.final),
        }

    def __getstate__(self) -> dict[str, Any]:
        """The record without its positions, which are recomputed from the moves when needed."""
        return {name: value for name, value in vars(self).items() if name != "positions"}

    def check(self) -> None:
        """Raise LudometerError unless the moves are legal and the result is the one they lead to."""
        reason = _wrong_result(self.final, self.result, self.ended)
        if reason:
            raise LudometerError(reason)

    def __str__(self) -> str:
        values = {"Game": self.game.reference, "First": self.first, "Second": self.second, "Result": self.result}
        if self.seed is not None:
            values["Seed"] = str(self.seed)
        if self.start is not None:
            values["Start"] = self.start
        if self.ended is not None:
            values["Ended"] = self.ended
        lines = [f'[{name} "{_escape(value)}"]' for name, value in {**values, **self.tags}.items()]
        return "\n".join(lines) + "\n\n" + _wrapped(self._words()) + "\n"

    def _words(self) -> Iterator[str]:
        round_number = 0
        for place, move in enumerate(self.moves):
            if place in self.comments:
                yield from _comment_words(self.comments[place])
            number = _number_before(self.positions, place, round_number)
            if number:
                round_number += 1
                yield number
            yield _quoted_if_needed(move, unlike=(self.result, *_RESULTS))
        if len(self.moves) in self.comments:
            yield from _comment_words(self.comments[len(self.moves)])
        yield _quoted_if_needed(self.result)

    def save(self, path: str | Path) -> None:
        """Write the record to a file."""
        write_text(path, str(self))


def read_records(path: str | Path, find_game: Callable[[str], Game] | None = None) -> list[Record]:
    """Read all records of a file, replay them and check their results.

        path        the file, in UTF-8
        find_game   function that turns the tag Game into a game; default: `lm.game`

    Raises NotationError that names the line and what was expected there, LudometerError for a file that cannot be read.

    >>> lm.play_game("quixo:3", "random", "random", seed=1).save("game.txt")
    >>> lm.read_records("game.txt")
    [<record of quixo:3: random against random, 1-0 after 11 moves>]
    """
    return parse_records(read_text(path), find_game)


def parse_record(text: str, find_game: Callable[[str], Game] | None = None) -> Record:
    """The only record in a text; see `parse_records`."""
    records = parse_records(text, find_game)
    if len(records) != 1:
        raise NotationError(f"record: expected one game, found {len(records)}")
    return records[0]


def parse_records(text: str, find_game: Callable[[str], Game] | None = None) -> list[Record]:
    """Parse all records in a text, replay them and check their results.

        text        records as `str(record)` writes them, one after the other
        find_game   function that turns the tag Game into a game; default: `lm.game`

    Raises NotationError that names the line and what was expected there.

    >>> record = lm.play_game("quixo:3", "random", "random", seed=1)
    >>> lm.parse_records(str(record)) == [record]
    True
    """
    from ludometer.games import game

    find = find_game or game
    reader = _Reader(text)
    records = []
    while not reader.at_end():
        records.append(_parse_one(reader, find))
    return records


class _Word(NamedTuple):
    kind: str  # number, comment, quoted (a move) or word (a move or the result)
    text: str
    line: int


class _Reader:
    """A text and the current place in it; lines are counted from 1."""

    def __init__(self, text: str) -> None:
        self.text = text.removeprefix("\ufeff")
        self.at = 0
        self._counted_to = 0
        self._line = 1

    @property
    def line(self) -> int:
        self._line += self.text.count("\n", self._counted_to, self.at)
        self._counted_to = self.at
        return self._line

    def error(self, expected: str, line: int | None = None) -> NotationError:
        rest = self.text[self.at : self.at + 200].split("\n")[0]
        found = shorten(rest) if rest else "the end of the text" if self.at >= len(self.text) else "the end of the line"
        return NotationError(f"record, line {line or self.line}: expected {expected}, found {found}")

    def skip_space(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def at_end(self) -> bool:
        self.skip_space()
        return self.at >= len(self.text)

    def tag(self) -> tuple[str, str] | None:
        """The next tag, or None if there is none here."""
        self.skip_space()
        if self.text[self.at : self.at + 1] != "[":
            return None
        found = _TAG.match(self.text, self.at)
        if found is None or self.text[found.end() : found.end() + 1] not in ("", "\n"):
            raise self.error('a tag on a line of its own, such as [Result "1-0"]')
        self.at = found.end()
        return found[1], _unescape(found[2])

    def word(self) -> _Word | None:
        """The next number, move, comment or result; None at the end of the text or the record."""
        self.skip_space()
        line = self.line
        if self.at >= len(self.text) or self.text[self.at] == "[":
            return None
        if self.text[self.at] == "{":
            end = self.text.find("}", self.at)
            if end < 0:
                raise self.error("a '}' that ends the comment")
            comment = self.text[self.at + 1 : end]
            self.at = end + 1
            return _Word("comment", comment, line)
        if self.text[self.at] == '"':
            found = _QUOTED.match(self.text, self.at)
            if found is None:
                raise self.error("a move in quotes, then a space")
            self.at = found.end()
            return _Word("quoted", _unescape(found[1]), line)
        begin = self.at
        while self.at < len(self.text) and not self.text[self.at].isspace() and self.text[self.at] not in "{[":
            self.at += 1
        word = self.text[begin : self.at]
        return _Word("number" if _NUMBER.fullmatch(word) else "word", word, line)


def _parse_one(reader: _Reader, find_game: Callable[[str], Game]) -> Record:
    tags: dict[str, str] = {}
    lines: dict[str, int] = {}
    while True:
        reader.skip_space()
        line = reader.line
        tag = reader.tag()
        if tag is None:
            break
        name, value = tag
        if name in tags:
            raise NotationError(f"record, line {line}: tag {name} is given twice")
        tags[name], lines[name] = value, line
    for name in ("Game", "First", "Second", "Result"):
        if name not in tags:
            raise reader.error(f'the tag [{name} "…"]')
    seed = tags.get("Seed")
    if seed is not None and not re.fullmatch(r"-?[0-9]{1,100}", seed):
        raise NotationError(f"record, line {lines['Seed']}: expected a whole number as Seed, found {shorten(seed)}")
    try:
        game = find_game(tags["Game"])
    except LudometerError as error:
        raise NotationError(f"record, line {lines['Game']}: {error}") from error
    try:
        position = game.position(tags.get("Start", "start"))
    except LudometerError as error:
        raise NotationError(f"record, line {lines['Start']}: {error}") from error
    moves, positions, comments = _parse_moves(reader, position, tags["Result"])
    reason = _wrong_result(positions[-1], tags["Result"], tags.get("Ended"))
    if reason:
        raise NotationError(f"record, line {lines['Result']}: {reason}")
    record = Record(
        game=game,
        moves=tuple(moves),
        result=tags["Result"],
        first=tags["First"],
        second=tags["Second"],
        seed=None if seed is None else int(seed),
        start=tags.get("Start"),
        ended=tags.get("Ended"),
        tags={name: value for name, value in tags.items() if name not in _OWN_TAGS},
        comments=comments,
    )
    return record.replayed(positions)


def _parse_moves(reader: _Reader, position: Position, result: str) -> tuple[list[str], list[Position], dict[int, str]]:
    moves: list[str] = []
    positions = [position]
    comments: dict[int, str] = {}
    round_number = 0
    given = ""  # the last number, if no move has followed it
    while True:
        word = reader.word()
        if word is None:
            raise reader.error(f"a move or the result {result}")
        if word.kind == "comment":
            comments[len(moves)] = " ".join([*comments.get(len(moves), "").split(), *word.text.split()])
            continue
        # A move may be spelled like the result; it is in quotes then.
        if word.text == result and not given and (word.kind == "word" or positions[-1].is_over):
            return moves, positions, comments
        expected = _number_before(positions, len(moves), round_number)
        if word.kind == "number" and not given and word.text == expected:
            given = word.text
            continue
        if word.kind == "number" or given != expected or (word.kind == "word" and word.text in _RESULTS):
            wanted = "a move" if given or not expected else expected
            closing = "" if given else f" or the result {result}"
            raise NotationError(f"record, line {word.line}: expected {wanted}{closing}, found {shorten(word.text)}")
        try:
            move = positions[-1].parse_move(word.text)
        except (NotationError, IllegalMoveError) as error:
            raise NotationError(f"record, line {word.line}: {error}") from error
        moves.append(positions[-1].move_text(move))
        positions.append(positions[-1].play(move))
        round_number += bool(given)
        given = ""


def _number_before(positions: list[Position] | tuple[Position, ...], place: int, round_number: int) -> str:
    """The number before the move made in `positions[place]`: `1.`, `1...`, or nothing within a round."""
    player = positions[place].player
    if place == 0:
        return "1." if player == FIRST else "1..."
    if player == FIRST and positions[place - 1].player != FIRST:
        return f"{round_number + 1}."
    return ""


def _wrong_result(final: Position, result: str, ended: str | None) -> str | None:
    """Why a game that ended here cannot have this result; None if it can."""
    if final.is_over:
        if result != final.result:
            return f"expected the result {final.result}, to which the moves lead, found {shorten(result)}"
        return None if ended is None else f"expected no tag Ended, since the rules ended this game, found {shorten(ended)}"
    if result == UNFINISHED:
        return None
    if result not in _OUTCOMES:
        return f"expected the result {', '.join(_OUTCOMES)} or {UNFINISHED}, since the game is not over, found {shorten(result)}"
    if ended is None:
        return f"expected the result {UNFINISHED} or a tag Ended that says why, since the game is not over, found {result}"
    if ended == PLY_LIMIT and result != RESULT_TEXT[0]:
        return f"expected the result {RESULT_TEXT[0]} of a game that ran into the ply limit, found {result}"
    return None


def _quoted_if_needed(text: str, unlike: tuple[str, ...] = ()) -> str:
    """A move or result as one word: in quotes if it could be read as something else."""
    if not text or text in unlike or re.search(r'[\s{}\["\\]', text) or _NUMBER.fullmatch(text):
        return f'"{_escape(text)}"'
    return text


def _comment_words(comment: str) -> list[str]:
    return ("{" + comment + "}").split(" ")


def _wrapped(words: Iterator[str]) -> str:
    """Words on lines of at most LINE_WIDTH characters, if no word is longer."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE_WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


def _escape(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)


def _unescape(text: str) -> str:
    return _UNESCAPE.sub(lambda found: {"n": "\n", "r": "\r"}.get(found[1], found[1]), text)
