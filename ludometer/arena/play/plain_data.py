"""Validated reading of documents from outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludometer.core.errors import NotationError, shorten


class Fields:
    """The values of a document by their keys; a missing key and a value of another type raise NotationError."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    def _value(self, key: str, what: str, *types: type) -> Any:
        if key not in self._document:
            raise NotationError(f"document: there is no {key}")
        value = self._document[key]
        if not _is(value, *types):
            raise NotationError(f"document: {key} is {what}, not {shorten(repr(value))}")
        return value

    def text(self, key: str) -> str:
        return str(self._value(key, "a text", str))

    def text_or_none(self, key: str) -> str | None:
        value = self._value(key, "a text or null", str, type(None))
        return None if value is None else str(value)

    def whole_number(self, key: str) -> int:
        return int(self._value(key, "a whole number", int))

    def whole_number_or_none(self, key: str) -> int | None:
        value = self._value(key, "a whole number or null", int, type(None))
        return None if value is None else int(value)

    def _list(self, key: str, what: str, *types: type) -> list[Any]:
        values: list[Any] = self._value(key, what, list)
        if not all(_is(value, *types) for value in values):
            raise NotationError(f"document: {key} is {what}, not {shorten(repr(values))}")
        return values

    def texts(self, key: str) -> list[str]:
        return self._list(key, "a list of texts", str)

    def numbers(self, key: str) -> list[float]:
        return [float(number) for number in self._list(key, "a list of numbers", int, float)]

    def two_numbers(self, key: str) -> tuple[float | None, float | None]:
        """Each of them may be null."""
        values = self._list(key, "a list of two numbers", int, float, type(None))
        if len(values) != 2:
            raise NotationError(f"document: {key} is a list of two numbers, not of {len(values)}")
        return values[0], values[1]

    def lists_of_texts(self, key: str) -> list[list[str]]:
        lists = self._list(key, "a list of lists of texts", list)
        if not all(isinstance(text, str) for texts in lists for text in texts):
            raise NotationError(f"document: {key} is a list of lists of texts, not {shorten(repr(lists))}")
        return lists


def _is(value: Any, *types: type) -> bool:
    """Whether a value is of one of these types; a bool does not count as a number."""
    return isinstance(value, types) and not isinstance(value, bool)
