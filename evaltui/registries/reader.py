"""Reads every configured registry source and merges them into one `ToolRegistry`."""

import importlib
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.errors import Problem
from evaltui.core.permit import NOTHING, Permit, not_trusted
from evaltui.core.response import ToolCall
from evaltui.core.tool import LastGood, ToolDefinition, ToolRegistry
from evaltui.files import Places
from evaltui.net.secret_mask import SecretResolver
from evaltui.registries.discovery import settle, unread_server
from evaltui.registries.grants import own_places, source_grants
from evaltui.registries.last_good import LastGoodTools, NoShelf, Shelf, source_id
from evaltui.registries.lost_sources import with_stand_ins
from evaltui.registries.merging import merge
from evaltui.registries.source import (
    LiveReader,
    SourceRead,
    SourceReader,
    SourceRequest,
    SourceSettings,
)
from evaltui.registries.text_file import PASSED_OVER

if TYPE_CHECKING:
    import asyncio


class ReadRegistry(Struct, frozen=True):
    registry: ToolRegistry
    problems: tuple[Problem, ...] = ()


class RegistryReader:
    """Reads registries again and again: parses only what changed, keeps unchanged definitions.

    One reader belongs to one project. Safe to call from any thread; calls wait for each other.
    """

    def __init__(
        self,
        secrets_of: Callable[[Path], SecretResolver] | None = None,
        shelf: Shelf | None = None,
        clock: Callable[[], float] = time.time,
        permit: Permit = NOTHING,
    ) -> None:
        """`secrets_of` gives the secrets of a project root to sources that need some.

        `shelf` keeps the last good tools of sources that can be down between sessions.
        `permit` is what was agreed to: other sources that run or ask something are left out.
        """
        self.permit = permit
        self.outside: tuple[Path, ...] = ()
        """Folders outside of the project in which files may be read."""
        self.recalls_files = False
        """Whether files that cannot be read at first have the tools that an earlier session kept
        of them."""
        self.on_change: Callable[[str], None] = lambda _: None
        """Called with the place of a live source that changed, from any thread."""
        self._secrets_of = secrets_of or (lambda _: SecretResolver())
        self._readers: dict[str, SourceReader] = {}
        self._last: ToolRegistry | None = None
        self._settled: list[tuple[str, SourceSettings]] = []
        """The sources that were read last."""
        self._kept = LastGoodTools(shelf or NoShelf())
        self._clock = clock
        self._lock = Lock()
        self._reading: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None
        self._is_closed = False

    def read(
        self,
        root: Path,
        sources: Sequence[SourceSettings] = (),
        previous: ToolRegistry | None = None,
    ) -> ReadRegistry:
        """The registry as the files are now; bad input becomes problems, never an exception.

        `sources` empty: the usual places below `root`. `previous`: what was in force, for files
        that do not parse; by default what this reader read last.
        """
        with self._lock:
            before = previous if previous is not None else self._last
            recalls = self.recalls_files and before is None
            before = before or ToolRegistry()
            settled, problems = settle(root, sources)
            self._settled = settled
            for live in self._live():
                live.keep({source.location for _, source in settled})
            reads: list[SourceRead] = []
            as_of: dict[str, float] = {}
            for type_, source in settled:
                request = self._request(root, source, before, found=not sources)
                reads.append(self._read_one(type_, request, recalls=recalls))
                if type_ in self._readers and self._readers[type_].can_be_down:
                    id_ = source_id(type_, source.location, source.options)
                    as_of |= self._kept.note(id_, reads[-1], self._clock())
            if sources:
                named = [source for _, source in settled]
                reads, problems = with_stand_ins(named, reads, problems, before)
            problems = [*problems, *self._kept.problems()]
            if not sources and not any(read.tools or read.problems for read in reads):
                problems += unread_server(root)
            return self._finish(reads, problems, before, as_of, configured=bool(sources))

    def keep(self, registry: ToolRegistry) -> None:
        """Have later sessions know the tools that these are by their files: results are made with
        them. Sources that can be down are kept with each reading."""
        with self._lock:
            for type_, source in self._settled:
                if type_ in self._readers and not self._readers[type_].can_be_down:
                    id_ = source_id(type_, source.location, source.options)
                    tools = [tool for tool in registry if tool.source == source.location]
                    self._kept.keep(id_, source.location, tools, self._clock())

    def is_live(self, root: Path, sources: Sequence[SourceSettings] = ()) -> bool:
        """Whether a source can change without any file changing, e.g. a server."""
        settled, _ = settle(root, sources)
        return any(self._reader(type_).live for type_, _ in settled)

    async def execute(self, call: ToolCall) -> ToolCall:
        """Execute a call for real, on the live source its tool comes from."""
        tool = None if self._last is None else self._last.get(call.name)
        if tool is None:
            error = f"there is no tool `{call.name}`"
            return replace(call, success=False, error=error, duration_ms=0.0)
        for live in self._live():
            if live.owns(tool):
                return await live.call(tool, call)
        error = f"`{call.name}` comes from {tool.file or tool.source}, which executes nothing"
        return replace(call, success=False, error=error, duration_ms=0.0)

    def close(self) -> None:
        """End what is being read and what live sources started.

        Takes seconds when a server does not want to end.
        """
        self._is_closed = True
        if (reading := self._reading) is not None:
            loop, task = reading
            with suppress(RuntimeError):  # it has just ended
                loop.call_soon_threadsafe(task.cancel)
        for live in self._live():
            self._kept.touch(live.last_listed())
            live.close()

    def _tell(self, place: str) -> None:
        self.on_change(place)

    def _live(self) -> list[LiveReader]:
        return [reader for reader in self._readers.values() if isinstance(reader, LiveReader)]

    def _request(
        self, root: Path, source: SourceSettings, before: ToolRegistry, *, found: bool
    ) -> SourceRequest:
        return SourceRequest(
            root,
            source.location,
            source.options,
            tuple(before.tools.values()),
            places=Places(root, *self.outside, *own_places(root, source)),
            found=found,
            is_ended=lambda: self._is_closed,
            key=source.key,
        )

    def _reader(self, type_: str) -> SourceReader:
        from evaltui.registries import SOURCES

        if type_ not in self._readers:
            module, _, name = SOURCES[type_].partition(":")
            reader: SourceReader = getattr(importlib.import_module(module), name)()
            if isinstance(reader, LiveReader):
                reader.secrets_of = self._secrets_of
                reader.on_change = self._tell
            self._readers[type_] = reader
        return self._readers[type_]

    def _read_one(self, type_: str, request: SourceRequest, *, recalls: bool) -> SourceRead:
        try:
            if refused := self.permit.missing(source_grants(type_, request.root, request)):
                return SourceRead(problems=tuple(not_trusted(one) for one in refused))
            reader = self._reader(type_)
            if isinstance(reader, LiveReader):
                reader.permit = self.permit
            if reader.can_be_down or recalls:
                id_ = source_id(type_, request.location, request.options)
                request = _reminded(request, self._kept.of(id_, request.location))
            answer = reader.read(request)
            if isinstance(answer, SourceRead):
                return answer
            return _run_to_end(self._noted(cast("Coroutine[Any, Any, SourceRead]", answer)))
        except Exception as error:
            # A reader that fails must not take the other sources with it.
            kept = tuple(tool for tool in request.previous if tool.source == request.location)
            what = f"reading this registry failed ({type(error).__name__}: {error})"
            hint = "Its last definitions stay; please report this with the file."
            problem = Problem(request.location, what, hint, code="registry-reader")
            files = tuple(dict.fromkeys(tool.file for tool in kept))
            return SourceRead(kept, files, (problem,), frozenset(files))

    async def _noted(self, work: Coroutine[Any, Any, SourceRead]) -> SourceRead:
        """Do it so that `close` can break it off, from another thread."""
        import asyncio

        task = asyncio.current_task()
        assert task is not None
        self._reading = asyncio.get_running_loop(), task
        try:
            return await work
        finally:
            self._reading = None

    def _finish(
        self,
        reads: Sequence[SourceRead],
        problems: list[Problem],
        before: ToolRegistry,
        as_of: Mapping[str, float],
        configured: bool,
    ) -> ReadRegistry:
        tools, collisions = merge(tool for read in reads for tool in read.tools)
        problems += _without_named(reads)
        problems += collisions
        kept = {name: _same_object(tool, before) for name, tool in tools.items()}
        files = tuple(dict.fromkeys(file for read in reads for file in read.files))
        is_configured = configured or bool(kept) or bool(problems)
        registry = ToolRegistry(kept, files, is_configured, as_of)
        self._last = registry
        return ReadRegistry(registry, tuple(dict.fromkeys(problems)))


def read_registry(
    root: Path, sources: Sequence[SourceSettings] = (), previous: ToolRegistry | None = None
) -> ReadRegistry:
    """Read once, without memory: see `RegistryReader.read`."""
    return RegistryReader().read(root, sources, previous)


def _reminded(request: SourceRequest, kept: Mapping[str, LastGood]) -> SourceRequest:
    """With what an earlier session knew of this source, where this one knows nothing yet."""
    here = {tool.file for tool in request.previous if tool.source == request.location}
    known = (tool for place, last in kept.items() if place not in here for tool in last.tools)
    listed = {place: last.at for place, last in kept.items()}
    return replace(request, previous=(*request.previous, *known), listed=listed)


def _without_named(reads: Sequence[SourceRead]) -> Iterator[Problem]:
    """What the sources say, but for files that one passes over and another one reads."""
    files = [{tool.file for tool in read.tools} for read in reads]
    for index, read in enumerate(reads):
        elsewhere = set[str]().union(*files[:index], *files[index + 1 :])
        for problem in read.problems:
            if problem.code != PASSED_OVER or problem.file not in elsewhere:
                yield problem


def _same_object(tool: ToolDefinition, before: ToolRegistry) -> ToolDefinition:
    old = before.get(tool.name)
    return old if old is not None and old == tool else tool


def _run_to_end(work: Coroutine[Any, Any, SourceRead]) -> SourceRead:
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
