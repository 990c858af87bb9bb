"""Finding the settings file and reading it as a table, with the place of every key."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time
from functools import cached_property
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core import workspace_files
from evaltui.core.errors import Problem, Severity
from evaltui.core.key_path import KeyPath, format_key
from evaltui.files import leads_out, read_file
from evaltui.settings import forge_file
from evaltui.settings.evalstudio import evalstudio_file
from evaltui.settings.evalstudio.evalstudio_file import Elsewhere
from evaltui.settings.folders import folders_upward

if TYPE_CHECKING:
    from evaltui.json_text.tree import JsonTree
    from evaltui.settings.toml_position import TomlPlaces

MAX_BYTES = 1_000_000
_FOREIGN = (forge_file.FILE, workspace_files.CONFIG)
SETTINGS_FILES = ("evaltui.toml", "pyproject.toml", "evaltui.config.json", *_FOREIGN)
"""In this order; the first that holds settings counts."""
_BOTH_WAYS = re.compile(r"Cannot mutate immutable namespace \(.*?'([^']*)',?\)")
"""What a table of a list is called that stands beside the list itself."""
_TOML_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
_IN_PYPROJECT: KeyPath = ("tool", "evaltui")


class Place(NamedTuple):
    """Of a setting: file, 1-based line and column, and the key as people write it."""

    file: str
    line: int
    column: int
    key: str


class ConfigSource(Struct, frozen=True, dict=True):
    """A settings file as read; `table` is empty when it has none of ours."""

    path: Path
    text: str = ""
    table: Mapping[str, Any] = field(default_factory=dict)
    problem: Problem | None = None
    """Why it could not be read."""
    places: Mapping[str, KeyPath] = field(default_factory=dict)
    """The key of another program that says what ours of this name does."""
    elsewhere: Mapping[KeyPath, Elsewhere] = field(default_factory=dict)
    """The file that says what ours of this key does, where it is another one."""
    problems: tuple[Problem, ...] = ()
    """What is wrong with another program's keys and files."""
    read_along: tuple[str, ...] = ()
    """Files beside it that settings come from, whether they are there or not."""

    @property
    def is_json(self) -> bool:
        return self.path.suffix.lower() == ".json"

    @property
    def is_foreign(self) -> bool:
        """Whether most of its keys are another program's business."""
        return self.path.name in _FOREIGN

    def place(self, key: KeyPath) -> Place:
        """Where a setting is written, in whatever file."""
        for length in range(len(key), 0, -1):
            found = self.elsewhere.get(key[:length])
            if found is not None:
                return _place_in(self.path.parent, found, key[length:])
        named = self.places.get(str(key[0]))
        shown = key if named is None else (*named, *key[1:])
        line, column = self.locate(key)
        return Place(self.path.name, line, column, format_key(shown))

    def locate(self, key: KeyPath) -> tuple[int, int]:
        """1-based line and column of a setting in this file."""
        inside = _IN_PYPROJECT if self.path.name == "pyproject.toml" else ()
        if (named := self.places.get(str(key[0]))) is not None:
            return self._places.locate((*named, *key[1:]))
        return self._places.locate((*inside, *key))

    def registry_key(self, location: str) -> KeyPath | None:
        """The key that names this source of tools; `None` when the file names none of the kind."""
        from evaltui.settings.model import LOCATIONS  # rare: only once something is wrong

        for name in ("registries", "registry", "tool_registry_path", "toolRegistryPath"):
            value = self.table.get(name)
            for index, entry in enumerate(value if isinstance(value, list) else [value]):
                item = (index,) if isinstance(value, list) else ()
                if entry == location:
                    return (name, *item)
                if isinstance(entry, dict):
                    given = next((key for key in LOCATIONS if entry.get(key)), "")
                    if given and entry[given] == location:
                        return (name, *item, given)
        return None

    @cached_property
    def _places(self) -> "JsonTree | TomlPlaces":
        if self.is_json:
            from evaltui.json_text.tree import JsonTree

            return JsonTree(self.text.encode())
        from evaltui.settings.toml_position import TomlPlaces

        return TomlPlaces(self.text)


def find_config(start: Path) -> ConfigSource | None:
    """The nearest settings file from `start` up to the folder that holds `.git`.

    Without such a folder only `start` counts: settings name commands to run, and folders
    further up may belong to somebody else.
    """
    folders = folders_upward(start)
    top = folders[-1]
    for folder in folders:
        for name in SETTINGS_FILES:
            path = folder / name
            is_ours = name not in ("pyproject.toml", *_FOREIGN)
            # A pipe or a link that leads nowhere is not passed over: somebody means it to count.
            if not (lexists(path) if is_ours else path.is_file()):
                continue
            source = _outside(path) if leads_out(path, top) else read_source(path)
            if is_ours or source.table or source.problems or _is_broken(source):
                return source
    return None


def not_in_force(source: ConfigSource) -> tuple[Problem, ...]:
    """Settings of ours beside those that count: whoever wrote them may think that they do. What
    another program's file says is that program's business first."""
    names = SETTINGS_FILES[SETTINGS_FILES.index(source.path.name) + 1 :]
    return tuple(
        Problem(
            name,
            f"The settings in `{name}` are not read, as `{source.path.name}` next to it is used",
            f"Move what they say into `{source.path.name}`, or delete one of the two.",
            severity=Severity.WARNING,
            code="settings-not-read",
        )
        for name in names
        if name not in _FOREIGN and _has_settings(source.path.parent / name)
    )


def _has_settings(path: Path) -> bool:
    if not path.is_file():
        return False
    return path.name != "pyproject.toml" or bool(read_source(path).table)


def _is_broken(source: ConfigSource) -> bool:
    """Whether settings of ours, or a workspace's, stand where nothing can be read."""
    is_meant = source.path.name == workspace_files.CONFIG or "tool.evaltui" in source.text
    return source.problem is not None and is_meant


def _outside(path: Path) -> ConfigSource:
    """Instead of what a link leads to: nobody agreed to anything before the settings are read."""
    what = "cannot be read: it is a link that leads out of the project"
    hint = "Put a regular file in its place, or name it by --config if you mean it."
    return ConfigSource(path, problem=_problem(path, what, hint))


def read_source(path: Path) -> ConfigSource:
    """Read a settings file; never raises."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return ConfigSource(path, problem=_problem(path, "has more than 1 MB", "Shorten it."))
        content = read_file(path, MAX_BYTES)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        hint = "Check its name and permissions; it has to be a regular file."
        return ConfigSource(path, problem=_problem(path, f"cannot be read: {reason}", hint))
    return (
        _read_json(path, content) if path.suffix.lower() == ".json" else _read_toml(path, content)
    )


def _read_json(path: Path, content: bytes) -> ConfigSource:
    from evaltui.json_text.document import read_json

    document = read_json(path.name, content)
    if isinstance(document, Problem):
        return ConfigSource(path, content.decode("utf-8", "replace"), problem=document)
    text = document.content.decode()
    if not isinstance(document.value, dict):
        return ConfigSource(
            path, text, problem=document.problem((), "The settings are no object", "Write `{…}`.")
        )
    if path.name == forge_file.FILE:
        table, places = forge_file.read_forge(document.value, path.parent)
        return ConfigSource(path, text, table, places=places)
    if path.name == workspace_files.CONFIG:
        said = evalstudio_file.read_workspace(document, path.parent)
        return ConfigSource(
            path,
            text,
            said.table,
            places=said.places,
            elsewhere=said.elsewhere,
            problems=said.problems,
            read_along=said.files,
        )
    return ConfigSource(path, text, document.value)


def _place_in(folder: Path, found: Elsewhere, rest: KeyPath) -> Place:
    from evaltui.json_text.tree import JsonTree
    from evaltui.settings.spelling import camel_case

    spelled = (camel_case(part) if isinstance(part, str) else part for part in rest)
    path = (*found.path, *spelled)
    try:
        line, column = JsonTree(read_file(folder / found.file)).locate(path)
    except OSError:
        line, column = 0, 0
    return Place(found.file, line, column, format_key(path))


def _read_toml(path: Path, content: bytes) -> ConfigSource:
    import tomli

    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        from evaltui.json_text.document import place_of_byte

        problem = _problem(path, "is not UTF-8 text", "Save it as UTF-8.")
        line, column = place_of_byte(error.object, error.start)
        return ConfigSource(path, problem=replace(problem, line=line, column=column))
    try:
        table: Any = tomli.loads(text)
    except (tomli.TOMLDecodeError, RecursionError, ValueError) as error:
        return ConfigSource(path, text, problem=_toml_problem(path, text, str(error)))
    if path.name == "pyproject.toml":
        for part in _IN_PYPROJECT:
            table = table.get(part, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        hint = "Write `[tool.evaltui]`."
        return ConfigSource(path, text, problem=_problem(path, "has no table of settings", hint))
    return ConfigSource(path, text, _plain(table))


def _toml_problem(path: Path, text: str, message: str) -> Problem:
    found = _TOML_PLACE.fullmatch(message)
    what = found[1] if found else message
    lines = text.split("\n")
    line = int(found[2]) if found and found[2] else len(lines)
    column = int(found[3]) if found and found[3] else len(lines[-1]) + 1
    hint = "Correct it."
    both = _BOTH_WAYS.fullmatch(what)
    if both and lines[line - 1].lstrip().startswith("[["):
        what = f"`{both[1]}` is a list already, so that no `[[{both[1]}]]` can stand beside it"
        hint = "Write all entries in one list, or all as tables."
    return Problem(
        path.name,
        f"Not valid TOML: {what}",
        hint,
        line,
        column,
        code="toml-syntax",
    )


def _problem(path: Path, what: str, hint: str) -> Problem:
    return Problem(path.name, f"The settings file `{path.name}` {what}", hint, code="config")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, datetime | date | time) else value
