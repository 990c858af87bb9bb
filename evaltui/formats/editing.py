"""Edits that follow from a result: accepting it, or capturing it as a regression case."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from evaltui.core.case import Case
from evaltui.core.errors import UserError
from evaltui.core.file_edit import FileEdit, file_edit
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath
from evaltui.core.response import ToolCall
from evaltui.core.tool import same_tool_name
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.read_value import texts_below
from evaltui.expectations.tokens import find_tokens
from evaltui.expectations.tools_called import ToolsCalled
from evaltui.json_text.edit import append_case, read_value, replace_value
from evaltui.json_text.style import style_of


def accept_calls(file: Path, content: bytes, case_id: str, calls: Sequence[ToolCall]) -> FileEdit:
    """Make the actual calls the expectation of one case.

    Each assertion says what accepting them makes of it. A case in which none says what is to be
    called gets `toolsCalled`, the others not (contract requirement 57). Raises UserError when it
    makes no sense.
    """
    path, case = _find_case(content, case_id)
    if case.get("difficulty") == "regression" or case_id.startswith("rg-"):
        raise UserError(
            f"`{case_id}` is a regression case: those are never edited.",
            "Fix the tool, or remove the case when it no longer applies.",
        )
    expect = case.get("expect", {})
    if not isinstance(expect, dict):
        raise UserError(f"`expect` of `{case_id}` is not an object.", "Correct the file first.")
    known = {key: ASSERTIONS[key] for key in expect if key in ASSERTIONS}
    if not any(assertion.chooses_calls for assertion in known.values()):
        known[ToolsCalled.name] = ToolsCalled
    wanted = {**expect}
    for key, assertion in known.items():
        wanted[key] = assertion.accepted(expect.get(key), calls)
    after = replace_value(content, (*path, "expect"), wanted)
    if after == content:
        raise UserError(f"The calls of `{case_id}` are what it expects already.")
    edit = file_edit(file, content, after, f"Accept the calls of `{case_id}`")
    stubs = case.get("stubs") if isinstance(case.get("stubs"), dict) else None
    still = (each.still_fails(wanted[key], stubs, calls) for key, each in known.items())
    return replace(edit, still_fails=tuple(f"It still fails: {why}." for why in still if why))


def accept_description_hash(
    file: Path,
    content: bytes,
    description_hash: str,
    version: str | None = None,
    registry_size: int | None = None,
) -> FileEdit:
    """Say that the evals were checked against the tool as it is now.

    `version` and `registry_size` are written when they are known. Raises UserError for a bare
    array, and when everything is as it should be.
    """
    value = read_value(content)
    metadata = value.get("metadata") if isinstance(value, dict) else None
    if not isinstance(metadata, dict):
        raise UserError(
            f"`{file.name}` has no metadata to write a description hash into.",
            'Wrap its cases: `{"metadata": {…}, "cases": […]}`.',
        )
    wanted: dict[str, Json] = metadata | {"descriptionHash": description_hash}
    if version is not None:
        wanted["toolVersion"] = version
    if registry_size is not None:
        wanted["registrySize"] = registry_size
    after = replace_value(content, ("metadata",), wanted)
    if after == content:
        raise UserError(f"`{file.name}` has this description hash already.")
    return file_edit(file, content, after, f"Accept the description for `{file.name}`")


def capture_regression(
    file: Path,
    content: bytes | None,
    case: Case,
    *,
    tool_name: str,
    created_at: str,
    bug_ref: str,
    case_id: str = "",
    metadata: JsonObject | None = None,
) -> FileEdit:
    """Add `case` to the tool's regression file (`content` is `None` when there is none yet).

    `created_at` is ISO 8601; `metadata` describes the tool as it is now and goes into a new file.
    Values with snapshot tokens are left out: regression cases run without live data (requirement
    60). Raises UserError without a bug reference, or when the id is taken.
    """
    if not bug_ref.strip():
        raise UserError("A regression case needs a bug reference.", "Give an issue or a commit.")
    if not isinstance(case.expect, dict) or not case.expect:
        raise UserError(f"`{case.id}` asserts nothing that could be captured.", "Add `expect`.")
    taken = ids_in(content)
    new_id = case_id or _next_id(tool_name, taken)
    if new_id in taken:
        raise UserError(f"`{new_id}` is in `{file.name}` already.", "Choose another id.")
    entry: dict[str, Json] = {
        "id": new_id,
        "description": f"regression — {case.description or case.id}",
        "difficulty": "regression",
        "createdAt": created_at,
        "bugRef": bug_ref.strip(),
        "input": {"message": case.message},
    }
    if case.stubs is not None:
        entry["stubs"] = case.stubs
    if case.body.max_turns != 5:
        entry["maxTurns"] = case.body.max_turns
    entry["expect"] = _without_snapshot(case.expect)
    title = f"Capture `{case.id}` as `{new_id}`"
    if content is not None and content.strip():
        return file_edit(file, content, append_case(content, entry), title)
    envelope: dict[str, Json] = {
        "metadata": {"toolName": tool_name, "tier": "regression", **(metadata or {})},
        "cases": [entry],
    }
    style = style_of(b'{\n  "toolsCalled": ["a"]\n}')
    return file_edit(file, content, (style.block(envelope, "") + "\n").encode(), title)


def regression_file(suite_file: Path, tool_name: str) -> Path:
    """`<tool>.regression.json` beside the suite, spelled as the suite's own file is."""
    stem = suite_file.name.split(".")[0]
    if not same_tool_name(stem, tool_name):
        stem = re.sub(r"[^\w-]", "_", tool_name) or "tool"
    return suite_file.with_name(f"{stem}.regression.json")


def _find_case(content: bytes, case_id: str) -> tuple[KeyPath, dict[str, Any]]:
    value = read_value(content)
    path: KeyPath = ("cases",) if isinstance(value, dict) else ()
    cases = value.get("cases") if isinstance(value, dict) else value
    for index, case in enumerate(cases if isinstance(cases, list) else ()):
        if isinstance(case, dict) and case.get("id") == case_id:
            return (*path, index), case
    raise UserError(f"`{case_id}` is no longer in the file.", "It is read again when you save it.")


def _without_snapshot(value: Any) -> Any:
    """Lists lose members with snapshot tokens, and groups and assertions that are then empty."""
    if isinstance(value, dict):
        return {key: _without_snapshot(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_snapshot(item) for item in value if not _is_snapshot(item)]
    return value


def _is_snapshot(item: Any) -> bool:
    """A list only when all of it is; an object when any text in it is."""
    if isinstance(item, list):
        return bool(item) and all(map(_is_snapshot, item))
    tokens = (token for _, text in texts_below("", item) for token in find_tokens(text))
    return any(token.source == "snapshot" for token in tokens)


def ids_in(content: bytes | None) -> set[str]:
    """Of the cases of a file. Raises UserError when it is no JSON."""
    if content is None or not content.strip():
        return set()
    value = read_value(content)
    cases = value.get("cases") if isinstance(value, dict) else value
    found = cases if isinstance(cases, list) else []
    return {str(case.get("id")) for case in found if isinstance(case, dict)}


def _next_id(tool_name: str, taken: set[str]) -> str:
    prefix = f"rg-{tool_name.replace('_', '-')}-"
    numbers = [
        int(rest)
        for one in taken
        if (rest := one.removeprefix(prefix)) != one and rest.isascii() and rest.isdigit()
    ]
    return f"{prefix}{max(numbers, default=0) + 1:03}"
