"""Which files a JavaScript module names by a relative path, found without running any of them."""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from evaltui.child.python_files import ModuleTree
from evaltui.files import is_file, is_folder, read_file

SUFFIXES = (".js", ".mjs", ".cjs")
_RELATIVE = re.compile(rb"""["'`](\.{1,2}/[^"'`\n]+)["'`]""")
_ADDED = (".js", ".json", ".node", "/package.json", "/index.js", "/index.json")
"""What `require` adds to a name that is not there itself, in its order."""
_MOST = 1_000


def javascript_tree(start: Path) -> ModuleTree:
    """A module and what it names by a relative path, directly or not. It is never known to be
    whole: names are made up at run time, and packages are found in other ways."""
    found: set[Path] = set()
    missing: set[Path] = set()
    waiting = [start]
    while waiting and len(found) < _MOST:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for named in _named(path):
            for candidate in _candidates(named):
                if is_file(candidate):
                    waiting.append(candidate)
                    if candidate.name != "package.json":
                        break
                elif len(missing) < _MOST:
                    missing.add(candidate)
    return ModuleTree(frozenset(found), frozenset(missing), is_whole=False)


def _named(module: Path) -> Iterator[Path]:
    try:
        content = read_file(module)
    except OSError:
        return
    names = dict.fromkeys(match[1] for match in _RELATIVE.finditer(content))
    for name in islice(names, _MOST):
        yield Path(os.path.normpath(module.parent / os.fsdecode(name)))


def _candidates(named: Path) -> Iterator[Path]:
    """What it may stand for, in the order in which it is looked for; a file with a suffix of code
    or data, but for `./name.old`, for itself."""
    if not is_folder(named):
        yield named
    if named.suffix not in (*SUFFIXES, ".json"):
        yield from (Path(f"{named}{added}") for added in _ADDED)
