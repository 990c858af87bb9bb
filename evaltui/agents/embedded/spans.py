"""Pieces of a message that may fill a parameter: what they are and what stands around them."""

from enum import StrEnum
from typing import NamedTuple

from evaltui.core.json_value import Json


class SpanKind(StrEnum):
    URL = "url"
    EMAIL = "email"
    QUOTED = "quoted"
    LIST = "list"
    DATE = "date"
    RELATIVE = "relative date"
    TIME = "time"
    ADDRESS = "address"
    PATH = "path"
    EXPRESSION = "expression"
    ID = "id"
    NUMBER = "number"
    NAME = "name"
    PHRASE = "phrase"
    RUN = "run"
    """Several spans of one kind joined by commas and `and`."""


class Span(NamedTuple):
    """One candidate value."""

    kind: SpanKind
    text: str
    """As written, without quotes."""
    start: int
    end: int
    """Characters of the message, end exclusive."""
    value: Json
    """The number, list or parsed date; the text for other kinds."""
    stems: frozenset[str]
    near: dict[str, float]
    """Stems around it by closeness, 1 for the nearest."""
    preposition: str = ""
    label: str = ""
    """The word just before it, articles and `is` aside."""
    unit: str = ""
    item_kind: SpanKind | None = None
    """What a run is made of."""
    clause: int = 0
