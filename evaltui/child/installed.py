"""What is installed for an interpreter, found without starting it."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evaltui.child.module_files import COMPILED, Listings, resolved
from evaltui.files import is_folder, read_file

_PACKAGES = (
    "lib/python3*/site-packages",
    "lib64/python3*/site-packages",
    "lib/python3*/dist-packages",
    "local/lib/python3*/dist-packages",
    "Lib/site-packages",
)
"""Below what an interpreter is installed in, on whichever system."""
_OF_USER = ".local/lib/python3*/site-packages"
_NOT_OURS = frozenset(("site-packages", "dist-packages", "node_modules", "__pycache__", "venv"))
_MOST_FOLDERS = 2_000
_MOST_BYTES = 64 << 10
_BUT_CODE = re.compile(
    rb"import (_virtualenv|_?coverage|pywin32_bootstrap)\b.*|.*_distutils_hack.*"
)
"""Lines of usual `.pth` files that run code, by which no module is found."""


class Installed(NamedTuple):
    """What an interpreter finds besides its standard library."""

    packages: tuple[Path, ...]
    """Folders such as `site-packages`."""
    linked: tuple[Path, ...]
    """Folders that `.pth` files there name, as of an editable install; they are searched too."""
    is_known: bool
    """Whether nothing else is found: those folders are there, and nothing in them runs code by
    which more may be."""

    def has(self, words: list[str], root: Path, listings: Listings) -> bool:
        """Whether a module of that name, or a package above it, is installed there and is none of
        the project's by a link."""
        found = [file for one in resolved(words, self.packages, listings) for file in one.files]
        if found:
            return not any(_is_linked_to(file, root) for file in found)
        return any(is_folder(place.joinpath(*words)) for place in self.packages)


def installed(python: str) -> Installed:
    """Of an interpreter as it would be started."""
    packages = tuple(dict.fromkeys(_packages(python)))
    linked: list[Path] = []
    is_known = bool(packages)
    for place in packages:
        for file in sorted(place.glob("*.pth")):
            try:
                lines = read_file(file, _MOST_BYTES).splitlines()
            except OSError:
                is_known = False
                continue
            for line in lines:
                if line.startswith((b"import ", b"import\t")):
                    is_known &= _BUT_CODE.fullmatch(line) is not None
                elif (text := line.strip()) and not text.startswith(b"#"):
                    linked.append(Path(os.path.normpath(place / os.fsdecode(text))))
    there = (one for one in dict.fromkeys(linked) if is_folder(one))
    return Installed(packages, tuple(there), is_known)


def _packages(python: str) -> Iterator[Path]:
    found = shutil.which(python)
    if found is None:
        return
    path = Path(os.path.abspath(found))  # noqa: PTH100 - the link of an environment is its place
    settings = _settings(path.parent.parent / "pyvenv.cfg")
    if settings is None:
        path = path.resolve()
    yield from _below(path.parent.parent)
    if settings is None:
        yield from Path.home().glob(_OF_USER)
    elif settings.get("include-system-site-packages", "").lower() == "true":
        base = Path(settings.get("home", "")).parent
        yield from _below(base)
        yield from Path.home().glob(_OF_USER)


def _below(prefix: Path) -> Iterator[Path]:
    for pattern in _PACKAGES:
        yield from filter(is_folder, prefix.glob(pattern))


def _settings(file: Path) -> dict[str, str] | None:
    """Those of a virtual environment; `None` where there is none."""
    try:
        text = read_file(file, _MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    pairs = (line.partition("=") for line in text.splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _is_linked_to(file: Path, root: Path) -> bool:
    real = file.resolve()
    return root.resolve() in real.parents and not {"site-packages", "dist-packages"} & {*real.parts}


def holds_module(root: Path, name: str) -> bool:
    """Whether a folder or a file anywhere in the project may be a module of that name; yes where it
    has too many to say."""
    for at, (_, folders, files) in enumerate(os.walk(root)):
        modules = (one.partition(".")[0] for one in files if one.endswith((".py", *COMPILED)))
        if at == _MOST_FOLDERS or name in folders or name in modules:
            return True
        folders[:] = [one for one in folders if one not in _NOT_OURS and one[:1] != "."]
    return False
