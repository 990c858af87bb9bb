"""Tools registered by a statement: `server.tool("name", …)`, `registerTool`, `addTool` …."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeGuard

from msgspec.structs import replace

from evaltui.registries.typescript.arguments import positional
from evaltui.registries.typescript.callers import runs
from evaltui.registries.typescript.candidate import SERVER, Candidate, Opaque, Place, proxied
from evaltui.registries.typescript.candidates import candidates
from evaltui.registries.typescript.function_calls import named_calls
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.plain import unknown_at
from evaltui.registries.typescript.scope import Scope, scope_of
from evaltui.registries.typescript.syntax import called
from evaltui.registries.typescript.values import UNDEFINED, Arr, Obj, Slot, Value

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator

_MENTION = re.compile(rb"\.\s*(?:tool|(?:register|add)\w*Tool\w*)\s*(?:<[^()]*>)?\(")
_METHOD = re.compile(r"(?:tool|(?:register|add)\w*Tool\w*)$")
_NOT_REGISTERED = ("version", "category", "status", "deprecated")
"""What is said of a tool without being handed to the server."""


def reachable(entries: list[Module], evaluator: "Evaluator") -> list[Module]:
    """The modules and what they import, in order of import, packages left out."""
    found: dict[str, Module] = {}
    pending = list(reversed(entries))
    while pending:
        module = pending.pop()
        if module.path in found:
            continue
        found[module.path] = module
        sources = [*module.imports.values(), *module.effects]
        sources.sort(key=lambda source: source.line)
        sources += [export.source for export in module.exports if export.source is not None]
        targets = [
            evaluator.program.imported(source.specifier, module, source.line) for source in sources
        ]
        pending += [target for target in reversed(targets) if target is not None]
    return list(found.values())


def registrations(
    module: Module, around: Sequence[Module], evaluator: "Evaluator"
) -> Iterator[Candidate | Opaque]:
    """Tools that the module's code registers when it runs, in source order.

    `around` are the modules in which functions that register may be called.
    """
    modules = (module, *(other for other in around if other is not module))
    for call in _calls(module):
        if module.is_broken and call.has_error:
            continue
        for found in _registered(call, modules, evaluator):
            yield found if isinstance(found, Opaque) else replace(found, call=Place(module, call))
        for change in _changed_later(call, module):
            yield Opaque(evaluator.unknown(change, scope_of(change, module)), in_group=True)


def _changed_later(call: "Node", module: Module) -> "Iterator[Node]":
    """Calls that change or take away what a call has registered: `const a = …; a.disable()`."""
    outer = call.parent
    if outer is None:
        return
    method = outer.child_by_field_name("property")
    if method is not None and module.text(method) in _CHANGES and outer.parent is not None:
        yield outer.parent
    name = outer.child_by_field_name("name" if outer.type == "variable_declarator" else "left")
    for later in named_calls(module).get(module.text(name), ()) if name is not None else ():
        callee = called(later)
        method = None if callee is None else callee.child_by_field_name("property")
        if method is not None and module.text(method) in _CHANGES:
            yield later


_CHANGES = frozenset(("update", "disable", "remove"))
"""Methods of what `registerTool` returns."""


def _calls(module: Module) -> list["Node"]:
    """Calls that may register a tool, in source order."""
    lists = any(_is_of_tools(name) for name in module.imports) and b".push(" in module.data
    is_possible = lists or _MENTION.search(module.data) is not None
    if module.root is None or module.is_data or not is_possible:
        return []
    found: list[Node] = []
    pending = [module.root]
    while pending:
        node = pending.pop()
        if node.type == "call_expression":
            function = node.child_by_field_name("function")
            method = function.child_by_field_name("property") if function is not None else None
            if method is not None and function is not None:
                is_one = _METHOD.match(module.text(method)) or _is_foreign_list(function, module)
                found += [node] if is_one else []
        pending.extend(reversed(node.named_children))
    return found


def _is_foreign_list(function: "Node", module: Module) -> bool:
    """`tools.push`, `tools` being a list of another module."""
    name, _, method = module.text(function).rpartition(".")
    return method == "push" and name in module.imports and _is_of_tools(name)


def _is_of_tools(name: str) -> bool:
    return "tool" in name.lower()


def _registered(
    call: "Node", modules: Sequence[Module], evaluator: "Evaluator"
) -> Iterator[Candidate | Opaque]:
    """The tools that a call registers; `modules` begins with its own."""
    module = modules[0]
    function, argument_node = (call.child_by_field_name(name) for name in ("function", "arguments"))
    if function is None or argument_node is None or argument_node.type != "arguments":
        return
    if _is_foreign_list(function, module):
        added = evaluator.arguments(argument_node, scope_of(call, module))
        yield from candidates(added, evaluator, listed=True)
        return
    target, method = (function.child_by_field_name(name) for name in ("object", "property"))
    on_server = target is not None and SERVER.search(module.text(target)) is not None
    is_certain = on_server or (method is not None and module.text(method) != "tool")
    scope = scope_of(call, module)
    if is_certain and target is not None and (opaque := proxied(evaluator.evaluate(target, scope))):
        yield opaque

    def work() -> Slot:
        return Slot(evaluator.arguments(argument_node, scope), module, call)

    key = ("registration", call.start_byte)
    arguments = evaluator.remember(module, key, call, work).value
    deps = module.memo[key][1]
    if not isinstance(arguments, Arr) or not arguments.items:
        return
    first = arguments.items[0]
    least = 1 if is_certain else 2
    if not _is_named(first):
        found = _repeated(call, argument_node, least, modules, evaluator)
        if not found and _is_whole(first.value):
            found = [Candidate(first.value, module, call)]
        for each in found or _hidden(first):
            if is_certain or isinstance(each, Candidate):
                yield each
        return
    if isinstance(first.value, Obj):
        if _is_whole(first.value):
            yield Candidate(first.value, module, call)
        return
    if len(arguments.items) > least:
        config = replace(positional(arguments.items, module, call), deps=deps)
        yield Candidate(config, module, call)


def _repeated(
    call: "Node",
    argument_node: "Node",
    least: int,
    modules: Sequence[Module],
    evaluator: "Evaluator",
) -> list[Candidate | Opaque]:
    """The tools that a loop or a function registers, with what it makes of each.

    They are placed where each is defined. `least` arguments follow a name. Nothing if none can be
    read, else also each item or call whose name is hidden.
    """

    def handed(scope: Scope) -> tuple[Arr, tuple[str, ...]]:
        made, deps = evaluator.watched(
            modules[0], partial(evaluator.arguments, argument_node, scope)
        )
        return made if isinstance(made, Arr) else Arr(()), deps

    def is_known(scope: Scope) -> bool:
        items = handed(scope)[0].items
        if not items or not _is_named(items[0]):
            return False
        return _is_whole(items[0].value) or (isinstance(items[0].value, str) and len(items) > least)

    found: list[Candidate | Opaque] = []
    for run in runs(call, modules, evaluator, is_known):
        items, deps = handed(run.scope)
        if not run.is_known:
            is_hidden = bool(items.items and _hidden(items.items[0]))
            place = Slot(UNDEFINED, run.module, run.node)
            found += [Opaque(unknown_at(place))] if is_hidden else []
            continue
        first = items.items[0]
        every = (
            each for slot in run.given for each in candidates(slot.value, evaluator, listed=True)
        )
        listed = next((each for each in every if isinstance(each, Candidate)), None)
        module, node = (listed.module, listed.node) if listed else (run.module, run.node)
        own = listed.config.entries if listed else {}
        fields = {key: own[key] for key in _NOT_REGISTERED if key in own}
        files = (module.shown, *(listed.config.deps if listed else ()), *deps, *run.files)
        written = first.value
        if not isinstance(written, Obj):
            written = positional(items.items, module, node)
        fields |= written.entries
        unique = tuple(dict.fromkeys(files))
        config = Obj(fields, module, node, written.hole, written.shadowed, unique)
        found.append(Candidate(config, module, node, in_loop=True))
    return found


def _is_named(first: Slot) -> bool:
    """Whether the first argument is a name, or an object that says one."""
    value = first.value.get("name") if isinstance(first.value, Obj) else first.value
    return isinstance(value, str)


def _is_whole(first: Value) -> TypeGuard[Obj]:
    """Whether the first argument is all of a tool."""
    return (
        isinstance(first, Obj) and "name" in first.entries and first.get("description") is not None
    )


def _hidden(first: Slot) -> list[Opaque]:
    """What hides the name in the first argument."""
    if not isinstance(first.value, Obj):
        return [] if _is_named(first) else [Opaque(unknown_at(first))]
    name, hole = first.value.entries.get("name"), first.value.hole
    if name is not None:
        return [] if _is_named(first) else [Opaque(unknown_at(name))]
    return [] if hole is None else [Opaque(hole)]
