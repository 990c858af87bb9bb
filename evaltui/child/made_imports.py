"""What a Python module loads otherwise than by an import statement, as far as that can be seen."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

_IMPORTS = frozenset(("import_module", "__import__"))
_OTHER_LOADERS = frozenset(("pkgutil", "runpy", "subprocess", "importlib.machinery"))
"""Modules with which code is found, or programs are started, that no name shows."""
_LOADS = frozenset(
    (
        *("exec", "spec_from_file_location", "SourceFileLoader", "addsitedir"),
        *("create_subprocess_exec", "create_subprocess_shell"),
    )
)
_LOOKED_AT = (ast.Import, ast.ImportFrom, ast.Call, ast.Attribute)
_WRITTEN_OUT = (ast.List, ast.Tuple, ast.Constant, ast.Starred, ast.BinOp, ast.Add, ast.Load)
_STARTS = ("system", "popen", "exec", "spawn", "posix_spawn")


class MadeImports(NamedTuple):
    names: tuple[str, ...]
    """Of modules; with leading dots relative to the package."""
    are_all: bool
    """Whether nothing else is loaded or started, by what can be seen."""


def made_imports(tree: ast.AST) -> MadeImports:
    """Those by a call in all of the module, functions included."""
    names: list[str] = []
    are_all = True
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _last_name(node.func) in _IMPORTS:
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                names.append(first.value)
            else:
                are_all = False
        elif isinstance(node, _LOOKED_AT) and any(_loads(node)):
            are_all = False
    return MadeImports(tuple(names), are_all)


def listed_names(tree: ast.AST) -> MadeImports:
    """What `__all__` of a package lists: modules of it among these are imported by `*`."""
    names: list[str] = []
    are_all = True
    for value in _listing(tree):
        for node in _parts(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                names.append(node.value)
            are_all &= isinstance(node, _WRITTEN_OUT) or _is_listing(node)
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


def _loads(node: ast.AST) -> Iterator[bool]:
    match node:
        case ast.Import(names=names):
            yield any(alias.name in _OTHER_LOADERS for alias in names)
        case ast.ImportFrom(module=module, names=names):
            yield module in _OTHER_LOADERS
            yield module == "sys" and any(alias.name == "path" for alias in names)
            yield module == "os" and any(alias.name.startswith(_STARTS) for alias in names)
        case ast.Call(func=func):
            yield _last_name(func) in _LOADS
        case ast.Attribute(value=ast.Name(id="sys"), attr=attr):
            yield attr in ("path", "path_hooks", "meta_path")
        case ast.Attribute(value=ast.Name(id="os"), attr=attr):
            yield attr.startswith(_STARTS)


def _last_name(func: ast.expr) -> str:
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
