"""The files of the project that an agent is made of: when one changes it is another agent."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, takewhile
from pathlib import Path, PurePath
from shlex import shlex
from typing import NamedTuple

from evaltui.agents.files_as_read import FilesAsRead
from evaltui.agents.plain_commands import at_hand, is_plain, script_line
from evaltui.child.python_files import ModuleTree, module_tree, tree_of_code, tree_of_module
from evaltui.core.errors import UserError

_RUNS_MODULE = re.compile("-[bBdEiIOPqsSuvx]*m")
"""The option of Python before the name of a module, alone or behind others: `-um`."""
_MODULE = re.compile(r"-m([A-Za-z_][\w.]*)")
_RUNS_CODE = re.compile("-[bBdEiIOPqsSuvx]*c")
_PYTHON = re.compile(r"python[\d.]*(\.exe)?")
_IMPORTED_FIRST = ("sitecustomize", "usercustomize")
"""Python does so when it starts, from where `PYTHONPATH` says."""
_IS_GLOB = re.compile(r"[*?\[]")
_NOT_OURS = re.compile(r"\..*|node_modules|site-packages|__pycache__")
_MOST_FOLDERS = 1_000
_DEEPEST = 3
"""Shells within shells, as far as anybody looks into them."""


def named_files(patterns: Iterable[str], root: Path) -> frozenset[Path]:
    """The files of the option `files`. Raises UserError for what is no glob below the project."""
    found: set[Path] = set()
    for pattern in patterns:
        try:
            found |= {path for path in root.glob(pattern) if path.is_file()}
        except (OSError, ValueError, NotImplementedError, RecursionError):
            raise UserError(
                f"`files` holds `{pattern}`.", "Globs start at the project root."
            ) from None
    return frozenset(found)


def awaited_by(patterns: Iterable[str], root: Path) -> frozenset[Path]:
    """Folders in which a file may appear that such globs match, and what has them watched before
    they are there: the globs as they are."""
    found: set[Path] = set()
    for pattern in patterns:
        whole = Path(os.path.normpath(root / pattern))
        parts = whole.relative_to(whole.anchor).parts
        fixed = [*takewhile(lambda part: not _IS_GLOB.search(part), parts[:-1])]
        folder = Path(whole.anchor, *fixed)
        found |= {whole, folder}
        depth = _MOST_FOLDERS if "**" in pattern else len(parts) - len(fixed) - 1
        found.update(islice(_below(folder, depth), _MOST_FOLDERS))
    return frozenset(found)


def _below(folder: Path, depth: int) -> Iterator[Path]:
    """Its folders, so many levels deep, but for hidden ones and other people's packages."""
    waiting = [(folder, depth)]
    while waiting:
        folder, depth = waiting.pop()
        if depth < 1:
            continue
        try:
            with os.scandir(folder) as entries:
                inner = [one.path for one in entries if one.is_dir(follow_symlinks=False)]
        except (OSError, ValueError):
            continue
        own = [path for path in map(Path, inner) if not _NOT_OURS.fullmatch(path.name)]
        yield from own
        waiting += [(path, depth - 1) for path in own]


class OwnFiles(NamedTuple):
    """What a command is made of."""

    files: frozenset[Path]
    awaited: frozenset[Path]
    """What would belong to it if it were there."""
    of_words: frozenset[Path]
    """Of `files` those whose paths are words of the command: all that results of earlier versions
    tell of."""
    are_all: bool
    """Whether it is known that nothing else of the project belongs to it."""


def program_files(
    argv: Sequence[str], cwd: Path, root: Path, env: Mapping[str, str] | None = None
) -> OwnFiles:
    """Files below the project that a command starts or names, and what they import in Python;
    `env`: its own variables, which may name files too.

    A word may be a module behind `-m`, code behind `-c`, or a line for a shell with words of its
    own.
    """
    words, env = [*argv], env or {}
    trees = [*_of_words(words, cwd, root, _DEEPEST), *_of_values(env, cwd, root)]
    named = {Path(os.path.normpath(cwd / word)) for word in words}
    return OwnFiles(
        frozenset(file for one, _ in trees for file in one.files),
        frozenset(path for one, _ in trees for path in one.missing),
        frozenset(file for one, start in trees if start in named for file in one.files),
        is_plain(words, cwd, root, env) and all(one.is_whole for one, _ in trees),
    )


def scripts_of(argv: Sequence[str], cwd: Path, root: Path) -> frozenset[Path]:
    """The files of `program_files`."""
    return program_files(argv, cwd, root).files


def _of_words(
    words: list[str], folder: Path, root: Path, depth: int, python: str = ""
) -> Iterator[tuple[ModuleTree, Path | None]]:
    """Each tree with the file that it was read from, where a path is what names it; `python`: the
    interpreter that is named around these words."""
    python = _interpreter(words, folder) or python
    for before, word in pairwise(["", *words]):
        if before == "cd":
            folder = folder / word
        elif word.startswith("PYTHONPATH="):
            yield from _of_values({"PYTHONPATH": word.partition("=")[2]}, folder, root)
        elif _RUNS_MODULE.fullmatch(before):
            yield tree_of_module(word, folder, root, python), None
        elif module := _MODULE.fullmatch(word):
            yield tree_of_module(module[1], folder, root, python), None
        elif _RUNS_CODE.fullmatch(before) and (code := tree_of_code(word, folder, root, python)):
            yield code, None
        # `python folder` runs what is in it, and to many programs `@file` means what it says.
        for name in dict.fromkeys((word, f"{word}/__main__.py", word.removeprefix("@"))):
            path = Path(os.path.normpath(folder / name))
            if (tree := _of_path(path, root, python)) is not None:
                yield tree, path
                if depth and (line := script_line(path)):
                    yield from _of_words(_inner_words(line), folder, root, depth - 1, python)
        if depth and (inner := _inner_words(word)) != [word]:
            yield from _of_words(inner, folder, root, depth - 1, python)


def _of_values(
    env: Mapping[str, str], folder: Path, root: Path
) -> Iterator[tuple[ModuleTree, None]]:
    for name, value in env.items():
        for part in {value, *value.split(os.pathsep)}:
            path = Path(os.path.normpath(folder / part))
            if name == "PYTHONPATH":
                yield from ((tree_of_module(one, path, root), None) for one in _IMPORTED_FIRST)
            if (tree := _of_path(path, root)) is not None:
                yield tree, None


def _interpreter(words: list[str], folder: Path) -> str:
    """Empty where none is named, or a program chooses that of the project."""
    found = [word for word in words if _PYTHON.fullmatch(PurePath(word).name)]
    if not found or "uv" in words:
        return ""
    return str(folder / found[0]) if "/" in found[0] else found[0]


def _of_path(path: Path, root: Path, python: str = "") -> ModuleTree | None:
    try:
        if root not in path.parents or not path.is_file():
            return None
    except (OSError, ValueError):
        return None  # no path, whatever else it may be
    if path.suffix == ".py":
        return module_tree(path, root, python)
    return ModuleTree(frozenset((path,)), frozenset())


def _inner_words(word: str) -> list[str]:
    """Those that a shell sees in it, which it is given as one; `NAME=VALUE` is two."""
    if "=" in word and not any(map(str.isspace, word)):
        return [word.partition("=")[2]]
    word = at_hand(word)
    lexer = shlex(word, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        return [*lexer]
    except ValueError:  # a quote that is never closed
        return word.split()


def content_of(files: Iterable[Path], root: Path) -> str:
    """12 hex digits of what stands in these files; of none too."""
    return FilesAsRead(frozenset(files), root).content
