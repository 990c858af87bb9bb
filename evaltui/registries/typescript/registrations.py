"""Tools registered by a statement: `server.tool("name", …)`, `registerTool`, `addTool` …."""

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from evaltui.registries.typescript.arguments import positional
from evaltui.registries.typescript.candidates import Candidate, Opaque, candidates
from evaltui.registries.typescript.loops import turns
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.plain import unknown_at
from evaltui.registries.typescript.scope import scope_of
from evaltui.registries.typescript.values import Arr, Obj, Slot

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator

_MENTION = re.compile(rb"\.\s*(?:tool|(?:register|add)\w*Tool\w*)\s*(?:<[^()]*>)?\(")
_METHOD = re.compile(r"(?:tool|(?:register|add)\w*Tool\w*)$")
_SERVER = re.compile(r"server|mcp|app\b", re.IGNORECASE)
_NOT_REGISTERED = ("version", "category", "status", "deprecated")
"""What is said of a tool without being handed to the server."""
MAX_MODULES = 500


def reachable(entries: list[Module], evaluator: "Evaluator") -> list[Module]:
    """The modules and what they import, in order of import, packages left out."""
    found: dict[str, Module] = {}
    pending = list(reversed(entries))
    while pending and len(found) < MAX_MODULES:
        module = pending.pop()
        if module.path in found:
            continue
        found[module.path] = module
        sources = list(module.imports.values())
        sources += [export.source for export in module.exports if export.source is not None]
        targets = [
            evaluator.program.imported(source.specifier, module, source.line) for source in sources
        ]
        pending += [target for target in reversed(targets) if target is not None]
    return list(found.values())


def registrations(module: Module, evaluator: "Evaluator") -> Iterator[Candidate | Opaque]:
    """Tools that the module's code registers when it runs, in source order."""
    if module.root is None or module.is_data or not _MENTION.search(module.data):
        return
    for call in _calls(module.root, module):
        if module.is_broken and call.has_error:
            continue
        yield from _registered(call, module, evaluator)


def _calls(root: "Node", module: Module) -> list["Node"]:
    found: list[Node] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type == "call_expression":
            function = node.child_by_field_name("function")
            method = function.child_by_field_name("property") if function is not None else None
            if method is not None and _METHOD.match(module.text(method)):
                found.append(node)
        pending.extend(reversed(node.named_children))
    return found


def _registered(
    call: "Node", module: Module, evaluator: "Evaluator"
) -> Iterator[Candidate | Opaque]:
    function, argument_node = (call.child_by_field_name(name) for name in ("function", "arguments"))
    if function is None or argument_node is None or argument_node.type != "arguments":
        return
    target, method = (function.child_by_field_name(name) for name in ("object", "property"))
    on_server = target is not None and _SERVER.search(module.text(target)) is not None
    is_named = method is not None and module.text(method) != "tool"
    scope = scope_of(call, module)

    def work() -> Slot:
        return Slot(evaluator.arguments(argument_node, scope), module, call)

    key = ("registration", call.start_byte)
    arguments = evaluator.remember(module, key, call, work).value
    deps = module.memo[key][1]
    if not isinstance(arguments, Arr) or not arguments.items:
        return
    first = arguments.items[0]
    if isinstance(first.value, Obj):
        if "name" in first.value.entries and "description" in first.value.entries:
            yield Candidate(first.value, module, call)
        return
    if not isinstance(first.value, str):
        if on_server or is_named:
            in_loop = _in_loop(call, argument_node, module, evaluator)
            yield from in_loop
            if not in_loop:
                yield Opaque(unknown_at(first))
        return
    if len(arguments.items) < 2 or not (on_server or is_named or len(arguments.items) > 2):
        return
    yield Candidate(Obj(positional(arguments.items), module, call, deps=deps), module, call)


def _in_loop(
    call: "Node", argument_node: "Node", module: Module, evaluator: "Evaluator"
) -> list[Candidate]:
    """The tools that a loop registers, with what it makes of each; placed where each is defined."""
    found: list[Candidate] = []
    for item, scope in turns(call, module, evaluator):
        arguments, deps = evaluator.watched(
            module, partial(evaluator.arguments, argument_node, scope)
        )
        if not isinstance(arguments, Arr) or len(arguments.items) < 2:
            return []
        if not isinstance(arguments.items[0].value, str):
            return []
        every = candidates(item.value, evaluator, listed=True)
        listed = next((each for each in every if isinstance(each, Candidate)), None)
        module_, node = (listed.module, listed.node) if listed else (item.module, item.node)
        own = listed.config.entries if listed else {}
        fields = {key: own[key] for key in _NOT_REGISTERED if key in own}
        files = (module_.shown, *(listed.config.deps if listed else ()), *deps)
        fields |= positional(arguments.items)
        config = Obj(fields, module_, node, deps=tuple(dict.fromkeys(files)))
        found.append(Candidate(config, module_, node, in_loop=True))
    return found
