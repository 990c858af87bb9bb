"""From an import's text to a file: relative paths and the aliases of tsconfig.json."""

# Asked for every import at every save, where pathlib costs five times as much as os.path.
# ruff: noqa: PTH100, PTH110, PTH113, PTH118, PTH120, PTH122

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaltui.core.errors import Problem
from evaltui.core.finite_json import decode_json
from evaltui.files import TEXT_LIMIT, Places
from evaltui.registries.source import shown_path
from evaltui.registries.text_file import OUTSIDE, Unreadable, read_text_file
from evaltui.registries.typescript.package_version import version_in_package

EXTENSIONS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json")
_SOURCE_OF = {
    ".js": (".ts", ".tsx"),
    ".jsx": (".tsx", ".ts"),
    ".mjs": (".mts",),
    ".cjs": (".cts",),
}
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*[\s\S]*?\*/')
_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')
_MAX_EXTENDS = 5


class Resolver:
    """Answers for one reading; make a new one when files may have changed."""

    def __init__(self, root: Path, places: Places | None = None) -> None:
        """What is in none of `places` is not read."""
        self._root = os.path.abspath(root)
        self._places = places
        self._aliases: dict[str, list[tuple[str, str]]] = {}
        self._packages: dict[str, Mapping[str, Any]] = {}
        self._versions: dict[tuple[str, str], int] = {}
        self.configs: set[str] = set()
        """Absolute paths of the configuration files read."""
        self.refused: dict[str, Problem] = {}
        """Those that were not, by their paths."""

    def resolve(self, specifier: str, importer: str) -> str | None:
        """Absolute path of the file that `importer` means; `None` for a package."""
        folder = os.path.dirname(importer)
        if specifier.startswith("."):
            return find_script(os.path.normpath(os.path.join(folder, specifier)))
        for pattern, target in self._aliases_for(folder):
            prefix, star, suffix = pattern.partition("*")
            if star:
                fits = specifier.startswith(prefix) and specifier.endswith(suffix)
                middle = specifier[len(prefix) : len(specifier) - len(suffix)] if fits else None
            else:
                middle = "" if specifier == pattern else None
            if middle is not None and (found := find_script(target.replace("*", middle))):
                return found
        return None

    def consult_aliases(self, importer: str) -> None:
        """Read the configuration that would say what an alias means in `importer`."""
        self._aliases_for(os.path.dirname(importer))

    def is_missing(self, specifier: str, importer: str) -> bool:
        """Whether a relative import names no file at all, of whatever kind."""
        if not specifier.startswith("."):
            return False
        path = os.path.join(os.path.dirname(importer), specifier.partition("?")[0])
        return not os.path.exists(path) and not os.path.exists(f"{path}.d.ts")

    def version_of(self, package: str, importer: str) -> int:
        """Major version of a package that the nearest package.json asks for; 0 when none says.

        A range without a number, such as `catalog:` or `*`, means the version that is installed.
        """
        if not importer.startswith(self._root):
            return 0
        key = package, os.path.dirname(importer)
        if key not in self._versions:
            self._versions[key] = self._nearest_version(*key)
        return self._versions[key]

    def _nearest_version(self, package: str, folder: str) -> int:
        folders = [folder]
        while folder.startswith(self._root) and (parent := os.path.dirname(folder)) != folder:
            folders.append(folder := parent)
        places = ("package.json", f"node_modules/{package}/package.json")
        paths = (os.path.join(folder, place) for place in places for folder in folders)
        return next(filter(None, (self._version_in(path, package) for path in paths)), 0)

    def _version_in(self, path: str, package: str) -> int:
        if path not in self._packages:
            is_there = os.path.isfile(path)
            self._packages[path] = self._read_lenient(path) if is_there else {}
        return version_in_package(self._packages[path], package)

    def _aliases_for(self, folder: str) -> list[tuple[str, str]]:
        """Pattern and absolute target of each alias, from the nearest configuration."""
        if folder in self._aliases:
            return self._aliases[folder]
        aliases: list[tuple[str, str]] = []
        for name in ("tsconfig.json", "jsconfig.json"):
            if os.path.isfile(path := os.path.join(folder, name)):
                aliases = self._read_aliases(path)
                break
        else:
            parent = os.path.dirname(folder)
            if folder.startswith(self._root) and folder != self._root and parent != folder:
                aliases = self._aliases_for(parent)
        self._aliases[folder] = aliases
        return aliases

    def _read_aliases(self, path: str) -> list[tuple[str, str]]:
        for _ in range(_MAX_EXTENDS):
            settings = self._read_lenient(path)
            folder = os.path.dirname(path)
            options = settings.get("compilerOptions")
            options = options if isinstance(options, dict) else {}
            base, paths = options.get("baseUrl"), options.get("paths")
            if isinstance(base, str) or isinstance(paths, dict):
                start = os.path.join(folder, base) if isinstance(base, str) else folder
                found: list[tuple[str, str]] = []
                for pattern, targets in paths.items() if isinstance(paths, dict) else ():
                    found += [
                        (pattern, os.path.normpath(os.path.join(start, target)))
                        for target in (targets if isinstance(targets, list) else ())
                        if isinstance(target, str)
                    ]
                if isinstance(base, str):
                    found.append(("*", os.path.join(os.path.normpath(start), "*")))
                return found
            extends = settings.get("extends")
            if not isinstance(extends, str) or not extends.startswith("."):
                return []
            path = os.path.normpath(os.path.join(folder, extends))
            path = path if path.endswith(".json") else f"{path}.json"
        return []

    def _read_lenient(self, path: str) -> dict[str, Any]:
        """A JSON object that may have comments and trailing commas; empty when unreadable."""
        try:
            shown = shown_path(Path(path), Path(self._root))
            text = read_text_file(Path(path), shown, TEXT_LIMIT, self._places).text
            self.configs.add(path)
            text = _COMMA.sub(r"\1", _COMMENT.sub(r"\1", text))
            value = decode_json(text)
        except Unreadable as error:
            if error.problem.code == OUTSIDE:
                self.refused[path] = error.problem
            else:
                self.configs.add(path)
            return {}
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}


def find_script(path: str) -> str | None:
    """The file behind an import path: as written, its TypeScript source, or a folder's index."""
    stem, extension = os.path.splitext(path)
    for source in _SOURCE_OF.get(extension, ()):
        if os.path.isfile(stem + source):
            return stem + source
    if extension in EXTENSIONS and os.path.isfile(path):
        return path
    for added in EXTENSIONS:
        if os.path.isfile(path + added):
            return path + added
    for added in EXTENSIONS[:-1]:
        if os.path.isfile(index := os.path.join(path, "index" + added)):
            return index
    return None
