"""What a Python module loads otherwise than by an import statement, as far as that can be seen."""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_IMPORTS = frozenset(("import_module", "__import__"))
_OTHER_LOADERS = frozenset(
    (
        *("cffi", "ctypes", "imp", "importlib.machinery", "pkgutil", "posix", "pty", "pydoc"),
        *("runpy", "site", "subprocess", "zipimport"),
    )
)
"""Modules with which code is found, or programs are started, that no name shows."""
_LOADS = frozenset(
    (
        *("exec", "spec_from_file_location", "SourceFileLoader", "addsitedir"),
        *("create_subprocess_exec", "create_subprocess_shell", "entry_points", "exec_module"),
        *("load_module", "spec_from_loader", "submodule_search_locations"),
    )
)
"""Under another name too, so it is enough that they are named."""
_OF_PYTHON = frozenset(("exec", "compile", "__path__", "__loader__", "__spec__", "__builtins__"))
"""By themselves; another's `compile`, as that of `re`, is not meant."""
_MODULES = frozenset(("sys", "os", "importlib", "builtins"))
"""Of which some attributes matter. Where one is handed around, all of them may be used."""
_IN_TEXTS = frozenset(("__path__", "__all__", "__import__"))
"""Names that are meant where they are a text by themselves, as for `getattr` or `globals()`."""
_WRITTEN_OUT = (ast.List, ast.Tuple, ast.Constant, ast.Starred, ast.BinOp, ast.Add, ast.Load)
_OF_SYS = frozenset(("path", "path_hooks", "meta_path", "path_importer_cache"))
_STARTS = ("system", "popen", "exec", "spawn", "posix_spawn")


class MadeImports(NamedTuple):
    names: tuple[str, ...]
    """Of modules; with leading dots relative to the package."""
    are_all: bool
    """Whether nothing else is loaded or started, by what can be seen."""


def made_imports(tree: ast.AST) -> MadeImports:
    """Those by a call in all of the module, functions included."""
    nodes = [*ast.walk(tree)]
    called = _called(nodes)
    modules = _called_as(nodes)
    names: list[str] = []
    are_all = True
    plain: set[ast.AST] = set()
    """Expressions of a function that imports, or of a module, of which the use is known."""
    for node in nodes:
        if isinstance(node, ast.Call) and _last_name(node.func) in called:
            plain.add(node.func)
            found = _imported(node, called[_last_name(node.func)])
            are_all &= found is not None
            names += found or ()
        if isinstance(node, ast.Attribute):
            plain.add(node.value)
    for node in nodes:
        if any(_loads(node, modules)) or (node not in plain and _is_handed(node, modules, called)):
            are_all = False
    return MadeImports(tuple(names), are_all)


def _called(nodes: list[ast.AST]) -> dict[str, str]:
    """What imports, by what it is called in a module."""
    found = {name: name for name in _IMPORTS}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = ((alias.asname or alias.name, alias.name) for alias in node.names)
            found.update((own, name) for own, name in names if name in _IMPORTS)
    return found


def _called_as(nodes: list[ast.AST]) -> dict[str, str]:
    """The modules of which some attributes matter, by what they are called."""
    found = {name: name for name in _MODULES - {"builtins"}}  # people call their own so
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.update(
                (alias.asname or alias.name, alias.name)
                for alias in node.names
                if alias.name in _MODULES
            )
    return found


def _imported(call: ast.Call, by: str) -> list[str] | None:
    """What such a call imports; `None` where that is not known."""
    given = {one.arg: one.value for one in call.keywords}
    match call.args[:1]:
        case [ast.Constant(value=str() as name)]:
            pass
        case _:
            return None
    if None in given or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    if by == "__import__":
        if "level" in given or len(call.args) > 4:
            return None
        listed = given.get("fromlist", call.args[3] if len(call.args) > 3 else None)
        return _with_listed(name, listed)
    if not name.startswith("."):
        return [name]
    match given.get("package", call.args[1] if len(call.args) > 1 else None):
        case ast.Name(id="__package__"):
            return [name]
        case ast.Constant(value=str() as package):
            words, dots = package.split("."), len(name) - len(name.lstrip("."))
            above = words[: len(words) - dots + 1]
            return [".".join([*above, name[dots:]])] if above else None
        case _:
            return None


def _with_listed(name: str, listed: ast.expr | None) -> list[str] | None:
    """A module and those of it that a `fromlist` names."""
    match listed:
        case None | ast.Constant(value=None):
            return [name]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            texts = [one.value for one in parts if isinstance(one, ast.Constant)]
            words = [one for one in texts if isinstance(one, str) and one.isidentifier()]
            return [name, *(f"{name}.{one}" for one in words)] if len(words) == len(parts) else None
        case _:
            return None


def _is_handed(node: ast.AST, modules: Mapping[str, str], called: Mapping[str, str]) -> bool:
    """Whether something takes, or is given another name, what imports or is such a module."""
    match node:
        case ast.Name(id=name):
            return name in modules or name in called
        case ast.Attribute(attr=name):
            return name in _IMPORTS
        case _:
            return False


def listed_names(tree: ast.AST) -> MadeImports:
    """What `__all__` of a package lists: modules of it among these are imported by `*`. All are
    known where it is made of lists of texts that are written out."""
    names: list[str] = []
    are_all = not any(map(_is_listed_otherwise, ast.walk(tree)))
    named = sum(map(_is_set, ast.walk(tree)))
    are_all &= named == sum(map(_listings_set, ast.walk(tree)))
    for value in _listing(tree):
        for node in _parts(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                names.append(node.value)
            are_all &= isinstance(node, _WRITTEN_OUT) or _is_listing(node)
            are_all &= not _joins_texts(node)
    return MadeImports(tuple(filter(str.isidentifier, names)), are_all)


def _listing(tree: ast.AST) -> Iterator[ast.expr]:
    """What is assigned or added to `__all__`."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                if any(_is_listing(one) for target in targets for one in ast.walk(target)):
                    yield value
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                if _is_listing(target):
                    yield value
            case ast.AugAssign(target=target, value=value):
                if _is_listing(target):
                    yield value
            case ast.Call(func=ast.Attribute(value=target), args=args):
                if _is_listing(target):
                    yield from args


def _listings_set(node: ast.AST) -> int:
    """How often a statement of those that are looked at sets the name."""
    match node:
        case ast.Assign(targets=targets):
            return sum(map(_is_set, (one for target in targets for one in ast.walk(target))))
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return _is_set(target)
        case _:
            return 0


def _is_set(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and _is_listing(node) and not isinstance(node.ctx, ast.Load)


def _is_listed_otherwise(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return any("__all__" in (alias.name, alias.asname) for alias in names)
        case ast.Subscript(value=target, ctx=ast.Store() | ast.Del()):
            return _is_listing(target)
        case ast.NamedExpr(value=value):
            return _is_listing(value)
        case ast.Assign(targets=targets, value=value):  # by another name it may be changed
            return _is_listing(value) and not all(map(_is_listing, targets))
        case ast.Constant(value="__all__"):
            return True
        case _:
            return False


def _joins_texts(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and any(
        isinstance(one, ast.Constant) for one in (node.left, node.right)
    )


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """All within it, but of the `__all__` of another module what that is."""
    yield node
    if not _is_listing(node):
        for part in ast.iter_child_nodes(node):
            yield from _parts(part)


def _is_listing(node: ast.AST) -> bool:
    """Whether it is `__all__`, of this module or of another, whose modules that one imports."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name == "__all__"
        case _:
            return False


def _loads(node: ast.AST, modules: Mapping[str, str]) -> Iterator[bool]:
    match node:
        case ast.Import(names=names):
            yield any(alias.name in _OTHER_LOADERS for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            own = {alias.name for alias in names}
            yield not level and module in _OTHER_LOADERS
            yield not level and any(f"{module}.{name}" in _OTHER_LOADERS for name in own)
            yield not level and module in _MODULES and "*" in own
            yield not own.isdisjoint(_LOADS)
            yield module == "sys" and not own.isdisjoint(_OF_SYS)
            yield module == "os" and any(name.startswith(_STARTS) for name in own)
            yield module == "builtins" and not own.isdisjoint(_OF_PYTHON)
        case ast.Call(func=func):
            yield _last_name(func) in _LOADS
        case ast.Attribute(value=value, attr=attr):
            of = modules.get(_last_name(value))
            yield of == "sys" and attr in _OF_SYS
            yield of == "os" and attr.startswith(_STARTS)
            yield of == "builtins" and attr in _OF_PYTHON
            yield of is not None and attr == "__dict__"
            yield attr == "__path__" or (attr in _LOADS and attr != "exec")
        case ast.Name(id=name):
            yield name in _OF_PYTHON
        case ast.Constant(value=str() as text):
            yield text in _IN_TEXTS


def _last_name(func: ast.expr) -> str:
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
