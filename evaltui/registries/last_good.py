"""The tools that a source listed when it could last be read, remembered across sessions."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Protocol

from msgspec.structs import replace

from evaltui.core.errors import Problem
from evaltui.core.json_value import Json
from evaltui.core.time_span import span_words
from evaltui.core.tool import LastGood, ToolDefinition
from evaltui.registries.source import SourceRead

_FRESH_S = 60.0
"""The time alone is not worth writing more often."""


class Shelf(Protocol):
    """Keeps last good tools between sessions, by source and place; neither method raises."""

    problems: list[Problem]
    """Damaged files found so far."""

    def load(self, source: str) -> Mapping[str, LastGood]: ...

    def keep(self, source: str, places: Mapping[str, LastGood]) -> None: ...


class NoShelf:
    """For reading without a memory."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def load(self, source: str) -> Mapping[str, LastGood]:  # noqa: ARG002
        return {}

    def keep(self, source: str, places: Mapping[str, LastGood]) -> None:
        pass


class LastGoodTools:
    """What is known of every source of one project."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._known: dict[str, Mapping[str, LastGood]] = {}

    def problems(self) -> list[Problem]:
        """What was found damaged since this was asked last."""
        found, self._shelf.problems = self._shelf.problems, []
        return found

    def of(self, source: str, location: str) -> Mapping[str, LastGood]:
        """By place; what was kept in an earlier session until this one has read the source."""
        if source not in self._known:
            self._known[source] = {
                place: LastGood(
                    tuple(replace(tool, source=location) for tool in kept.tools), kept.at
                )
                for place, kept in self._shelf.load(source).items()
            }
        return self._known[source]

    def note(self, source: str, read: SourceRead, now: float) -> dict[str, float]:
        """Keep what is good. Returns, by name, since when the tools that are down were known."""
        known = self._known.get(source, {})
        good: dict[str, list[ToolDefinition]] = {}
        for tool in read.tools:
            if tool.file not in read.down:
                good.setdefault(tool.file, []).append(tool)
        places = {place: kept for place, kept in known.items() if place in read.down}
        for place, tools in good.items():
            places[place] = LastGood(tuple(tools), read.listed.get(place, now))
        self._change(source, places)
        return {
            tool.name: read.listed.get(tool.file) or places[tool.file].at
            for tool in read.tools
            if tool.file in read.down and (tool.file in read.listed or tool.file in places)
        }

    def keep(self, source: str, location: str, tools: Sequence[ToolDefinition], now: float) -> None:
        """These are its tools; written only where they are others than what is known."""
        kept = self.of(source, location).values()
        known = {tool.name: tool for place in kept for tool in place.tools}
        if known != {tool.name: tool for tool in tools}:
            self.note(source, SourceRead(tuple(tools)), now)

    def touch(self, listed: Mapping[str, float]) -> None:
        """These places (seconds since the epoch, by place) answered as they had before."""
        for source, known in list(self._known.items()):
            later = {
                place: LastGood(kept.tools, max(kept.at, listed.get(place, 0.0)))
                for place, kept in known.items()
            }
            self._change(source, later)

    def _change(self, source: str, places: Mapping[str, LastGood]) -> None:
        known = self._known.get(source, {})
        is_new = known.keys() != places.keys() or any(
            kept.tools != known[place].tools or kept.at - known[place].at > _FRESH_S
            for place, kept in places.items()
        )
        if is_new:
            self._known[source] = places
            self._shelf.keep(source, places)


def source_id(type_: str, location: str, options: Mapping[str, Json]) -> str:
    """Names a source as configured, and tells nothing of its address, arguments and headers."""
    said = json.dumps([type_, location, dict(options)], sort_keys=True, default=str)
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def kept_words(number: int, at: float, lost_at: float = 0.0) -> str:
    """How many tools stay in force, when they were listed, and how long before the loss that was.

    The age of now would make another problem of it every second.
    """
    tools = "last good tool" if number == 1 else f"{number} last good tools"
    verb = "stays" if number == 1 else "stay"
    if not at:
        return f"Its {tools} {verb} in force."
    when = f"{datetime.fromtimestamp(at).astimezone():%Y-%m-%d %H:%M:%S}"
    age = f", {span_words(lost_at - at)} before that" if lost_at > at else ""
    return f"Its {tools} {verb} in force, listed {when}{age}."
