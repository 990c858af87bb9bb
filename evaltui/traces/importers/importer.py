"""What an importer is: how to tell its records, and how to read one."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from evaltui.core.json_value import JsonObject
from evaltui.core.key_path import KeyPath
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.trace_builder import TraceBuilder


class Record(Struct, frozen=True):
    """One object of the input that becomes one case, and where it stands."""

    value: JsonObject
    index: int
    """0-based; broken records count."""
    path: KeyPath = ()
    """Below the document that it stands in."""
    line: int = 0
    """1-based, where each line is a document; else 0."""
    is_gathered: bool = False
    """Whether it was put together of several, so that paths in it lead nowhere in the file."""


Gather: TypeAlias = Callable[[Sequence[Record]], Sequence[Record]]


class Importer(Struct, frozen=True):
    """A provider or framework whose records can be read."""

    claims: Callable[[JsonObject], bool]
    """Whether a record is of this form; the form decides, never what somebody said in it."""
    read: Callable[[Part, TraceBuilder], None]
    """Tell the builder what happened; raises nothing, whatever a record holds."""
    keys: frozenset[str]
    """Top-level keys that a record may have."""
    gather: Gather | None = None
    """Puts records together where one trace may be spread over several."""
    is_required: bool = True
    """Whether a folder of fixtures must have some of it."""
