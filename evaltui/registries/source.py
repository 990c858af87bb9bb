"""What a registry source is asked, what it answers, and the protocol of its reader."""

import os
from collections.abc import Awaitable, Callable, Collection, Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct, field

from evaltui.core.errors import Problem
from evaltui.core.json_value import Json
from evaltui.core.permit import Permit
from evaltui.core.response import ToolCall
from evaltui.core.tool import ToolDefinition
from evaltui.files import Places
from evaltui.net.secret_mask import SecretResolver


class SourceSettings(Protocol):
    """The part of a configured registry source that reading needs (`config.RegistrySource`)."""

    @property
    def type(self) -> str: ...
    @property
    def location(self) -> str: ...
    @property
    def options(self) -> Mapping[str, Json]: ...
    @property
    def key(self) -> str: ...


class FoundSource(Struct, frozen=True):
    """A source that nobody configured: it lies in one of the usual places."""

    type: str
    location: str
    options: Mapping[str, Json] = field(default_factory=dict)
    key: str = "registry"
    """The setting that would name it."""


class SourceRequest(Struct, frozen=True):
    root: Path
    """Project root; files are named relative to it."""
    location: str
    options: Mapping[str, Json] = field(default_factory=dict)
    previous: tuple[ToolDefinition, ...] = ()
    """The definitions in force until now, of every source."""
    listed: Mapping[str, float] = field(default_factory=dict)
    """By place (`ToolDefinition.file`) of this source, when its definitions were last good."""
    places: Places | None = None
    """Where files may be read; `None`: anywhere."""
    found: bool = False
    """True when nobody configured it: what is no registry is then no mistake."""
    is_ended: Callable[[], bool] = lambda: False
    """Whether nobody waits for the answer any more; from then on any answer will do."""
    key: str = "registry"
    """The setting that names it."""


class SourceRead(Struct, frozen=True):
    tools: tuple[ToolDefinition, ...] = ()
    """In source order; two of one name are both here, merging reports them."""
    files: tuple[str, ...] = ()
    """Every file looked at, also those that defined nothing."""
    problems: tuple[Problem, ...] = ()
    down: frozenset[str] = frozenset()
    """Places (`ToolDefinition.file`) that cannot be read now: their tools are the last good."""
    listed: Mapping[str, float] = field(default_factory=dict)
    """By place, when its tools were listed, in seconds since the epoch; else: just now."""


class SourceReader(Protocol):
    """Reads one type of source; lives as long as its `RegistryReader` and may remember.

    `read` raises nothing for bad input: it answers with problems. It may be a coroutine
    function. A `live` source can change without any file changing. One that `can_be_down` though
    its files are in order has its last good tools kept on disk.
    """

    live: bool
    can_be_down: bool

    def read(self, request: SourceRequest) -> SourceRead | Awaitable[SourceRead]: ...


@runtime_checkable
class LiveReader(Protocol):
    """A reader that stays connected: it tells of changes, and can execute what it listed."""

    live: bool
    permit: Permit
    """What was agreed to: nothing else is started or connected to."""
    secrets_of: Callable[[Path], SecretResolver]
    on_change: Callable[[str], None]
    """Called with the place of a source that changed, from any thread."""

    def read(self, request: SourceRequest) -> SourceRead: ...

    def keep(self, locations: Collection[str]) -> None:
        """Let go of every source that is not among these."""
        ...

    def last_listed(self) -> Mapping[str, float]:
        """By place, when each source that answers now did so last (seconds since the epoch)."""
        ...

    def owns(self, tool: ToolDefinition) -> bool: ...

    async def call(self, tool: ToolDefinition, call: ToolCall) -> ToolCall: ...

    def close(self) -> None: ...


def shown_path(path: Path, root: Path) -> str:
    """`path` relative to `root`, with `/`; `../` leads out of the project."""
    try:
        return Path(os.path.relpath(path, root)).as_posix()
    except ValueError:  # another drive on Windows
        return path.as_posix()
