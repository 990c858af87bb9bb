"""Names to values: declarations, imports, exports and enums, across files."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evaltui.registries.typescript.module import (
    NAMED_DECLARATIONS,
    Declaration,
    Export,
    Import,
    Module,
    locals_of,
    pattern_names,
    string_value,
)
from evaltui.registries.typescript.mutations import grown, mutated
from evaltui.registries.typescript.scope import FUNCTION_NODES, Scope, parameter_patterns, scope_of
from evaltui.registries.typescript.values import (
    UNDEFINED,
    Class,
    External,
    Function,
    Namespace,
    Obj,
    Slot,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator


def look_up(name: str, node: "Node", scope: Scope, evaluator: "Evaluator") -> Value:
    """What an identifier means where it stands."""
    for depth in range(len(scope.around) - 1, -1, -1):
        around, bound = scope.around[depth]
        if bound is not None and name in bound:
            return bound[name]
        if around.type in FUNCTION_NODES:
            for pattern, _ in parameter_patterns(around):
                if any(name == own for own, _ in pattern_names(pattern, scope.module)):
                    return evaluator.unknown(node, scope)
            continue
        declaration = locals_of(around, scope.module).get(name)
        if declaration is not None:
            inner = Scope(scope.module, scope.around[: depth + 1])
            return _local(name, declaration, inner, evaluator).value
    slot = binding(name, scope.module, evaluator)
    if slot is not None:
        return slot.value
    if name == "z":
        return _zod("", "zod", scope.module, evaluator)
    if name == "exports":
        return Namespace(scope.module)
    return UNDEFINED if name == "undefined" else External("", name)


def declared_around(name: str, node: "Node", module: Module) -> "Node | None":
    """The innermost function or block around `node` that declares `name`; `None` for the module."""
    for around, _ in reversed(scope_of(node, module).around):
        if around.type in FUNCTION_NODES:
            patterns = (pattern for pattern, _ in parameter_patterns(around))
            if any(name == own for each in patterns for own, _ in pattern_names(each, module)):
                return around
        elif name in locals_of(around, module):
            return around
    return None


def _local(name: str, declaration: Declaration, scope: Scope, evaluator: "Evaluator") -> Slot:
    node = declaration.node

    def work() -> Slot:
        slot = _of_declaration(name, declaration, scope, evaluator)
        return slot._replace(value=grown(slot.value, name, scope, evaluator))

    return evaluator.remember(
        scope.module,
        ("local", name, node.start_byte),
        node,
        work,
        scope,
    )


def binding(name: str, module: Module, evaluator: "Evaluator") -> Slot | None:
    """What a name means at the top of a module; `None` when it is not declared there."""
    declaration = module.declarations.get(name)
    if declaration is not None:

        def work() -> Slot:
            slot = _of_declaration(name, declaration, Scope(module), evaluator)
            return slot._replace(value=mutated(slot.value, name, module, evaluator))

        return evaluator.remember(module, ("name", name), declaration.node, work)
    imported = module.imports.get(name)
    if imported is None or module.root is None:
        return None
    root = module.root
    return evaluator.remember(
        module, ("name", name), root, lambda: _imported(imported, module, root, evaluator)
    )


def _imported(source: Import, module: Module, node: "Node", evaluator: "Evaluator") -> Slot:
    target = evaluator.program.imported(source.specifier, module, source.line)
    if target is None:
        if source.specifier.startswith("."):
            what = f"{source.name} from {source.specifier}"
            return Slot(Unknown(what, module.shown, source.line), module, node)
        return Slot(external(source.specifier, source.name, module, evaluator), module, node)
    if source.name == "*":
        return Slot(Namespace(target), target, node)
    found = exported(source.name, target, evaluator)
    if found is not None:
        return found
    if target.root is None and source.name in _ZOD:
        # A bundle of packages, too large to be read, hands on what it has of them by their names.
        return Slot(external("zod", "*", module, evaluator), module, node)
    return Slot(
        Unknown(f"{source.name} from {source.specifier}", module.shown, source.line), module, node
    )


def external(specifier: str, name: str, module: Module, evaluator: "Evaluator") -> External:
    """What a package exports as `name`; zod may come from any, as `z` or `zod`."""
    if specifier == "zod" or specifier.startswith("zod/"):
        path = "" if name in ("z", "default", "*") else name
        return _zod(path, specifier, module, evaluator)
    if name in _ZOD:
        return _zod("", specifier, module, evaluator)
    return External(specifier, "" if name in ("default", "*") else name)


_ZOD = ("z", "zod")


def _zod(path: str, specifier: str, module: Module, evaluator: "Evaluator") -> External:
    return External("zod", path, evaluator.program.zod_version(specifier, module))


def exported(name: str, module: Module, evaluator: "Evaluator") -> Slot | None:
    """What a module exports under a name, through any number of re-exports."""
    if module.root is None:
        return None
    found = evaluator.remember(
        module, ("export", name), module.root, lambda: _exported(name, module, evaluator)
    )
    return found if found.value is not UNDEFINED else None


def _exported(name: str, module: Module, evaluator: "Evaluator") -> Slot:
    root = module.root
    assert root is not None
    own = next((export for export in reversed(module.exports) if export.name == name), None)
    if own is not None:
        return _of_export(own, module, root, evaluator)
    for export in module.exports:
        if export.name == "*" and export.source is not None and name != "default":
            source = export.source
            target = evaluator.program.imported(source.specifier, module, source.line)
            found = exported(name, target, evaluator) if target is not None else None
            if found is not None and not _is_circular(found, name):
                return found
    default = next((export for export in module.exports if export.name == "default"), None)
    if default is not None and name != "default":
        # `module.exports = {…}` and JSON files: names are keys of the one value.
        whole = _of_export(default, module, root, evaluator)
        if isinstance(whole.value, Obj) and name in whole.value.entries:
            return whole.value.entries[name]
    elif name == "default" and any(export.node is not None for export in module.exports):
        return Slot(Namespace(module), module, root)
    return Slot(UNDEFINED, module, root)


def _is_circular(slot: Slot, name: str) -> bool:
    return isinstance(slot.value, Unknown) and slot.value.expression == f"circular {name}"


def _of_export(export: Export, module: Module, root: "Node", evaluator: "Evaluator") -> Slot:
    if export.source is not None:
        return _imported(export.source, module, root, evaluator)
    if export.node is not None:
        if export.node.type in NAMED_DECLARATIONS:
            declaration = Declaration(export.node)
            return _of_declaration(export.name, declaration, Scope(module), evaluator)
        value = evaluator.evaluate(export.node, Scope(module))
        value = mutated(value, f"exports.{export.name}", module, evaluator)
        return Slot(value, module, export.node)
    found = binding(export.local, module, evaluator)
    return found if found is not None else Slot(UNDEFINED, module, root)


def export_names(module: Module, evaluator: "Evaluator") -> list[str]:
    """Exported names in source order, those of `export *` in its place."""
    return list(dict.fromkeys(_export_names(module, evaluator, set())))


def _export_names(module: Module, evaluator: "Evaluator", seen: set[str]) -> Iterator[str]:
    if module.path in seen:
        return
    seen.add(module.path)
    for export in module.exports:
        if export.name != "*" or export.source is None:
            yield export.name
            continue
        source = export.source
        target = evaluator.program.imported(source.specifier, module, source.line)
        if target is not None:
            names = _export_names(target, evaluator, seen)
            yield from (name for name in names if name != "default")


def _of_declaration(
    name: str, declaration: Declaration, scope: Scope, evaluator: "Evaluator"
) -> Slot:
    node, module = declaration.node, scope.module
    if module.is_broken and node.has_error:
        return Slot(evaluator.unknown(node, scope), module, node)
    if node.type == "enum_declaration":
        return Slot(_enum(node, scope, evaluator), module, node)
    if node.type in ("class_declaration", "abstract_class_declaration"):
        return Slot(Class(node, scope), module, node)
    if node.type in FUNCTION_NODES:
        return Slot(Function(node, scope), module, node)
    value_node = node.child_by_field_name("value")
    if value_node is None:
        return Slot(evaluator.unknown(node, scope), module, node)
    if not declaration.is_constant and _is_reassigned(name, module):
        return Slot(evaluator.unknown(node, scope), module, node)
    value = evaluator.evaluate(value_node, scope)
    for key in declaration.keys:
        if key == "...":
            value = evaluator.unknown(node, scope)
        else:
            value = evaluator.member(value, key, value_node, scope)
    return Slot(value, module, value_node)


def _is_reassigned(name: str, module: Module) -> bool:
    key = ("assigned",)
    if key not in module.memo:
        names: set[str] = set()
        pending = [module.root] if module.root is not None else []
        while pending:
            node = pending.pop()
            if node.type in (
                "assignment_expression",
                "augmented_assignment_expression",
                "update_expression",
            ):
                left = node.child_by_field_name("left") or node.child_by_field_name("argument")
                if left is not None and left.type == "identifier":
                    names.add(module.text(left))
            pending.extend(node.named_children)
        module.memo[key] = (names, (module.shown,))
    return name in module.memo[key][0]


def _enum(node: "Node", scope: Scope, evaluator: "Evaluator") -> Value:
    body = node.child_by_field_name("body")
    entries: dict[str, Slot] = {}
    following: Value = 0
    for member in body.named_children if body is not None else ():
        if member.type == "comment":
            continue
        if member.type == "enum_assignment":
            name, value_node = (member.child_by_field_name(part) for part in ("name", "value"))
            if name is None or value_node is None:
                continue
            value = evaluator.evaluate(value_node, scope)
        else:
            name, value = member, following
        entries[string_value(name, scope.module)] = Slot(value, scope.module, member)
        is_number = isinstance(value, int | float)
        following = value + 1 if is_number else evaluator.unknown(member, scope)  # type: ignore[operator]
    return Obj(entries, scope.module, node, deps=(scope.module.shown,))
