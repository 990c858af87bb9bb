"""Recorded answers on disk: one readable file a case, made for diffs and for hands."""

import asyncio
import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec.json import format

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.json_value import JsonObject
from evaltui.disk.atomic import safe_path, write_atomic
from evaltui.disk.codec import encode
from evaltui.files import RESULTS_LIMIT, read_text

FORMAT = 1
_ORDER = ("key", "trial", "turn", "parameters", "case", "messages", "tools")
_REPAIR = "Repair it, or delete it and record again."


class RecordingFolder:
    """`<folder>/<suite without .json>/<case>.json`, each with every recorded request of its case.

    Tool sets are written once a file, since requests of one case nearly always share theirs.
    """

    def __init__(self, folder: Path, root: Path | None = None) -> None:
        self._folder = folder
        self._root = root or folder.parent
        self._lock = threading.Lock()

    def place(self, case: CaseKey) -> str:
        """The file's path below the project root."""
        path = self.path(case)
        with suppress(ValueError):
            path = path.relative_to(self._root)
        return path.as_posix()

    def path(self, case: CaseKey) -> Path:
        """Raises UserError when a symbolic link leads out of the folder."""
        suite = case.suite.removesuffix(".json")  # a folder of that name looks like an eval file
        return safe_path(self._folder, *suite.split("/"), case.case, suffix=".json")

    def read(self, case: CaseKey) -> tuple[JsonObject, ...]:
        """The entries, `{key, request, reply}` each; none when nothing is recorded.

        Raises UserError for a file that is no recording.
        """
        path = self.path(case)
        return self._entries(case, path) if path.exists() else ()

    async def keep(self, case: CaseKey, entry: JsonObject) -> None:
        """Add `entry`, or put it in the place of the one with its key. Raises UserError, OSError.

        What else stands in the file by then stays, so that agents and trials do not disturb each
        other.
        """
        await asyncio.to_thread(self._keep, case, entry)

    def _keep(self, case: CaseKey, entry: JsonObject) -> None:
        with self._lock:
            path = self.path(case)
            entries = [old for old in self.read(case) if old.get("key") != entry["key"]]
            entries.append(entry)
            entries.sort(key=_rank)
            write_atomic(path, _file_text(case, entries))

    def _entries(self, case: CaseKey, path: Path) -> tuple[JsonObject, ...]:
        place = self.place(case)
        try:
            value = json.loads(read_text(path, RESULTS_LIMIT))
        except (OSError, ValueError, RecursionError) as error:
            why = error.msg if isinstance(error, json.JSONDecodeError) else type(error).__name__
            line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
            raise UserError(f"`{place}{line}` is no recording ({why}).", _REPAIR) from None
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise UserError(f"`{place}` is no recording of format {FORMAT}.", _REPAIR)
        tool_sets, entries = value.get("tools"), value.get("entries")
        if not isinstance(tool_sets, dict) or not isinstance(entries, list):
            raise UserError(f"`{place}` has no `tools` or no `entries`.", _REPAIR)
        return tuple(_unfolded(entry, tool_sets) for entry in entries if isinstance(entry, dict))


def _rank(entry: JsonObject) -> tuple[str, int, int, str]:
    """Entries of one agent together, in the order of trials and turns."""
    request: Any = entry.get("request") or {}
    agent = json.dumps(request.get("parameters"), sort_keys=True, default=str)
    return agent, request.get("trial", 0), request.get("turn", 0), str(entry.get("key"))


def _file_text(case: CaseKey, entries: Sequence[JsonObject]) -> bytes:
    tool_sets: dict[str, Any] = {}
    folded: list[dict[str, Any]] = []
    for entry in entries:
        request: Any = entry["request"]
        tools = request.get("tools") or {}
        text = json.dumps(list(tools.items()), ensure_ascii=False)
        name = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        tool_sets[name] = dict(tools)
        flat = {"key": entry["key"], **request, "tools": name}
        ordered = {key: flat[key] for key in _ORDER if key in flat}
        folded.append({**ordered, "reply": entry["reply"]})
    document = {
        "format": FORMAT,
        "suite": case.suite,
        "case": case.case,
        "tools": dict(sorted(tool_sets.items())),
        "entries": folded,
    }
    return format(encode(document), indent=2) + b"\n"


def _unfolded(entry: Mapping[str, Any], tool_sets: Mapping[str, Any]) -> JsonObject:
    request = {key: value for key, value in entry.items() if key not in {"key", "reply"}}
    request["tools"] = tool_sets.get(str(entry.get("tools")), {})
    return {"key": entry.get("key"), "request": request, "reply": entry.get("reply")}
