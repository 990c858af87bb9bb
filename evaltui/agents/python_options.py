"""The options of an agent that is a Python function, checked before anything is loaded."""

import ast
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from evaltui.agents.command_options import DEFAULT_LIMIT, child_environment
from evaltui.agents.option_reader import OptionReader
from evaltui.child.interpreter import project_python
from evaltui.child.python_files import imported_files, module_file
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.core.tool import short_hash
from evaltui.files import read_file
from evaltui.net.secret_mask import SecretMask, SecretResolver

KNOWN = ("function", "python", "env", "files", "is_free", "max_answer_bytes")


class PythonOptions(Struct, frozen=True):
    __repr__ = object.__repr__  # the fields may hold secrets

    function: str
    """`module:function` or `path/file.py:function`."""
    root: Path
    python: str
    env: Mapping[str, str]
    files: frozenset[Path]
    """Everything it is made of: the module, what it imports of the project, `files`."""
    reads_registry: bool
    is_free: bool
    limit: int
    mask: SecretMask
    fingerprint: str


def read_python_options(
    options: Mapping[str, Json], *, root: Path, secrets: SecretResolver
) -> PythonOptions:
    """Raises UserError naming the option and what to write instead."""
    reader = OptionReader("python", options, KNOWN)
    function = reader.text("function")
    place, colon, name = function.rpartition(":")
    if not colon or not place or not all(part.isidentifier() for part in name.split(".")):
        raise UserError(
            f"`function` is `{function}`.",
            "Write it like package.module:function or agents/mine.py:function.",
        )
    start = module_file(place, root)
    files = frozenset() if start is None else imported_files(start, root)
    files |= _named(options.get("files", []), root)
    return PythonOptions(
        function=function,
        root=root,
        python=project_python(root, reader.text("python")),
        env=child_environment(reader.texts("env"), secrets),
        files=files,
        reads_registry=start is not None and _takes_tools(start, name),
        is_free=reader.flag("is_free", False),
        limit=reader.whole("max_answer_bytes", 1) or DEFAULT_LIMIT,
        mask=secrets.mask,
        fingerprint=_fingerprint(options, files, root),
    )


def _named(patterns: Json, root: Path) -> frozenset[Path]:
    if not isinstance(patterns, list | tuple) or not all(
        isinstance(each, str) for each in patterns
    ):
        raise UserError("`files` must be a list of paths or globs.", 'E.g. ["prompts/*.md"].')
    found: set[Path] = set()
    for pattern in patterns:
        try:
            found |= {path for path in root.glob(str(pattern)) if path.is_file()}
        except (ValueError, NotImplementedError):
            raise UserError(
                f"`files` holds `{pattern}`.", "Globs start at the project root."
            ) from None
    return frozenset(found)


def _fingerprint(options: Mapping[str, Json], files: frozenset[Path], root: Path) -> str:
    parts = [json.dumps(["python", options], sort_keys=True, default=dict)]
    for path in sorted(files):
        try:
            digest = hashlib.sha256(read_file(path)).hexdigest()
        except OSError:
            digest = "missing"
        parts.append(f"{path.relative_to(root).as_posix()} {digest}")
    return short_hash("\n".join(parts))


def _takes_tools(file: Path, name: str) -> bool:
    """Whether the function has an argument for the registry's tools: then it depends on them."""
    try:
        tree = ast.parse(read_file(file))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return False
    wanted = name.rpartition(".")[2]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == wanted:
            names = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
            return "tools" in names or node.args.kwarg is not None
    return False
