"""Descriptions for which evals were written, by hash: `.evaltui/descriptions.json`."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from evaltui.core.tool import ToolDefinition, short_hash
from evaltui.disk.atomic import write_atomic
from evaltui.disk.codec import decode, encode
from evaltui.disk.damage import Report, is_damage, set_aside
from evaltui.disk.file_lock import writing_in
from evaltui.files import read_file

FILE = "descriptions.json"
KEPT = 1_000
"""Descriptions on disk, the last ones for which evals were written."""
LONGEST = 16_000
"""Characters of one that is kept on disk."""


class KnownDescriptions:
    """Every description that this process read, and those that an earlier one kept.

    What is not known any more costs only that it cannot be shown, and so does a folder that cannot
    be read or written.
    """

    def __init__(self, folder: Path, report: Report) -> None:
        """`folder`: the project's `.evaltui`."""
        self._path = folder / FILE
        self._report = report
        self._read: dict[str, str] = {}
        self._kept: dict[str, str] | None = None

    def add(self, tools: Iterable[ToolDefinition]) -> None:
        """These were read."""
        for tool in tools:
            if tool.description_hash is not None:
                self._read[tool.description_hash] = tool.description or ""

    def get(self, description_hash: str) -> str | None:
        """`None` when it is not known."""
        found = self._read.get(description_hash)
        return self._on_disk().get(description_hash) if found is None else found

    def keep(self, wanted: Iterable[str]) -> None:
        """Have those on disk that are known of these hashes, for which evals are written."""
        read = {one: self._read[one] for one in wanted if one in self._read}
        found = {one: text for one, text in read.items() if len(text) <= LONGEST}
        if found.keys() <= self._on_disk().keys():
            return
        with suppress(OSError), writing_in(self._path.parent):
            before = {one: text for one, text in self._load().items() if one not in found}
            kept = dict([*before.items(), *found.items()][-KEPT:])
            write_atomic(self._path, encode(kept))
            self._kept = kept

    def _on_disk(self) -> dict[str, str]:
        if self._kept is None:
            self._kept = self._load()
        return self._kept

    def _load(self) -> dict[str, str]:
        try:
            found = decode(dict[str, str], read_file(self._path))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            if is_damage(error):
                hint = "What tools said when evals were written is known from now on again."
                self._report(set_aside(self._path, error, hint))
            return {}
        return {one: text for one, text in found.items() if short_hash(text) == one}
