"""Which files of a project its code names in a text, as in `open("limits.json")`: what it reads
decides what it says."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from evaltui.files import is_file, leads_out, read_file

_TEXT = re.compile(rb"""(?=["'`]([^"'`\n\\]{1,250})["'`])""")
"""Ahead of each quotation mark, since it is not known which of them begin a text."""
_PATH = re.compile(rb"[\w.\x80-\xff -][\w./\x80-\xff -]*")
_SUFFIX = re.compile(rb"[\w\x80-\xff][\w./\x80-\xff-]*\.\w{1,8}")
_WORD, _DOTTED = re.compile(rb"[\w\x80-\xff-]+"), re.compile(rb"[\w.\x80-\xff-]+")
_WRITTEN = re.compile(
    rb"""(?:write|append)File(?:Sync)?\(\s*["']([^"'\n]+)["']"""
    rb"""|["']([^"'\n]+)["']\s*(?:,|\)+\s*\.open\()\s*(?:mode\s*=\s*)?["'][bt]?[wax]"""
    rb"""|["']([^"'\n]+)["']\s*\)+\s*\.write_"""
)
"""One that is written, as far as the code says so where the name stands."""
_WRITES = re.compile(
    rb"""writeFile|appendFile|createWriteStream|\.write_(?:text|bytes)\(|sqlite|shelve|O_(?:WR|RDWR|APP|CREAT)"""
    rb"""|open(?:Sync)?\([^)\n]*["'][bt]*[rwax+]*[wax+][bt+]*["']|\.open\(\s*["'][bt]?[wax]"""
)
_OTHERS = frozenset({b"node_modules", b"site-packages", b"dist-packages", b"__pycache__"})
_MOST_AWAITED = 1_000
_MOST_FOLDERS = 100
"""That are looked into for what one module names."""


class NamedFiles(NamedTuple):
    files: frozenset[Path]
    awaited: frozenset[Path]
    """Where such a file would be that is nowhere."""


def named_files(code: Iterable[Path], root: Path) -> NamedFiles:
    """Of modules: what has a name that stands in one, in its folder, in one above it up to the
    root, or below these in folders that it names too; but what it only writes."""
    files: set[Path] = set()
    awaited: set[Path] = set()
    for module in code:
        try:
            text = read_file(module)
        except OSError:
            continue
        names = _names(text)
        bases = [one for one in module.parents if one == root or root in one.parents] or [root]
        words = {*_WORD.findall(text), *_DOTTED.findall(text)} | names
        folders = [*_folders(bases, words, root)]
        there_by_name = frozenset().union(*(one.entries for one in folders))
        for name in sorted(names):
            is_there = b"/" in name or name in there_by_name
            if not is_there and len(awaited) >= _MOST_AWAITED:
                continue  # a bundle may hold thousands of texts that look like names
            places = [path for one in folders if (path := _place(one, name, root))]
            there = [path for path in places if is_file(path)]
            files.update(there)
            if not there and _SUFFIX.fullmatch(name):
                awaited.update(places)
    return NamedFiles(frozenset(files), frozenset(awaited))


def writes(module: Path) -> bool:
    """Whether its code has something that writes files, whichever these are."""
    try:
        return _WRITES.search(read_file(module)) is not None
    except OSError:
        return False


def _names(code: bytes) -> set[bytes]:
    texts = {match[1] for match in _TEXT.finditer(code)}
    names = {text for text in texts if _PATH.fullmatch(text) and not text.endswith(b".log")}
    names = {name for name in names if not any(map(_is_of_others, name.split(b"/")[:-1]))}
    return names - {name for match in _WRITTEN.finditer(code) for name in match.groups() if name}


class _Folder(NamedTuple):
    path: Path
    entries: frozenset[bytes]


def _folders(bases: list[Path], words: set[bytes], root: Path) -> Iterator[_Folder]:
    """These, and below them those of a path of which each word is one of these."""
    waiting, known = [*bases], {*bases}
    while waiting:
        folder = waiting.pop()
        entries = _entries(folder)
        yield _Folder(folder, frozenset(os.fsencode(one.name) for one in entries))
        for entry in entries:
            if len(known) < _MOST_FOLDERS and os.fsencode(entry.name) in words:
                path = folder / entry.name
                if path not in known and _is_own(entry, root):
                    known.add(path)
                    waiting.append(path)


def _place(folder: _Folder, name: bytes, root: Path) -> Path | None:
    """Of a file of that name from a folder, where it lies in the project; `None` for a text that is
    no name there."""
    if b"/" not in name:
        is_one = name in folder.entries or _SUFFIX.fullmatch(name)
        return folder.path / os.fsdecode(name) if is_one else None
    first = name.partition(b"/")[0]
    if first not in folder.entries and first not in (b".", b".."):
        return None
    path = Path(os.path.normpath(folder.path / os.fsdecode(name)))
    return path if root in path.parents else None


def _entries(folder: Path) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as entries:
            return [*entries]
    except OSError:
        return []


def _is_own(entry: "os.DirEntry[str]", root: Path) -> bool:
    if _is_of_others(os.fsencode(entry.name)):
        return False
    try:
        return entry.is_dir() and not leads_out(Path(entry.path), root)
    except OSError:
        return False


def _is_of_others(folder: bytes) -> bool:
    """Whether it is for packages, or hidden."""
    return folder in _OTHERS or (folder.startswith(b".") and folder not in (b".", b".."))
