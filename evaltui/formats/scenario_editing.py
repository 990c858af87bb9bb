"""Edits of scenario files: adding a scenario, or changing one in place."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from evaltui.core.errors import UserError
from evaltui.core.file_edit import FileEdit, file_edit
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath
from evaltui.formats.scenario import list_at
from evaltui.formats.scenario_case import read_scenario
from evaltui.json_text.edit import append_item, read_value, replace_value
from evaltui.json_text.style import style_of

_SPREAD = b'{\n  "name": ["a"]\n}'
"""How a new file is laid out."""


class WrittenScenario(NamedTuple):
    """A scenario as it stands in its file."""

    path: KeyPath
    id: str
    """Of its case."""
    value: dict[str, Any]


def written_scenarios(content: bytes) -> Iterator[WrittenScenario]:
    """All of a file that are objects; of those with the same id the first. Raises UserError."""
    value = read_value(content)
    prefix = list_at(value)
    written = value["scenarios"] if prefix else value
    is_one = isinstance(written, dict)
    seen: set[str] = set()
    items = [written] if is_one else written
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            found = _written(prefix if is_one else (*prefix, index), item)
            if found.id not in seen:
                seen.add(found.id)
                yield found


class ScenarioEdit(NamedTuple):
    """An edit of a file, and the scenario that it is about as it will stand there."""

    edit: FileEdit
    scenario: WrittenScenario


def change_scenario(
    file: Path, content: bytes, scenario: WrittenScenario, changes: Mapping[str, Json]
) -> ScenarioEdit:
    """Give it these fields and leave the others; `None` takes one out. Only those lines change."""
    merged = {**scenario.value, **changes}
    taken_out = {key for key, value in changes.items() if value is None}
    wanted = {key: value for key, value in merged.items() if key not in taken_out}
    after = replace_value(content, scenario.path, wanted)
    edit = file_edit(file, content, after, f"Change the scenario `{scenario.id}`")
    return ScenarioEdit(edit, _written(scenario.path, wanted))


def add_scenario(file: Path, content: bytes | None, fields: JsonObject) -> ScenarioEdit:
    """Put one at the end of the file's list, or into a new file (`content` is `None`).

    Raises UserError for a file that is one scenario.
    """
    wanted = {key: value for key, value in fields.items() if value is not None}
    path = KEY_OF_FILE
    if content is None:
        after = (style_of(_SPREAD).block(wanted, "") + "\n").encode()
    else:
        value = read_value(content)
        prefix = list_at(value)
        items = value["scenarios"] if prefix else value
        if not isinstance(items, list):
            what = f"`{file.name}` is one scenario, not a list of them."
            raise UserError(what, "Give another file, or make a list of this one.")
        after, path = append_item(content, prefix, wanted), (*prefix, len(items))
    added = _written(path, wanted)
    return ScenarioEdit(file_edit(file, content, after, f"Add the scenario `{added.id}`"), added)


KEY_OF_FILE: KeyPath = ()
"""Where the only scenario of a file stands."""


def _written(path: KeyPath, value: dict[str, Any]) -> WrittenScenario:
    return WrittenScenario(path, read_scenario(value, "", 0, path)[0].id, value)
