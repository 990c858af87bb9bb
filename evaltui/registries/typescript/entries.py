"""Which script files a source names, and the tools that each of them offers."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.files import is_folder
from evaltui.registries.discovery import (
    SCRIPTS,
    SKIPPED,
    TOOL_FILE,
    is_glob,
    skipped_by,
    speaks_of_tools,
    walk,
)
from evaltui.registries.typescript.candidate import Candidate, Opaque, is_certain
from evaltui.registries.typescript.candidates import candidates
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.names import binding, export_names, exported
from evaltui.registries.typescript.plain import unknown_at
from evaltui.registries.typescript.scope import scope_of
from evaltui.registries.typescript.values import Arr, Call, External, Obj, Unknown, Value

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator

COMPLETE_LISTS = ("ALL_TOOLS", "allTools", "AllTools", "TOOLS", "tools")
"""Exported names that mean: these are all the tools."""
_TESTS = (".test.", ".spec.", ".d.ts", ".stories.", ".eval.")


def entry_files(root: Path, location: str) -> list[Path]:
    """The files a source means: one file, `*.tool.ts` or all scripts of a folder, or a glob."""
    path = root / location
    if is_glob(location):
        skipped = skipped_by(location)
        found = (file for file in root.glob(location) if _is_entry(file, root, skipped))
        return sorted(found)
    if not is_folder(path):
        return [path]
    files = sorted(file for file in walk(path) if _is_entry(file, path))
    named = [file for file in files if TOOL_FILE.match(file.name)]
    return named or files


def files_beside(root: Path, location: str) -> list[Path]:
    """The scripts of a folder that its `*.tool.ts` keep out, those that speak of tools."""
    path = root / location
    if is_glob(location) or not is_folder(path):
        return []
    files = sorted(file for file in walk(path) if _is_entry(file, path))
    others = [file for file in files if not TOOL_FILE.match(file.name)]
    return [file for file in others if speaks_of_tools(file)] if len(others) < len(files) else []


def _is_entry(file: Path, below: Path, skipped: frozenset[str] = SKIPPED) -> bool:
    is_skipped = not skipped.isdisjoint(file.relative_to(below).parts[:-1])
    is_test = any(mark in file.name for mark in _TESTS)
    return file.name.endswith(SCRIPTS) and not is_skipped and not is_test


def offered(module: Module, evaluator: "Evaluator") -> list[Candidate | Opaque]:
    """The tools of an entry file: its complete list, else its exports, else what it declares."""
    names = export_names(module, evaluator)
    for name in names:
        if name in COMPLETE_LISTS:
            listed = _exported(name, module, evaluator, listed=True)
            if any(isinstance(found, Candidate) for found in listed):
                return listed
    found = [item for name in names for item in _exported(name, module, evaluator, listed=False)]
    found = list(filter(is_certain, found))
    found = found or _declared(module, evaluator) or list(_inline_lists(module, evaluator))
    return found + list(_unread(names, module, evaluator))


def _unread(names: Sequence[str], module: Module, evaluator: "Evaluator") -> Iterator[Opaque]:
    """What hides the tools of an exported list that is complete by its name."""
    for name in names:
        slot = exported(name, module, evaluator) if name in COMPLETE_LISTS else None
        if slot is None or any(_readable(slot.value, evaluator, name, listed=True)):
            continue
        match slot.value:
            case Arr(hole=hole) | Obj(hole=hole) if hole is not None:
                yield Opaque(hole)
            case Arr(items=items) if any(_is_hidden(each.value) for each in items):
                yield Opaque(unknown_at(slot))
            case Obj(entries=entries) if any(_is_hidden(each.value) for each in entries.values()):
                yield Opaque(unknown_at(slot))
            case External():
                yield Opaque(_taken(name, module))
            case value if _is_hidden(value):
                yield Opaque(unknown_at(slot))


def _taken(name: str, module: Module) -> Unknown:
    """What a module exports under a name that it takes from a package."""
    own = next((one for one in reversed(module.exports) if one.name == name), None)
    source = None if own is None else own.source or module.imports.get(own.local)
    return Unknown(name, module.shown, 1 if source is None else source.line)


def _is_hidden(value: Value) -> bool:
    """Whether a value may be a tool, or a list of some, for all that is known."""
    return isinstance(value, Unknown | Call | External)


def lists_in(module: Module, evaluator: "Evaluator") -> list[Candidate | Opaque]:
    """Lists and maps of tools that a module exports under a name that ends in `tools`."""
    names = [name for name in export_names(module, evaluator) if name.lower().endswith("tools")]
    return [item for name in names for item in _exported(name, module, evaluator, listed=True)]


def _exported(
    name: str, module: Module, evaluator: "Evaluator", *, listed: bool
) -> list[Candidate | Opaque]:
    slot = exported(name, module, evaluator)
    if slot is None:
        return []
    key = name
    if name == "default":
        key = slot.module.shown.rpartition("/")[2].split(".")[0]
    is_tool_file = TOOL_FILE.match(slot.module.path.rpartition("/")[2]) is not None
    return list(_readable(slot.value, evaluator, key, listed=listed or is_tool_file))


def _readable(
    value: Value, evaluator: "Evaluator", key: str, *, listed: bool
) -> Iterator[Candidate | Opaque]:
    found = list(candidates(value, evaluator, key, listed=listed))
    if isinstance(value, Arr | Obj) and not any(map(is_certain, found)):
        return
    yield from found


def _declared(module: Module, evaluator: "Evaluator") -> list[Candidate | Opaque]:
    found: list[Candidate | Opaque] = []
    for name in module.declarations:
        slot = binding(name, module, evaluator)
        if slot is not None:
            listed = name.lower().endswith("tools")
            found += _readable(slot.value, evaluator, name, listed=listed)
    return found


def _inline_lists(module: Module, evaluator: "Evaluator") -> Iterator[Candidate | Opaque]:
    """`{ tools: [ … ] }` inside a function, as servers answer a request for the list.

    The list may also be a name: `const tools = [ … ]; return { tools };`.
    """
    pending = [module.root] if module.root is not None and b"tools" in module.data else []
    while pending:
        node = pending.pop()
        value = _tools_of(node, module)
        if value is None:
            pending.extend(reversed(node.named_children))
            continue
        found = list(
            _readable(
                evaluator.evaluate(value, scope_of(value, module)), evaluator, "", listed=True
            )
        )
        yield from found


_LISTS = ("array", "object", "identifier", "as_expression", "satisfies_expression")


def _tools_of(node: "Node", module: Module) -> "Node | None":
    """The value of `tools` in an object."""
    if node.type == "shorthand_property_identifier":
        return node if module.text(node) == "tools" else None
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if node.type != "pair" or key is None or value is None or value.type not in _LISTS:
        return None
    return value if module.text(key) == "tools" else None
