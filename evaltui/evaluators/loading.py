"""Loads what the setting `evaluators` names: a child describes each entry; nothing runs here."""

import asyncio
from collections.abc import Callable, Container, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from weakref import WeakSet

from msgspec import Struct
from msgspec.structs import replace

from evaltui.child.lines import LineChild
from evaltui.core.errors import Problem, UserError
from evaltui.core.permit import NOTHING
from evaltui.evaluators.child_starter import ChildStarter
from evaltui.evaluators.describing import Describer
from evaltui.evaluators.evaluator_host import EvaluatorHost
from evaltui.evaluators.handshake import Described
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from evaltui.evaluators.loading_problems import EXPORT, FAULT, not_loaded, prints_while_loaded
from evaltui.evaluators.plugin_entry import NOTHING_MADE, EntryFiles, PluginEntry, prints_of
from evaltui.evaluators.registry import EvaluatorRegistry, create_registry
from evaltui.evaluators.reported_definitions import WrongDefinitions, reported_definitions
from evaltui.files import is_file
from evaltui.net.secret_mask import SecretMask

MOST_DATA = 16 << 20
"""Bytes of a file that an evaluator reads while it is loaded, so that it counts as part of it."""
SPARE_AFTER_S = 1.0
"""Seconds between a save and the start of what the next one is loaded by: judging comes first."""


class LoadedEntry(Struct, frozen=True):
    """What one entry has, as of its last good loading."""

    entry: PluginEntry
    fingerprint: str
    definitions: tuple[EvaluatorDefinition, ...]
    made_of: EntryFiles
    host: EvaluatorHost
    problems: tuple[Problem, ...] = ()


class SeenFiles(Struct, frozen=True):
    """The files of an entry before it was loaded."""

    files: frozenset[Path]
    fingerprint: str


class EvaluatorLoader:
    """Loads entries again when their files changed; one that cannot be loaded stays as it was."""

    def __init__(self, mask: SecretMask | None = None) -> None:
        self.permit = NOTHING
        """What was agreed to."""
        self.on_print: Callable[[str, str], None] = lambda _, __: None
        """Called, on the event loop, with an entry and what it printed while it judged."""
        self.outputs: frozenset[Path] = frozenset()
        """Folders that results are written to."""
        self._mask = mask or SecretMask()
        self._good: dict[PluginEntry, LoadedEntry] = {}
        self._tried: dict[PluginEntry, tuple[str, Problem]] = {}
        """By entry, of what could not be loaded: its fingerprint, and why."""
        self._written: dict[PluginEntry, frozenset[Path]] = {}
        """By entry, files that it was seen to write."""
        self._hosts = WeakSet[EvaluatorHost]()
        """Those that somebody may still ask: what is loaded, and runs that began before a save."""
        self._fresh: list[tuple[EvaluatorHost, Described]] = []
        """Loaded and not warmed up yet, maybe with a child that stays to judge."""
        self._describer = Describer(self._mask)
        self._spare_for: PluginEntry | None = None
        """One of those that were loaded last which an interpreter can be started for beforehand."""
        self._loop: asyncio.AbstractEventLoop | None = None
        """Where they judge; known once it was warmed up there."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    def _made_of(self, entry: PluginEntry, told: EntryFiles | None = None) -> EntryFiles:
        """All that it is made of, with what it `told`, by default as it was loaded last; but what
        it writes itself, or we do: that would be another after each of its verdicts."""
        good, written = self._good.get(entry), self._written.get(entry, frozenset())
        if told is None:
            told = good.made_of if good is not None else NOTHING_MADE
        seen = entry.made_of()
        awaited = seen.awaited | told.awaited
        came = frozenset(filter(is_file, awaited))

        def without_own(paths: frozenset[Path]) -> frozenset[Path]:
            return frozenset(one for one in paths if self.outputs.isdisjoint(one.parents)) - written

        files = without_own(seen.files | told.files | came)
        return EntryFiles(files, without_own(awaited - came), seen.are_all)

    def load(
        self, named: Sequence[PluginEntry], kept: Container[str] | None = None
    ) -> LoadedEvaluators:
        """Blocks while children say what they have. Bad input becomes problems; `kept` as for
        `create_registry`.

        What `permit` does not hold is left out, and nothing of it runs.
        """
        self._forget_all_but({*named})
        entries = [entry for entry in named if not self.permit.missing((entry.grant,))]
        is_left_out = len(entries) < len(named)
        self._spare_for = next((one for one in entries if one.is_served_by_us), None)
        seen = {one: self._seen(one) for one in dict.fromkeys(entries)}
        changed = {one: prints for one, (prints, is_known) in seen.items() if not is_known}
        if changed:
            for entry, found in self._described([*changed]):
                self._take(entry, changed[entry], found)
        if not entries:
            self._retire(set())
            return LoadedEvaluators(is_complete=not is_left_out, is_left_out=is_left_out)
        registry = create_registry(kept)
        problems: list[tuple[PluginEntry, Problem]] = []
        files: set[Path] = set()
        awaited: set[Path] = set()
        for number, entry in enumerate(entries):
            tried, good = self._tried.get(entry), self._good.get(entry)
            made_of = self._made_of(entry)
            files |= made_of.files
            awaited |= made_of.awaited
            if tried is not None:
                problems.append((entry, tried[1]))
            is_first = entry not in entries[:number]
            if good is not None and is_first:
                problems += [(entry, problem) for problem in good.problems]
                problems += ((entry, one) for one in _register(good, registry))
        self._retire({self._good[one].host for one in entries if one in self._good})
        complete = not is_left_out and not self._tried.keys() & set(entries)
        types = (one.type for entry in entries for one in self._definitions(entry))
        complete = complete and all(registry.registered(type_) is not None for type_ in types)
        registry.is_complete = complete
        return LoadedEvaluators(
            registry,
            tuple(problems),
            frozenset(files),
            frozenset(awaited),
            is_complete=complete,
            is_left_out=is_left_out,
        )

    def warm_up(self) -> None:
        """Have the children of what was loaded last ready, on the event loop that will ask them,
        and one that is to load what is saved next."""
        if self._is_closed:
            return
        is_first, self._loop = self._loop is None, asyncio.get_running_loop()
        for host, described in self._fresh:
            if described.child is not None:
                self._describer.hand_on(described.child)
            if described.child is not None or not is_first:
                host.warm_up(described)
        self._fresh.clear()
        if self._timer is not None:
            self._timer.cancel()
        after = 0.0 if is_first else SPARE_AFTER_S
        self._timer = self._loop.call_later(after, self._have_spare)

    async def begin_anew(self, since: float) -> None:
        """Have judged by what is loaded after that time, on the clock of the event loop."""
        await asyncio.gather(*(host.begin_anew(since) for host in self._hosts))

    async def close(self) -> None:
        """End every child, and start none any more."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(self._describer.close(), *(host.close() for host in self._hosts))

    def _have_spare(self) -> None:
        self._describer.have_spare(self._spare_for)

    def _definitions(self, entry: PluginEntry) -> tuple[EvaluatorDefinition, ...]:
        good = self._good.get(entry)
        return good.definitions if good is not None else ()

    def _seen(self, entry: PluginEntry) -> tuple[SeenFiles, bool]:
        """What its files are now, and whether they were loaded, or tried, like that."""
        good, tried = self._good.get(entry), self._tried.get(entry)
        files = self._made_of(entry).files
        seen = SeenFiles(files, entry.fingerprint(files))
        if tried is not None:
            return seen, tried[0] == seen.fingerprint
        return seen, good is not None and good.fingerprint == seen.fingerprint

    def _described(self, entries: Sequence[PluginEntry]) -> list[tuple[PluginEntry, Described]]:
        """On the loop where they judge, so that who describes one can go on; else on its own."""
        loop = self._loop
        if loop is not None and loop.is_running() and loop is not _loop_here():
            return asyncio.run_coroutine_threadsafe(self._ask(entries, stays=True), loop).result()
        with ThreadPoolExecutor(1) as pool:  # the caller's thread may have a loop that runs
            return pool.submit(lambda: asyncio.run(self._ask(entries, stays=False))).result()

    async def _ask(
        self, entries: Sequence[PluginEntry], *, stays: bool
    ) -> list[tuple[PluginEntry, Described]]:
        asked = (self._describer.describe(entry, stays=stays) for entry in entries)
        return [*zip(entries, await asyncio.gather(*asked), strict=True)]

    def _take(self, entry: PluginEntry, seen: SeenFiles, described: Described) -> None:
        before, said = self._good.get(entry), described.said
        source = described.source
        ran = {} if entry.path is None or source is None else {entry.path: source}
        listed = said.get("evaluators")
        found = reported_definitions(listed, entry) if isinstance(listed, list) else None
        if found is None or isinstance(found, WrongDefinitions):
            fault = found and {"fault": EXPORT, "why": found.why, "place": found.place}
            problem = not_loaded(fault or said, entry, is_kept=before is not None)
            self._tried[entry] = entry.fingerprint(seen.files, ran), problem
            self._drop(described.child)
            return
        self._tried.pop(entry, None)
        parts, missed = [*_paths(said.get("files"), entry.root)], frozenset[Path]()
        if not entry.is_command:
            self._take_written(entry, said.get("written"))
            parts += _data(said.get("read"), entry.root)
            missed = frozenset(_paths(said.get("missed"), entry.root))
        made_of = self._made_of(entry, EntryFiles(frozenset(parts), missed))
        files = made_of.files
        fingerprint, prints = entry.fingerprint(files, ran), prints_of(files, ran)

        def is_as_loaded() -> bool:
            still = files - self._written.get(entry, frozenset())
            return prints_of(still, ran).items() <= prints.items()

        starter = ChildStarter(
            entry,
            source or b"",
            self._mask,
            self._print,
            is_as_loaded,
            lambda written: self._take_written(entry, written),
        )
        host = EvaluatorHost(starter)
        self._hosts.add(host)
        if entry.fingerprint(seen.files, ran) != seen.fingerprint:
            # What it imports was saved meanwhile: one that starts now has loaded what is there.
            self._drop(described.child)
            described = replace(described, child=None)
        self._fresh.append((host, described))
        definitions = tuple(host.evaluator(one) for one in found)
        printed = str(said.get("printed") or "").strip()
        problems = (prints_while_loaded(entry, printed),) if printed else ()
        self._good[entry] = LoadedEntry(entry, fingerprint, definitions, made_of, host, problems)

    def _forget_all_but(self, named: set[PluginEntry]) -> None:
        for entry in (self._good.keys() | self._tried.keys()) - named:
            self._good.pop(entry, None)
            self._tried.pop(entry, None)

    def _take_written(self, entry: PluginEntry, listed: object) -> None:
        """It says that it opened these to write them: data that it keeps is no part of it."""
        known = self._written.get(entry, frozenset())
        self._written[entry] = known.union(
            one for one in _paths(listed, entry.root) if one.suffix != ".py"
        )

    def _drop(self, child: LineChild | None) -> None:
        """It said what it has, and is not to judge; from any thread."""
        if child is not None and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._describer.drop, child)

    def _print(self, entry: str, text: str) -> None:
        self.on_print(entry, text)

    def _retire(self, kept: set[EvaluatorHost]) -> None:
        for host in [*self._hosts]:
            if host not in kept:
                host.retire()


def _loop_here() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _paths(listed: object, root: Path) -> tuple[Path, ...]:
    """What a child says of files, below the root where they are not absolute: it is the project's,
    and may say anything."""
    return (
        tuple(root / one for one in listed if isinstance(one, str))
        if isinstance(listed, list)
        else ()
    )


def _data(listed: object, root: Path) -> Iterator[Path]:
    """Files that are read whole to see whether they changed, which has an end."""
    for path in _paths(listed, root):
        with suppress(OSError, ValueError):
            if path.stat().st_size <= MOST_DATA:
                yield path


def _register(good: LoadedEntry, registry: EvaluatorRegistry) -> list[Problem]:
    found: list[Problem] = []
    for definition in good.definitions:
        try:
            registry.register(
                definition,
                origin=good.entry.text,
                fingerprint=good.fingerprint,
                knows_files=good.made_of.are_all,
            )
        except UserError as error:
            found.append(Problem("", error.what, error.hint, code=FAULT))
    return found
