"""Gambit's .nfg files, read; `Bimatrix.to_nfg` writes them."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from ludometer.core.errors import NotationError, SpecError, shorten
from ludometer.games.matrix.bimatrix import LONGEST_LABEL, MOST_ACTIONS, Bimatrix, numbered, parse_payoff

MOST_BYTES = 4_000_000  # of a file; a table of 100 × 100 long fractions is smaller
LONGEST_TITLE = 300

_TOKEN = re.compile(r'(?P<space>\s+)|(?P<text>"[^"\\]*(?:\\.[^"\\]*)*")|(?P<mark>[{},])|(?P<word>[^\s{},"]+)|(?P<open>")', re.DOTALL)


def load_nfg(path: str) -> Bimatrix:
    """The game in a Gambit .nfg file; raises SpecError if there is none, NotationError that names the line if it cannot be read."""
    try:
        file = Path(path).expanduser()
        if not file.is_file():
            raise SpecError(f"game matrix: there is no file {shorten(path)}")
        with file.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError, RuntimeError) as error:  # unreadable, a null character in the name, or no home folder
        raise SpecError(f"game matrix: the file {shorten(path)} cannot be read: {type(error).__name__}") from error
    if len(content) > MOST_BYTES:
        raise SpecError(f"game matrix: the file {shorten(path)} is larger than {MOST_BYTES // 1_000_000} MB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise NotationError(f"file {shorten(path)}, line {line}: byte 0x{content[error.start]:02x} is not UTF-8 text") from error
    return parse_nfg(text, f"file {shorten(path)}")


def parse_nfg(text: str, source: str = ".nfg text") -> Bimatrix:
    """The two-player game written in Gambit's .nfg format, payoff or outcome version; `source` names it in errors.

    NFG 1 R "title" { "player" "player" } { 2 3 } or { { "a" "b" } { "x" "y" "z" } }, perhaps a comment in quotes, and then
    the payoffs of both players for every pair of actions, the first player's action changing fastest; or a list of
    outcomes, { { "name" 1, 2 } … }, and for every pair the number of its outcome (0: both are paid nothing).
    """
    return _Reader(text, source).game()


class _Reader:
    """Reads one .nfg text from the front, a token at a time."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.at = 0  # where the token after this one begins
        self.begin = 0
        self.kind = ""  # text, mark, word, or end
        self.token = ""
        self.advance()

    def advance(self) -> None:
        """Go to the next token."""
        found = _TOKEN.match(self.text, self.at)
        if found is not None and found.lastgroup == "space":
            self.at = found.end()
            found = _TOKEN.match(self.text, self.at)
        self.begin = self.at
        if found is None:
            self.kind, self.token = "end", ""
            return
        if found.lastgroup == "open":
            raise self.error('this quotation mark is never closed; expected another "')
        assert found.lastgroup is not None
        self.kind, self.token, self.at = found.lastgroup, found.group(), found.end()

    def error(self, message: str) -> NotationError:
        line = self.text.count("\n", 0, self.begin) + 1
        return NotationError(f"{self.source}, line {line}: {message}")

    def expected(self, what: str) -> NotationError:
        found = "the file ends" if self.kind == "end" else f"{shorten(self.token)} stands"
        return self.error(f"{found} where {what} is expected")

    def skip(self, token: str, meaning: str) -> None:
        if self.token != token:
            raise self.expected(meaning)
        self.advance()

    def string(self, meaning: str, longest: int = LONGEST_LABEL) -> str:
        if self.kind != "text":
            raise self.expected(f"{meaning} in quotation marks")
        value = re.sub(r'\\(["\\])', r"\1", self.token[1:-1])
        if len(value) > longest:
            raise self.error(f"{meaning} has at most {longest} characters, unlike {shorten(value)}")
        self.advance()
        # Line ends and codes that steer a terminal have no place in a name.
        return "".join(character if character.isprintable() else " " for character in value)

    def number(self, meaning: str) -> Fraction:
        value = parse_payoff(self.token) if self.kind == "word" else None
        if value is None:
            raise self.expected(f"{meaning}, a number such as 3, -0.25 or 1/3,")
        self.advance()
        return value

    def whole(self, meaning: str, least: int, most: int) -> int:
        if self.kind != "word" or not re.fullmatch(r"\d{1,9}", self.token, re.ASCII) or not least <= int(self.token) <= most:
            raise self.expected(f"{meaning}, a whole number from {least} to {most},")
        value = int(self.token)
        self.advance()
        return value

    def game(self) -> Bimatrix:
        self.skip("NFG", "NFG, the first word of a strategic game,")
        self.skip("1", "1, the version of the format,")
        if self.token not in ("R", "D"):
            raise self.expected("R (or D)")
        self.advance()
        title = self.string("the title", LONGEST_TITLE)
        players = self.players()
        row_labels, column_labels = self.actions()
        if self.kind == "text":
            self.advance()  # a comment
        cells = self.outcomes(row_labels, column_labels) if self.token == "{" else self.payoffs(row_labels, column_labels)
        if self.kind != "end":
            raise self.expected("the end of the file")
        rows, columns = len(row_labels), len(column_labels)
        tables = [tuple(tuple(cells[j * rows + i][player] for j in range(columns)) for i in range(rows)) for player in range(2)]
        return Bimatrix(title, row_labels, column_labels, tables[0], tables[1], players)

    def players(self) -> tuple[str, str]:
        self.skip("{", "{ and the players")
        names = []
        while self.kind == "text":
            names.append(self.string("the name of a player"))
        if len(names) != 2:
            raise self.error(f"a matrix game has exactly 2 players, not {len(names)}")
        self.skip("}", "} after the players")
        return names[0], names[1]

    def actions(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The labels of both players' actions, numbers where the file gives only how many there are."""
        self.skip("{", "{ and the actions of both players")
        labels = []
        for who in ("first", "second"):
            if self.token == "{":
                self.advance()
                names: list[str] = []
                while self.kind == "text":
                    if len(names) == MOST_ACTIONS:
                        raise self.error(f"the {who} player has more than {MOST_ACTIONS} actions")
                    names.append(self.string("the name of an action"))
                if not names:
                    raise self.expected(f"an action of the {who} player in quotation marks")
                self.skip("}", f"}} after the {who} player's actions")
                labels.append(tuple(names))
            else:
                labels.append(numbered(self.whole(f"the number of the {who} player's actions", 1, MOST_ACTIONS)))
        self.skip("}", "} after the actions of both players")
        return labels[0], labels[1]

    def payoffs(self, row_labels: tuple[str, ...], column_labels: tuple[str, ...]) -> list[tuple[Fraction, Fraction]]:
        """Both payoffs of every cell, column by column."""
        cells = []
        for column in column_labels:
            for row in row_labels:
                where = f"for {shorten(row)} against {shorten(column)}"
                first = self.number(f"the first player's payoff {where}")
                self.skip_comma()
                cells.append((first, self.number(f"the second player's payoff {where}")))
                self.skip_comma()
        return cells

    def outcomes(self, row_labels: tuple[str, ...], column_labels: tuple[str, ...]) -> list[tuple[Fraction, Fraction]]:
        """The same from a list of outcomes and, for every cell, the number of one."""
        self.advance()
        known = [(Fraction(0), Fraction(0))]  # outcome 0
        while self.token == "{":
            self.advance()
            self.string("the name of an outcome", LONGEST_TITLE)
            first = self.number("the outcome's payoff for the first player")
            self.skip_comma()
            second = self.number("the outcome's payoff for the second player")
            self.skip("}", "} after the two payoffs of an outcome")
            known.append((first, second))
        self.skip("}", "} after the outcomes")
        most = len(known) - 1
        return [
            known[self.whole(f"the outcome of {shorten(row)} against {shorten(column)}", 0, most)]
            for column in column_labels
            for row in row_labels
        ]

    def skip_comma(self) -> None:
        if self.token == ",":
            self.advance()
