"""The options of an agent that is a Python function, checked before anything is loaded."""

import ast
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from evaltui.agents.command_options import child_environment
from evaltui.agents.files_as_read import FilesAsRead
from evaltui.agents.option_prints import OptionPrints, option_prints
from evaltui.agents.own_files import awaited_by, named_files, program_files
from evaltui.agents.profiles.programs import PythonProfile
from evaltui.agents.profiles.reading import read_profile
from evaltui.child.interpreter import project_python
from evaltui.child.python_files import module_file, tree_of_module, tree_of_target
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.files import read_file
from evaltui.net.secret_mask import SecretMask, SecretResolver


class PythonOptions(Struct, frozen=True):
    __repr__ = object.__repr__  # the fields may hold secrets

    function: str
    """`module:function` or `path/file.py:function`."""
    root: Path
    python: str
    env: Mapping[str, str]
    files: frozenset[Path]
    """Everything it is made of: the module, what it imports of the project, `files`."""
    awaited: frozenset[Path]
    """What would belong to them if it were there, and folders where that may be."""
    names_files: bool
    """Whether `files` are all of them."""
    reads_registry: bool
    is_free: bool
    limit: int
    start_timeout_s: float
    mask: SecretMask
    prints: OptionPrints
    as_read: FilesAsRead
    """What stands in `files`."""


def read_python_options(
    options: Mapping[str, Json], *, root: Path, secrets: SecretResolver
) -> PythonOptions:
    """Raises UserError naming the option and what to write instead."""
    written = read_profile(PythonProfile, "python", options)
    function = written.function
    place, colon, name = function.rpartition(":")
    if not colon or not place or not all(part.isidentifier() for part in name.split(".")):
        raise UserError(
            f"`function` is `{function}`.",
            "Write it like package.module:function or agents/mine.py:function.",
        )
    python = project_python(root, written.python or "")
    start, tree = module_file(place, root), tree_of_target(place, root, python)
    if tree is None:
        tree = tree_of_module(place, root, root, python)._replace(files=frozenset(), is_whole=False)
    env = child_environment(written.env, secrets)
    own_env = {name: env[name] for name in written.env}
    beside = program_files((), root, root, own_env)
    files = tree.files | beside.files | named_files(written.files, root)
    as_read = FilesAsRead(files, root)
    return PythonOptions(
        function=function,
        root=root,
        python=python,
        env=env,
        files=files,
        awaited=tree.missing | awaited_by(written.files, root),
        names_files=written.names_all_files or (tree.is_whole and beside.are_all),
        reads_registry=start is not None and _takes_tools(start, name),
        is_free=bool(written.is_free),
        limit=written.max_answer_bytes,
        start_timeout_s=written.start_timeout,
        mask=secrets.mask,
        prints=option_prints("python", options, *as_read.digests),
        as_read=as_read,
    )


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
