"""The files of the project that an agent is made of: when one changes it is another agent."""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from shlex import shlex

from evaltui.child.python_files import files_of_module, imported_files
from evaltui.core.errors import UserError
from evaltui.core.tool import short_hash
from evaltui.files import read_file

_RUNS_MODULE = re.compile("-[bBdEiIOPqsSuvx]*m")
"""The option of Python before the name of a module, alone or behind others: `-um`."""
_MODULE = re.compile(r"-m([A-Za-z_][\w.]*)")
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


def scripts_of(argv: Iterable[str], cwd: Path, root: Path) -> frozenset[Path]:
    """Files below the project that a command starts or names, and what they import in Python.

    A word may be a module behind `-m`, or a line for a shell with words of its own.
    """
    return frozenset(_of_words([*argv], cwd, root, _DEEPEST))


def words_files(argv: Iterable[str], cwd: Path, root: Path) -> frozenset[Path]:
    """Those whose paths are words of the command: all that results of earlier versions tell of."""
    return frozenset(file for word in argv for file in _of_path(word, cwd, root))


def _of_words(words: list[str], folder: Path, root: Path, depth: int) -> Iterator[Path]:
    for before, word in pairwise(["", *words]):
        if before == "cd":
            folder = folder / word
        elif _RUNS_MODULE.fullmatch(before):
            yield from files_of_module(word, folder, root)
        elif module := _MODULE.fullmatch(word):
            yield from files_of_module(module[1], folder, root)
        yield from _of_path(word, folder, root)
        yield from _of_path(f"{word}/__main__.py", folder, root)  # `python folder` runs that
        if depth and (inner := _inner_words(word)) != [word]:
            yield from _of_words(inner, folder, root, depth - 1)


def _of_path(word: str, folder: Path, root: Path) -> frozenset[Path]:
    path = Path(os.path.normpath(folder / word))
    try:
        if root not in path.parents or not path.is_file():
            return frozenset()
    except (OSError, ValueError):
        return frozenset()  # no path, whatever else it may be
    return imported_files(path, root) if path.suffix == ".py" else frozenset((path,))


def _inner_words(word: str) -> list[str]:
    """Those that a shell sees in it, which it is given as one; `NAME=VALUE` is two."""
    if "=" in word and not any(map(str.isspace, word)):
        return [word.partition("=")[2]]
    lexer = shlex(word, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        return [*lexer]
    except ValueError:  # a quote that is never closed
        return word.split()


def digests(files: Iterable[Path], root: Path) -> Iterator[str]:
    """Path and content of each file, sorted."""
    for path in sorted(files):
        try:
            digest = hashlib.sha256(read_file(path)).hexdigest()
        except OSError:
            digest = "missing"
        yield f"{path.relative_to(root).as_posix()} {digest}"


def content_of(files: Iterable[Path], root: Path) -> str:
    """12 hex digits of what stands in these files; of none too."""
    return short_hash("\n".join(digests(files, root)))
