"""Loads what the setting `evaluators` names: a child each says what it has; nothing runs here."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from evaltui.child.lines import LineChild
from evaltui.core.errors import (
    EVALUATOR_KEPT,
    EVALUATOR_NOT_LOADED,
    Problem,
    Severity,
    UserError,
)
from evaltui.core.permit import NOTHING
from evaltui.evaluators.describing import Described, Describer
from evaltui.evaluators.evaluator_host import EvaluatorHost
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.evaluators.registry import EvaluatorRegistry, create_registry
from evaltui.files import is_file
from evaltui.net.secret_mask import SecretMask

PYTHON = "Define it with `@define_evaluator` from `evaltui`"
FAULT, PRINTS = "evaluator", "evaluator-prints"
SPARE_AFTER_S = 1.0
"""Seconds between a save and the start of what the next one is loaded by: judging comes first."""


class LoadedEntry(Struct, frozen=True):
    """What one entry has, as of its last good loading."""

    entry: PluginEntry
    fingerprint: str
    definitions: tuple[EvaluatorDefinition, ...]
    files: frozenset[Path]
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
        self._mask = mask or SecretMask()
        self._good: dict[PluginEntry, LoadedEntry] = {}
        self._tried: dict[PluginEntry, tuple[str, Problem]] = {}
        """By entry, of what could not be loaded: its fingerprint, and why."""
        self._hosts: set[EvaluatorHost] = set()
        self._fresh: list[tuple[EvaluatorHost, Described]] = []
        """Loaded and not warmed up yet, maybe with a child that stays to judge."""
        self._describer = Describer(self._mask)
        self._spare_for: PluginEntry | None = None
        """One of those that were loaded last which an interpreter can be started for beforehand."""
        self._loop: asyncio.AbstractEventLoop | None = None
        """Where they judge; known once it was warmed up there."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    def load(self, named: Sequence[PluginEntry]) -> LoadedEvaluators:
        """Blocks while children say what they have. Bad input becomes problems.

        What `permit` does not hold is left out, and nothing of it runs.
        """
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
        registry = create_registry()
        problems: list[tuple[PluginEntry, Problem]] = []
        files: set[Path] = set()
        for number, entry in enumerate(entries):
            tried, good = self._tried.get(entry), self._good.get(entry)
            files |= entry.files() | (good.files if good is not None else frozenset())
            if tried is not None:
                problems.append((entry, tried[1]))
            is_first = entry not in entries[:number]
            if good is not None and is_first:
                problems += [(entry, problem) for problem in good.problems]
                problems += ((entry, one) for one in _register(good, registry))
        self._retire({self._good[one].host for one in entries if one in self._good})
        complete = not is_left_out and not self._tried.keys() & set(entries)
        registry.is_complete = complete
        return LoadedEvaluators(registry, tuple(problems), frozenset(files), complete, is_left_out)

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

    async def close(self) -> None:
        """End every child, and start none any more."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(self._describer.close(), *(host.close() for host in self._hosts))

    def _have_spare(self) -> None:
        self._describer.have_spare(self._spare_for)

    def _seen(self, entry: PluginEntry) -> tuple[SeenFiles, bool]:
        """What its files are now, and whether they were loaded, or tried, like that."""
        good, tried = self._good.get(entry), self._tried.get(entry)
        files = entry.files() | (good.files if good is not None else frozenset())
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
        found = (
            _definitions(listed, entry)
            if isinstance(listed, list)
            else _fault(said, entry, is_kept=before is not None)
        )
        if isinstance(found, Problem):
            self._tried[entry] = entry.fingerprint(seen.files, ran), found
            self._drop(described.child)
            return
        self._tried.pop(entry, None)
        files = entry.files() | {Path(file) for file in said.get("files") or ()}
        host = EvaluatorHost(entry, source or b"", self._mask, self._print)
        self._hosts.add(host)
        if entry.fingerprint(seen.files, ran) != seen.fingerprint:
            # What it imports was saved meanwhile: one that starts now has loaded what is there.
            self._drop(described.child)
            described = replace(described, child=None)
        self._fresh.append((host, described))
        definitions = tuple(host.evaluator(one) for one in found)
        printed = str(said.get("printed") or "").strip()
        problems = (_prints(entry, printed),) if printed else ()
        fingerprint = entry.fingerprint(files, ran)
        self._good[entry] = LoadedEntry(
            entry, fingerprint, definitions, frozenset(files), host, problems
        )

    def _drop(self, child: LineChild | None) -> None:
        """It said what it has, and is not to judge; from any thread."""
        if child is not None and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._describer.drop, child)

    def _print(self, entry: str, text: str) -> None:
        self.on_print(entry, text)

    def _retire(self, kept: set[EvaluatorHost]) -> None:
        for host in self._hosts - kept:
            host.retire()


def _loop_here() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _register(good: LoadedEntry, registry: EvaluatorRegistry) -> list[Problem]:
    found: list[Problem] = []
    for definition in good.definitions:
        try:
            registry.register(definition, origin=good.entry.text, fingerprint=good.fingerprint)
        except UserError as error:
            found.append(Problem("", error.what, error.hint, code=FAULT))
    return found


def _definitions(
    listed: Sequence[object], entry: PluginEntry
) -> list[EvaluatorDefinition] | Problem:
    made: list[EvaluatorDefinition] = []
    for number, one in enumerate(listed, 1):
        wrong = f"evaluator {number} is no object" if not isinstance(one, Mapping) else ""
        values: Mapping[str, Any] = one if isinstance(one, Mapping) else {}
        for name in ("type", "label"):
            text = values.get(name)
            if not wrong and not (isinstance(text, str) and text.strip()):
                wrong = f"`{name}` of evaluator {number} is no text"
        if not wrong and values.get("kind") not in ("assertion", "metric"):
            wrong = f"`kind` of evaluator {number} is neither assertion nor metric"
        schema = values.get("configSchema")
        if not wrong and not isinstance(schema, Mapping | None):
            wrong = f"`configSchema` of evaluator {number} is no object"
        if wrong:
            return _invalid(entry, wrong)
        timeout = values.get("timeoutSeconds", entry.source.timeout_s)
        with suppress(TypeError, ValueError, OverflowError):
            timeout = float(timeout)
        made.append(
            EvaluatorDefinition(
                values["type"],
                values["label"],
                values["kind"],
                _not_here,
                str(values["description"]) if values.get("description") else None,
                schema,
                timeout if isinstance(timeout, float) and timeout > 0 else entry.source.timeout_s,
                values.get("hard") is not False,
                values.get("auto") is True,
            )
        )
    return made or _invalid(entry, "it lists no evaluator")


def _not_here(_: object) -> None:
    raise AssertionError("evaluators of a project run in their own process")


def _fault(said: Mapping[str, Any], entry: PluginEntry, *, is_kept: bool) -> Problem:
    """At the line that is wrong or the file, where that is known; else about the setting."""
    fault, why = said.get("fault"), str(said.get("why") or "it says no `evaluators`")
    stays = " The last version that could be loaded stays in use." if is_kept else ""
    name = entry.text
    if fault == "not-found":
        what = f'Evaluator plugin "{name}" not found. Make sure you\'ve built your project.'
        hint = f"Looked in: {entry.path}" if entry.path else _named(entry)
        return Problem("", what, f"{hint}{stays}", code=FAULT)
    if fault == "start" and entry.is_javascript:
        what = f'Evaluator plugin "{name}" needs Node, which cannot be started: {why}'
        return Problem("", what, f"Install Node, or put it on PATH.{stays}", code=FAULT)
    what = f'Evaluator plugin "{name}" could not be loaded: {why}'
    found = Problem("", what, f"Correct it.{stays}", code=FAULT)
    if fault == "export":
        found = _invalid(entry, why, stays)
    file, line = _place(said.get("place"), entry)
    if fault == "start" or not file:
        return found
    code = EVALUATOR_KEPT if is_kept else EVALUATOR_NOT_LOADED
    return replace(found, file=file, line=line, code=code)


def _place(said: object, entry: PluginEntry) -> tuple[str, int]:
    """File below the project's root and line, 1-based; empty and 0 where they are not known."""
    if entry.is_command:
        return "", 0
    match said:
        case [str(name), int(line)] if line > 0 and is_file(entry.root / name):
            if file := _below(entry.root / name, entry.root):
                return file, line
    return _below(entry.path, entry.root) if entry.path is not None else "", 0


def _below(path: Path, root: Path) -> str:
    """With `/`; empty for one that is elsewhere."""
    path = Path(os.path.normpath(path))
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else ""


def _named(entry: PluginEntry) -> str:
    name = entry.source.name
    if name.endswith((".py", ".js", ".mjs")):
        return f"A path begins with `./`: write `./{name}`."
    return f"Looked in: the entry points of evaltui.evaluators and the modules of {entry.argv[0]}"


def _invalid(entry: PluginEntry, why: str, stays: str = "") -> Problem:
    what = (
        f'Evaluator plugin "{entry.text}" has an invalid export. '
        "Use defineEvaluator() to create the export."
    )
    how = "" if entry.is_javascript else f" {PYTHON}."
    return Problem("", what, f"{why[:1].upper()}{why[1:]}.{how}{stays}", code=FAULT)


def _prints(entry: PluginEntry, printed: str) -> Problem:
    what = f"`{entry.text}` prints while it is loaded: {printed[-200:]}"
    hint = "Prints are kept off the screen; move them below `if __name__ == ...`."
    return Problem("", what, hint, severity=Severity.LINT, code=PRINTS)
