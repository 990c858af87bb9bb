"""Exports and imports of CommonJS, as people and compilers write them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evaltui.registries.typescript.module import Export, Import, Module, string_value
from evaltui.registries.typescript.mutations import BUNDLED, CHANGES

if TYPE_CHECKING:
    from tree_sitter import Node

_WHOLE = "module.exports"
_EXPORTS = ("exports", _WHOLE)
_WRAPPERS = ("__importStar", "__importDefault", "__exportStar")
_NOTHING = ("void 0", "undefined")
_MARK = "__esModule"


def outline_statement(statement: "Node", module: Module) -> None:
    """Note what an expression at the top of a module exports, imports or changes."""
    inner = statement.named_children[0] if statement.named_children else None
    if inner is not None and inner.type == "assignment_expression":
        _assignment(inner, module)
    elif inner is not None and inner.type == "call_expression":
        _call(inner, module)


def outline_declaration(statement: "Node", module: Module) -> None:
    """Note the modules that a declaration takes from `require("…")`, and what it exports."""
    if statement.type not in ("lexical_declaration", "variable_declaration"):
        return
    for declarator in statement.named_children:
        name, value = (declarator.child_by_field_name(part) for part in ("name", "value"))
        if value is not None and value.type == "assignment_expression":
            _assignment(value, module)
        source = None if value is None else required(value, module)
        if name is not None and source is not None:
            line = declarator.start_point[0] + 1
            if name.type == "identifier":
                module.imports[module.text(name)] = Import(source, "*", line)
            else:
                module.effects.append(Import(source, "", line))


def required(node: "Node", module: Module) -> str | None:
    """What `require("…")` asks for, also in what a compiler puts around it."""
    function, arguments = (node.child_by_field_name(name) for name in ("function", "arguments"))
    if node.type != "call_expression" or function is None or arguments is None:
        return None
    first = arguments.named_children[0] if arguments.named_children else None
    if first is None:
        return None
    called = module.text(function).rpartition(".")[2]
    if called in _WRAPPERS:
        return required(first, module)
    is_one = called == "require" and first.type == "string"
    return string_value(first, module) if is_one else None


def _assignment(node: "Node", module: Module) -> None:
    """`a = b = value` in one go."""
    targets: list[Node] = []
    value: Node | None = node
    while value is not None and value.type == "assignment_expression":
        left = value.child_by_field_name("left")
        if left is not None and left.type == "member_expression":
            targets.append(left)
        value = value.child_by_field_name("right")
    if value is None:
        return
    for left in targets:
        target, key = (left.child_by_field_name(name) for name in ("object", "property"))
        if target is None or key is None:
            continue
        if module.text(left) == _WHOLE:
            module.exports.append(Export("default", "", None, value, is_whole=True))
        elif module.text(target) not in _EXPORTS:
            module.mutations.setdefault(_changed(target, module), []).append(node)
        elif module.text(value) not in _NOTHING:
            module.exports.append(Export(module.text(key), "", None, value))


def _call(node: "Node", module: Module) -> None:
    source = required(node, module)
    function, arguments = (node.child_by_field_name(name) for name in ("function", "arguments"))
    if function is None or arguments is None:
        return
    line = node.start_point[0] + 1
    name = module.text(function)
    if source is not None:
        if name.endswith("__exportStar"):
            module.exports.append(Export("*", "*", Import(source, "*", line)))
        else:
            module.effects.append(Import(source, "", line))
        return
    target, method = (function.child_by_field_name(part) for part in ("object", "property"))
    first = arguments.named_children[0] if arguments.named_children else None
    if name == "Object.defineProperty" and first is not None:
        if module.text(first) in _EXPORTS:
            module.exports += _defined(arguments, module)
    elif name in ("Object.assign", BUNDLED) and first is not None:
        module.mutations.setdefault(_changed(first, module), []).append(node)
    elif target is not None and method is not None and module.text(method) in CHANGES:
        module.mutations.setdefault(_changed(target, module), []).append(node)


def _changed(target: "Node", module: Module) -> str:
    """The name of what is changed: `a` in `a.b`, `exports.a` in `exports.a.b`."""
    parts = module.text(target).removeprefix("module.").split(".")
    return ".".join(parts[:2] if parts[0] == "exports" else parts[:1])


def _defined(arguments: "Node", module: Module) -> Iterator[Export]:
    """`Object.defineProperty(exports, "a", { get: function () { return b.a; } })`."""
    if len(arguments.named_children) != 3:
        return
    _, name, options = arguments.named_children
    if name.type != "string" or string_value(name, module) == _MARK:
        return
    for pair in options.named_children:
        key, value = (pair.child_by_field_name(part) for part in ("key", "value"))
        if pair.type == "pair" and key is not None and value is not None:
            found = value if module.text(key) == "value" else _returned(value)
            if module.text(key) in ("get", "value") and found is not None:
                yield Export(string_value(name, module), "", None, found)


def _returned(function: "Node") -> "Node | None":
    body = function.child_by_field_name("body")
    if body is None or body.type != "statement_block":
        return body
    last = body.named_children[-1] if body.named_children else None
    if last is None or last.type != "return_statement" or not last.named_children:
        return None
    return last.named_children[0]
