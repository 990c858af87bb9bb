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

from evaltui.child.lines import Ended, LineChild, LineTooLong
from evaltui.core.errors import (
    EVALUATOR_KEPT,
    EVALUATOR_NOT_LOADED,
    Problem,
    Severity,
    UserError,
)
from evaltui.core.permit import NOTHING
from evaltui.disk.codec import parse
from evaltui.evaluators.evaluator_child import LOAD_S, end_by_itself, first_line
from evaltui.evaluators.evaluator_host import EvaluatorHost
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.evaluators.registry import EvaluatorRegistry, create_registry
from evaltui.files import is_file, read_file
from evaltui.net.secret_mask import SecretMask

PYTHON = "Define it with `@define_evaluator` from `evaltui`"
FAULT, PRINTS = "evaluator", "evaluator-prints"


class LoadedEntry(Struct, frozen=True):
    """What one entry has, as of its last good loading."""

    entry: PluginEntry
    fingerprint: str
    definitions: tuple[EvaluatorDefinition, ...]
    files: frozenset[Path]
    host: EvaluatorHost
    problems: tuple[Problem, ...] = ()


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
        self._fresh: list[EvaluatorHost] = []
        self._is_closed = False

    def load(self, named: Sequence[PluginEntry]) -> LoadedEvaluators:
        """Blocks while children say what they have. Bad input becomes problems.

        What `permit` does not hold is left out, and nothing of it runs.
        """
        entries = [entry for entry in named if not self.permit.missing((entry.grant,))]
        is_left_out = len(entries) < len(named)
        changed = [entry for entry in dict.fromkeys(entries) if not self._is_known(entry)]
        if changed:
            with ThreadPoolExecutor(1) as pool:  # the caller's thread may have a loop that runs
                for entry, said in pool.submit(lambda: asyncio.run(self._ask(changed))).result():
                    self._take(entry, said)
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
        """Start the children of what was loaded last, on the event loop that will ask them."""
        for host in () if self._is_closed else self._fresh:
            host.warm_up()
        self._fresh.clear()

    async def close(self) -> None:
        """End every child, and start none any more."""
        self._is_closed = True
        await asyncio.gather(*(host.close() for host in self._hosts))

    def _is_known(self, entry: PluginEntry) -> bool:
        good, tried = self._good.get(entry), self._tried.get(entry)
        files = entry.files() | (good.files if good is not None else frozenset())
        fingerprint = entry.fingerprint(files)
        if tried is not None:
            return tried[0] == fingerprint
        return good is not None and good.fingerprint == fingerprint

    async def _ask(
        self, entries: Sequence[PluginEntry]
    ) -> list[tuple[PluginEntry, Mapping[str, Any]]]:
        said = await asyncio.gather(*(described(entry, self._mask) for entry in entries))
        return [*zip(entries, said, strict=True)]

    def _take(self, entry: PluginEntry, said: Mapping[str, Any]) -> None:
        before = self._good.get(entry)
        seen = entry.files() | (before.files if before is not None else frozenset())
        listed = said.get("evaluators")
        found = (
            _definitions(listed, entry)
            if isinstance(listed, list)
            else _fault(said, entry, is_kept=before is not None)
        )
        if isinstance(found, Problem):
            self._tried[entry] = entry.fingerprint(seen), found
            return
        self._tried.pop(entry, None)
        files = entry.files() | {Path(file) for file in said.get("files") or ()}
        host = EvaluatorHost(entry, said.get("source", b""), self._mask, self._print)
        self._hosts.add(host)
        self._fresh.append(host)
        definitions = tuple(host.evaluator(one) for one in found)
        printed = str(said.get("printed") or "").strip()
        problems = (_prints(entry, printed),) if printed else ()
        fingerprint = entry.fingerprint(files)
        self._good[entry] = LoadedEntry(
            entry, fingerprint, definitions, frozenset(files), host, problems
        )

    def _print(self, entry: str, text: str) -> None:
        self.on_print(entry, text)

    def _retire(self, kept: set[EvaluatorHost]) -> None:
        for host in self._hosts - kept:
            host.retire()


async def described(entry: PluginEntry, mask: SecretMask) -> Mapping[str, Any]:
    """What an entry says it has; `fault` and `why` in it when that cannot be found out.

    `source` is what was read of a file and ran.
    """
    source = b""
    if entry.path is not None:
        try:
            source = read_file(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            return {"fault": "not-found"}
        except OSError as error:
            return {"fault": "load", "why": error.strerror or type(error).__name__}
        if not entry.is_javascript and entry.path.suffix != ".py":
            return {"fault": "export", "why": "it is neither Python nor JavaScript"}
    try:
        child = await LineChild.start(entry.argv, cwd=entry.root)
    except (OSError, ValueError) as error:
        return {"fault": "start", "why": getattr(error, "strerror", None) or str(error)}
    try:
        child.say(first_line(entry, source))
        if entry.is_one_shot and child.child is not None:
            child.child.end_input()
        async with asyncio.timeout(LOAD_S):
            said = parse(mask.hide_body(await child.line()))
    except TimeoutError:
        return {"fault": "load", "why": f"it was not loaded within {LOAD_S:g} s"}
    except Ended:
        ending, end = await child.epitaph()
        end = mask.hide(end[-300:])
        return {"fault": "load", "why": f"its process {ending}{f': {end}' if end else ''}"}
    except (LineTooLong, ValueError, RecursionError):
        return {"fault": "load", "why": "it wrote something else than a line of JSON to stdout"}
    finally:
        await end_by_itself(child)
    if not isinstance(said, Mapping):
        return {"fault": "load", "why": "it wrote something else than an object of JSON"}
    return {**said, "source": source}


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
