"""What a registry source is asked, what it answers, and the protocol of its reader."""

import os
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from evaltui.core.errors import Problem
from evaltui.core.json_value import Json
from evaltui.core.tool import ToolDefinition


class SourceSettings(Protocol):
    """The part of a configured registry source that reading needs (`config.RegistrySource`)."""

    @property
    def type(self) -> str: ...
    @property
    def location(self) -> str: ...
    @property
    def options(self) -> Mapping[str, Json]: ...


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A source that nobody configured: it lies in one of the usual places."""

    type: str
    location: str
    options: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceRequest:
    root: Path
    """Project root; files are named relative to it."""
    location: str
    options: Mapping[str, Json] = field(default_factory=dict)
    previous: tuple[ToolDefinition, ...] = ()
    """The definitions in force until now, of every source."""
    found: bool = False
    """True when nobody configured it: what is no registry is then no mistake."""


@dataclass(frozen=True, slots=True)
class SourceRead:
    tools: tuple[ToolDefinition, ...] = ()
    """In source order; two of one name are both here, merging reports them."""
    files: tuple[str, ...] = ()
    """Every file looked at, also those that defined nothing."""
    problems: tuple[Problem, ...] = ()


class SourceReader(Protocol):
    """Reads one type of source; lives as long as its `RegistryReader` and may remember.

    `read` raises nothing for bad input: it answers with problems. It may be a coroutine
    function. A `live` source can change without any file changing.
    """

    live: bool

    def read(self, request: SourceRequest) -> SourceRead | Awaitable[SourceRead]: ...


def shown_path(path: Path, root: Path) -> str:
    """`path` relative to `root`, with `/`; `../` leads out of the project."""
    try:
        return Path(os.path.relpath(path, root)).as_posix()
    except ValueError:  # another drive on Windows
        return path.as_posix()
