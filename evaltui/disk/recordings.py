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
from evaltui.core.json_value import Json, JsonObject
from evaltui.disk.atomic import safe_path, sweep, write_atomic
from evaltui.disk.codec import encode, parse
from evaltui.disk.damage import Report, ignore, is_damage, set_aside
from evaltui.disk.file_lock import writing_in
from evaltui.files import RESULTS_LIMIT, read_text

FORMAT = 1
_ORDER = ("key", "trial", "turn", "parameters", "variables", "case", "messages", "tools")


class RecordingFolder:
    """`<folder>/<suite without .json>/<case>.json`, each with every recorded request of its case.

    Tool sets are written once a file, since requests of one case nearly always share theirs.
    """

    def __init__(self, folder: Path, root: Path | None = None, report: Report = ignore) -> None:
        """`report` hears of a damaged file, which is set aside; its answers are asked for again."""
        self._report = report
        self._folder = folder
        self._root = root or folder.parent
        self._lock = threading.Lock()
        self._swept: set[Path] = set()

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
        """The entries, `{key, request, reply}` each; none when nothing readable is recorded.

        Raises UserError when the file must not be read.
        """
        path = self.path(case)
        try:
            return self._entries(case, path) if path.exists() else ()
        except (OSError, ValueError, RecursionError) as error:
            if not is_damage(error):
                raise UserError(
                    f"`{self.place(case)}` cannot be read: {error}.", "Check its permissions."
                ) from error
            why = type(error).__name__ if isinstance(error, RecursionError) else error
            self._report(set_aside(path, why, "Repair it and restore its name, or record again."))
            return ()

    async def keep(self, case: CaseKey, entry: JsonObject, former_key: str = "") -> None:
        """Add `entry`, or put it in the place of the one with its key, or with the one that earlier
        versions gave it, unless that tells of other variables. Raises UserError, OSError.

        What else stands in the file by then stays, so that agents, trials and processes do not
        disturb each other.
        """
        await asyncio.to_thread(self._keep, case, entry, (entry["key"], former_key))

    def _keep(self, case: CaseKey, entry: JsonObject, keys: tuple[Json, ...]) -> None:
        path = self.path(case)
        with self._lock, writing_in(path.parent):
            if path.parent not in self._swept:
                self._swept.add(path.parent)
                sweep(path.parent)
            variables = {"", variables_of(entry)}
            entries = [
                old
                for old in self.read(case)
                if old.get("key") not in keys or variables_of(old) not in variables
            ]
            entries.append(entry)
            entries.sort(key=_rank)
            write_atomic(path, _file_text(case, entries))

    def _entries(self, case: CaseKey, path: Path) -> tuple[JsonObject, ...]:
        """Raises OSError, ValueError and RecursionError; UserError for a later format."""
        value = parse(read_text(path, RESULTS_LIMIT))
        if not isinstance(value, dict):
            raise ValueError("it is not an object")
        version, tool_sets, entries = (value.get(name) for name in ("format", "tools", "entries"))
        if isinstance(version, int) and version > FORMAT:
            raise UserError(
                f"`{self.place(case)}` is not a recording of format {FORMAT}.",
                "A later version of evaltui wrote it; use that one, or record again elsewhere.",
            )
        if version != FORMAT or not isinstance(tool_sets, dict) or not isinstance(entries, list):
            raise ValueError(f"it has no `format` {FORMAT}, no `tools` or no `entries`")
        return tuple(_unfolded(entry, tool_sets) for entry in entries if isinstance(entry, dict))


def _rank(entry: JsonObject) -> tuple[str, int, int, str]:
    """Entries of one agent together, in the order of trials and turns."""
    request: Any = entry.get("request") or {}
    agent = json.dumps(request.get("parameters"), sort_keys=True, default=str)
    same = str(entry.get("key")) + variables_of(entry)
    return agent, request.get("trial", 0), request.get("turn", 0), same


def variables_of(entry: JsonObject) -> str:
    """What an entry tells of the agent's variables; empty where it does not."""
    request = entry.get("request")
    return str(request.get("variables") or "") if isinstance(request, Mapping) else ""


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
