"""One entry of the setting `evaluators`: what starts it, which files it is made of."""

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct

from evaltui.agents.own_files import program_files
from evaltui.child.interpreter import own_python
from evaltui.child.javascript_files import SUFFIXES as JAVASCRIPT
from evaltui.child.javascript_files import javascript_tree
from evaltui.child.python_files import ModuleTree, module_tree, tree_of_target
from evaltui.core.config import Config, EvaluatorSource
from evaltui.core.finite_json import decode_json
from evaltui.core.permit import Grant, grant
from evaltui.core.shown_secret import shown_command
from evaltui.core.tool import short_hash
from evaltui.core.workspace_files import CONFIG
from evaltui.evaluators.kit import evaltui as kit
from evaltui.evaluators.named_files import named_files, writes
from evaltui.evaluators.worker import BRIDGE, SERVE_EVALUATORS
from evaltui.files import is_file, leads_out, read_file, read_text

MOST_MEMORY = 4 << 30
"""Bytes of data of one process: what more it asks for is refused."""
_APART = 'exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>&2'
"""Starts a program that is asked on fd 3 and answers on fd 4, so that 0 and 1 are for what it
runs."""
NOTHING_RAN: Mapping[Path, bytes] = MappingProxyType({})
_KIT_FOLDER = Path(kit.__file__).parent.parent


class EntryFiles(NamedTuple):
    """Files of the project that an entry is made of."""

    files: frozenset[Path]
    awaited: frozenset[Path]
    """What would belong to it if it were there."""
    are_all: bool = True
    """Whether nothing else belongs to it but what it tells when it is loaded."""


NOTHING_MADE = EntryFiles(frozenset(), frozenset())


class PluginEntry(Struct, frozen=True):
    """Its kind follows from how it is written: `./file.py`, `./file.mjs`, `a.module`, a command."""

    source: EvaluatorSource
    root: Path
    python: str = ""
    """The project's own interpreter below the root, as of when the settings were read: what is
    agreed to and what is started are the same. Empty: ours."""
    node: str = ""
    """The file below the root that the name, which is that of a package of Node's, stands for."""

    @property
    def text(self) -> str:
        """As it is named in sentences."""
        return self.source.name or shown_command(" ".join(self.source.command))

    @property
    def path(self) -> Path | None:
        """Of a file; a name that begins with `.` or `/` is a path from the settings' folder."""
        if self.node:
            return self.root / self.node
        if not self.source.name.startswith((".", "/")):
            return None
        return Path(os.path.normpath(self.root / self.source.name))

    @property
    def is_javascript(self) -> bool:
        name = self.source.name  # no path is made of it: this is asked for each judgement
        is_file = name.startswith((".", "/"))
        return bool(self.node) or (is_file and name.endswith(JAVASCRIPT))

    @property
    def is_command(self) -> bool:
        return bool(self.source.command)

    @property
    def is_one_shot(self) -> bool:
        return self.is_command and self.source.mode == "oneshot"

    @property
    def is_served_by_us(self) -> bool:
        """Whether what starts it says nothing of what it is to load."""
        return not (self.is_command or self.is_javascript)

    @property
    def argv(self) -> tuple[str, ...]:
        """What starts it."""
        if self.is_command:
            return self.source.command
        if self.is_javascript:
            bridge = ("node", str(BRIDGE), str(self.path))
            if sys.platform == "win32" or shutil.which("node") is None:
                return bridge
            return ("/bin/sh", "-c", _APART, *bridge, "apart")
        python = str(self.root / self.python) if self.python else sys.executable
        return (python, "-X", "utf8", str(SERVE_EVALUATORS), str(_KIT_FOLDER), str(self.root))

    @property
    def grant(self) -> Grant:
        """What a person agrees to."""
        if self.is_command:
            exact, what = list(self.source.command), f"`{self.text}`"
        else:
            exact, what = [self.source.name], f"evaluators of `{self.text}`"
        if place := self.node or (self.python if self.is_served_by_us else ""):
            exact, what = [*exact, place], f"{what} in `{place}`"
        return grant("run", ["evaluators", *exact], what, by="evaluators")

    def made_of(self) -> EntryFiles:
        """What it is made of, as far as can be seen without running it."""
        if self.is_command:
            return self._made_of_program()
        code = self._code()
        named = named_files(code.files, self.root)
        return EntryFiles(code.files | named.files, code.missing | named.awaited)

    def _made_of_program(self) -> EntryFiles:
        """It tells nothing. So data that code names which writes anything may be written by it:
        it does not count among its files then, and they are not all."""
        own = program_files(self.source.command, self.root, self.root)
        scripts = (path for path in own.files if path.suffix in JAVASCRIPT)
        trees = [javascript_tree(path) for path in sorted(scripts)]
        files = own.files.union(*(one.files for one in trees))
        code = {path for path in files if path.suffix in (".py", *JAVASCRIPT)}
        writing = {path for path in code if writes(path)}
        named = named_files(code - writing, self.root)
        return EntryFiles(
            files | named.files,
            own.awaited.union(named.awaited, *(one.missing for one in trees)),
            own.are_all and not named_files(writing, self.root).files,
        )

    def _code(self) -> ModuleTree:
        if self.path is None:
            tree = tree_of_target(self.source.name, self.root)
        elif self.is_javascript:
            tree = javascript_tree(self.path)
        else:
            tree = module_tree(self.path, self.root)
        return tree or ModuleTree(frozenset(), frozenset())

    def fingerprint(self, files: Iterable[Path], ran: Mapping[Path, bytes] = NOTHING_RAN) -> str:
        """12 hex digits of what it is and of what stands in these files, wherever the project is:
        a copy of it has the same evaluators. `ran`: what stood in some when they were read."""
        digest = hashlib.sha256()
        # A path of the settings may lead out of the project.
        for name, path in sorted((os.path.relpath(path, self.root), path) for path in files):
            content = ran[path] if path in ran else _content(path)
            digest.update(b"%b\0%d\0%b" % (os.fsencode(name), len(content), content))
        source = [self.source.name, *self.source.command, self.source.mode]
        return short_hash("\0".join([*source, digest.hexdigest()]))


def prints_of(files: Iterable[Path], ran: Mapping[Path, bytes]) -> dict[Path, bytes]:
    """A digest of what stands in each; `ran` as for a fingerprint."""
    contents = ((path, ran[path] if path in ran else _content(path)) for path in files)
    return {path: hashlib.sha256(content).digest() for path, content in contents}


def _content(path: Path) -> bytes:
    try:
        return read_file(path)
    except OSError:
        return b"missing"


def entries_of(config: Config) -> tuple[PluginEntry, ...]:
    """All of the settings. In an EvalStudio workspace a name may be that of a package of Node's."""
    python, is_workspace = own_python(config.root), config.file == CONFIG
    return tuple(
        PluginEntry(
            source,
            config.root,
            python,
            package_file(config.root, source.name) if is_workspace and source.name else "",
        )
        for source in config.evaluators
    )


FOLDER = "node_modules"
_NAME = re.compile(r"(@[\w.~-]+/)?[\w~-][\w.~-]*")
_CONDITIONS = ("node", "import", "module", "default", "require")


def package_file(root: Path, name: str) -> str:
    """Path below `root`; empty where no such package is installed there, or it says no file."""
    if not _NAME.fullmatch(name):
        return ""
    folder = root / FOLDER / name
    if leads_out(folder, root):
        return ""
    try:
        package = decode_json(read_text(folder / "package.json"))
    except (OSError, ValueError, RecursionError):
        return ""
    if not isinstance(package, dict):
        return ""
    for wanted in (_exported(package.get("exports")), package.get("main"), "index.js"):
        if isinstance(wanted, str) and is_file(folder / wanted):
            path = folder / wanted
            return "" if leads_out(path, folder) else path.relative_to(root).as_posix()
    return ""


def _exported(said: Any, depth: int = 8) -> Any:
    """What the package itself stands for, of its `exports`."""
    if not isinstance(said, dict) or not depth:
        return said
    if "." in said:
        return _exported(said["."], depth - 1)
    found = next((said[one] for one in said if one in _CONDITIONS), None)
    return _exported(found, depth - 1)
