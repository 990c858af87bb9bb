"""Where the files of a Python module are, by its name, as Python looks for them."""

import os
from collections.abc import Iterator
from importlib.machinery import BYTECODE_SUFFIXES, EXTENSION_SUFFIXES
from pathlib import Path
from typing import NamedTuple

from evaltui.files import is_file

_SUFFIXES = tuple(dict.fromkeys((*EXTENSION_SUFFIXES, ".py", *BYTECODE_SUFFIXES)))
"""Of a module's file, first what Python takes; of another version some are called otherwise."""
_EXTENSIONS = ("so", "pyd")
COMPILED = (".so", ".pyd", ".pyc")


class Listings:
    """What stands in folders, each looked at once."""

    def __init__(self) -> None:
        self._known: dict[Path, dict[str, list[str]]] = {}

    def modules(self, folder: Path, name: str) -> tuple[list[Path], list[Path]]:
        """The files of a module there, first what Python takes, and those that would be taken
        instead."""
        there = self._by_stem(folder).get(name, ())
        found = [one for one in there if is_file(folder / f"{name}{one}")]
        found.sort(key=_rank)
        first = _rank(found[0]) if found else len(_SUFFIXES)
        missing = [one for one in _SUFFIXES[:first] if one not in found]
        return _paths(folder, name, found), _paths(folder, name, missing)

    def _by_stem(self, folder: Path) -> dict[str, list[str]]:
        """The suffixes of what may be modules, by their names."""
        if folder not in self._known:
            found: dict[str, list[str]] = {}
            try:
                with os.scandir(folder) as entries:
                    there = [one.name for one in entries]
                for name in there:
                    stem, dot, suffix = name.partition(".")
                    if dot + suffix in _SUFFIXES or suffix.endswith(_EXTENSIONS):
                        found.setdefault(stem, []).append(dot + suffix)
            except (OSError, ValueError):
                pass  # no folder, or no name of one
            self._known[folder] = found
        return self._known[folder]


def _paths(folder: Path, name: str, suffixes: list[str]) -> list[Path]:
    return [folder / f"{name}{one}" for one in suffixes]


def _rank(suffix: str) -> int:
    """What is compiled for another version of Python comes first, as for that one."""
    return _SUFFIXES.index(suffix) if suffix in _SUFFIXES else 0


class Resolved(NamedTuple):
    """What one word of a module's name stands for."""

    files: list[Path]
    """Those that may be it in the first folder that has one, first what Python takes: the package.
    Empty where it is a folder without `__init__.py`, or nothing."""
    missing: list[Path]
    """Where something would be taken instead."""


def resolved(words: list[str], places: tuple[Path, ...], listings: Listings) -> Iterator[Resolved]:
    """For each word of a name, looked for as Python does: a package wins over a module beside it
    and over folders of its name in places before its own, which are packages only without one."""
    for word in words:
        files: list[Path] = []
        missing: list[Path] = []
        inner: list[Path] = []
        for place in places:
            folder = place / word
            inner.append(folder)
            packages, no_packages = listings.modules(folder, "__init__")
            modules, no_modules = listings.modules(place, word)
            if packages or modules:
                missing += no_packages
                missing += [] if packages else no_modules
                files = packages + modules
                inner = inner[-1:] * bool(packages)
                break
            missing += [*no_packages, *no_modules]
        yield Resolved(files, missing)
        places = tuple(inner)
