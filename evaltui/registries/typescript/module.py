"""One script file: what it declares, imports and exports, by name."""

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field

from evaltui.core.errors import Problem
from evaltui.registries.typescript.literals import unescape

if TYPE_CHECKING:
    from tree_sitter import Node

NAMED_DECLARATIONS = frozenset((
    "function_declaration", "generator_function_declaration", "class_declaration",
    "abstract_class_declaration", "enum_declaration",
))  # fmt: skip

_GAVE_UP = "gave up"


class Import(NamedTuple):
    specifier: str
    name: str
    """Exported name there; `default`, or `*` for all of it."""
    line: int


class Declaration(NamedTuple):
    node: "Node"
    """Declarator, function, class or enum."""
    keys: tuple[str | int, ...] = ()
    """Way into the value for a destructured name."""
    is_constant: bool = True


class Export(NamedTuple):
    name: str
    """Exported name; `*` for everything of `source`."""
    local: str
    """Name here or in `source`; empty when `node` is the value."""
    source: Import | None = None
    node: "Node | None" = None
    is_whole: bool = False
    """All that `require` gives, as `module.exports = …` says."""


class Module(Struct, eq=False):
    path: str
    """Absolute."""
    shown: str
    digest: str
    data: bytes
    root: "Node | None" = None
    is_data: bool = False
    """A JSON file: its names are the keys of the one value."""
    rejected: str = ""
    """Digest, or why there is none, of a later version that is no good; this one stays."""
    problem: Problem | None = None
    """Why this version, or a later one on disk, cannot be used."""
    imports: dict[str, Import] = field(default_factory=dict)
    effects: list[Import] = field(default_factory=list)
    """Modules imported for what they do."""
    declarations: dict[str, Declaration] = field(default_factory=dict)
    exports: list[Export] = field(default_factory=list)
    mutations: dict[str, list["Node"]] = field(default_factory=dict)
    """Top statements that change an object or list, by its name or `exports.` and that."""
    resolved: dict[str, str | None] = field(default_factory=dict)
    """Absolute path of each specifier asked for, `None` for a package."""
    zod_version: int | None = None
    """Major version of zod that the project asks for, 0 when it does not say; once asked for."""
    missing: dict[str, int] = field(default_factory=dict)
    """Line of each import of a file that does not exist."""
    memo: dict[object, tuple[Any, tuple[str, ...]]] = field(default_factory=dict)
    """What was worked out, with the files that took part in it."""

    def give_up(self, node: "Node", problem: Problem, deps: tuple[str, ...]) -> None:
        """Keep why what hangs on `node` is not known, until a file that takes part changes."""
        self.memo[_GAVE_UP, node.start_byte] = (problem, deps)

    def given_up(self) -> list[Problem]:
        """Why parts of this file are not known."""
        keys = [key for key in self.memo if isinstance(key, tuple) and key[0] == _GAVE_UP]
        return [self.memo[key][0] for key in keys]

    def text(self, node: "Node") -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    @property
    def is_broken(self) -> bool:
        return self.root is not None and self.root.has_error


def string_value(node: "Node", module: Module) -> str:
    """The text of a `string` node, or of a name."""
    raw = module.text(node)
    return unescape(raw[1:-1]) if node.type == "string" else raw


def outline(module: Module) -> None:
    """Fill in what the module declares, imports and exports."""
    from evaltui.registries.typescript.commonjs import outline_declaration, outline_statement

    for statement in module.root.named_children if module.root is not None else ():
        match statement.type:
            case "import_statement":
                _import(statement, module)
            case "export_statement":
                _export(statement, module)
            case "expression_statement":
                outline_statement(statement, module)
            case _:
                _declare(statement, module)
                outline_declaration(statement, module)


def declared(statement: "Node", module: Module) -> dict[str, Declaration]:
    """Names that one statement declares."""
    if statement.type in NAMED_DECLARATIONS:
        name = statement.child_by_field_name("name")
        return {} if name is None else {module.text(name): Declaration(statement)}
    found: dict[str, Declaration] = {}
    if statement.type not in ("lexical_declaration", "variable_declaration"):
        return found
    constant = statement.children[0].type == "const"
    for declarator in statement.named_children:
        pattern = declarator.child_by_field_name("name")
        if pattern is not None:
            for bound, keys in pattern_names(pattern, module):
                found[bound] = Declaration(declarator, keys, constant)
    return found


def locals_of(block: "Node", module: Module) -> dict[str, Declaration]:
    """Names that the statements of a block declare."""
    key = ("locals", block.start_byte)
    if key not in module.memo:
        found: dict[str, Declaration] = {}
        for statement in block.named_children:
            found |= declared(statement, module)
        module.memo[key] = (found, (module.shown,))
    result: dict[str, Declaration] = module.memo[key][0]
    return result


def pattern_names(
    pattern: "Node", module: Module, keys: tuple[str | int, ...] = ()
) -> list[tuple[str, tuple[str | int, ...]]]:
    """Names bound by a pattern, with the way to each in the value."""
    match pattern.type:
        case "identifier" | "shorthand_property_identifier_pattern":
            own = (module.text(pattern),) if pattern.type.startswith("short") else ()
            return [(module.text(pattern), (*keys, *own))]
        case "pair_pattern":
            key, value = (pattern.child_by_field_name(name) for name in ("key", "value"))
            if key is None or value is None:
                return []
            return pattern_names(value, module, (*keys, string_value(key, module)))
        case "assignment_pattern" | "object_assignment_pattern":
            left = pattern.child_by_field_name("left")
            return [] if left is None else pattern_names(left, module, keys)
        case "object_pattern":
            return [
                found
                for child in pattern.named_children
                for found in pattern_names(child, module, keys)
            ]
        case "array_pattern":
            return [
                found
                for index, child in enumerate(pattern.named_children)
                for found in pattern_names(child, module, (*keys, index))
            ]
        case "rest_pattern":
            inner = pattern.named_children[:1]
            return [(module.text(node), (*keys, "...")) for node in inner]
        case _:
            return []


def _import(statement: "Node", module: Module) -> None:
    source = statement.child_by_field_name("source")
    line = statement.start_point[0] + 1
    if any(child.type == "type" for child in statement.children):
        return
    if source is not None and statement.named_children[0] == source:
        module.effects.append(Import(string_value(source, module), "", line))
    for clause in statement.named_children:
        if clause.type == "import_require_clause":
            required = clause.child_by_field_name("source")
            if required is not None:
                local = module.text(clause.named_children[0])
                module.imports[local] = Import(string_value(required, module), "*", line)
        if clause.type != "import_clause" or source is None:
            continue
        specifier = string_value(source, module)
        for child in clause.named_children:
            if child.type == "identifier":
                module.imports[module.text(child)] = Import(specifier, "default", line)
            elif child.type == "namespace_import":
                local = module.text(child.named_children[0])
                module.imports[local] = Import(specifier, "*", line)
            elif child.type == "named_imports":
                for part in child.named_children:
                    name, local_name = _renamed(part, module)
                    if name:
                        module.imports[local_name] = Import(
                            specifier, name, part.start_point[0] + 1
                        )


def _renamed(node: "Node", module: Module) -> tuple[str, str]:
    name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    if name is None:
        return "", ""
    before = string_value(name, module)
    return before, string_value(alias, module) if alias is not None else before


def _export(statement: "Node", module: Module) -> None:
    line = statement.start_point[0] + 1
    source_node = statement.child_by_field_name("source")
    source = string_value(source_node, module) if source_node is not None else None
    kinds = {child.type for child in statement.children}
    if "type" in kinds:
        return
    declaration = statement.child_by_field_name("declaration")
    value = statement.child_by_field_name("value")
    if declaration is not None:
        names = _declare(declaration, module)
        if "default" in kinds:
            module.exports.append(Export("default", names[0] if names else "", None, declaration))
        else:
            module.exports += [Export(name, name) for name in names]
    elif value is not None:
        module.exports.append(Export("default", "", None, value))
    elif "=" in kinds and statement.named_children:
        whole = statement.named_children[-1]
        module.exports.append(Export("default", "", None, whole, is_whole=True))
    elif source is not None and "*" in kinds:
        module.exports.append(Export("*", "*", Import(source, "*", line)))
    for clause in statement.named_children:
        if clause.type == "namespace_export" and source is not None:
            name = module.text(clause.named_children[-1])
            module.exports.append(Export(name, "*", Import(source, "*", line)))
        if clause.type == "export_clause":
            for part in clause.named_children:
                local, name = _renamed(part, module)
                if not local or any(child.type == "type" for child in part.children):
                    continue
                there = Import(source, local, part.start_point[0] + 1) if source else None
                module.exports.append(Export(name, local, there))


def _declare(statement: "Node", module: Module) -> list[str]:
    found = declared(statement, module)
    module.declarations.update(found)
    return list(found)
