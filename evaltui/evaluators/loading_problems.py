"""Problems, in words, of an entry of `evaluators` that cannot be loaded."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from evaltui.core.errors import EVALUATOR_KEPT, EVALUATOR_NOT_LOADED, Problem, Severity
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.files import is_file

PYTHON = "Define it with `@define_evaluator` from `evaltui`"
DESCRIBE = 'Correct what it answers to `{"op": "describe"}`'
FAULT, PRINTS = "evaluator", "evaluator-prints"
EXPORT = "export"
"""The fault of one that was loaded, and whose evaluators are none."""


def not_loaded(said: Mapping[str, Any], entry: PluginEntry, *, is_kept: bool) -> Problem:
    """At the line that is wrong or the file, where that is known; else about the setting."""
    fault, why = said.get("fault"), str(said.get("why") or "it names no `evaluators`")
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
    if fault == EXPORT:
        found = _invalid_export(entry, why, stays)
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


def _invalid_export(entry: PluginEntry, why: str, stays: str) -> Problem:
    what = (
        f'Evaluator plugin "{entry.text}" has an invalid export. '
        "Use defineEvaluator() to create the export."
    )
    how = f" {DESCRIBE if entry.is_command else PYTHON}."
    if entry.is_javascript:
        how = " Correct it there."
    return Problem("", what, f"{why[:1].upper()}{why[1:]}.{how}{stays}", code=FAULT)


def prints_while_loaded(entry: PluginEntry, printed: str) -> Problem:
    """Loaded all the same."""
    what = f"`{entry.text}` prints while it is loaded: {printed[-200:]}"
    hint = "Prints are kept off the screen; move them below `if __name__ == ...`."
    return Problem("", what, hint, severity=Severity.LINT, code=PRINTS)
