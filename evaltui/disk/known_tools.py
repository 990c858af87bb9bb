"""What the tools were when results were made: one file a registry in `.evaltui/tool_prints`."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from evaltui.disk.atomic import write_atomic
from evaltui.disk.codec import decode, encode
from evaltui.files import read_file

FOLDER = "tool_prints"
KEPT = 50
"""Registries that results were made with; one edit after the other makes ever new ones."""


class KnownTools:
    """Fingerprints by `<tool>.<field>` of whole registries, by the fingerprint of each.

    What is not known any more costs only that a reason is less exact, and so does a folder that
    cannot be read or written.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Without the project's `.evaltui` only what is added is known."""
        self._folder = None if folder is None else folder / FOLDER
        self._known: dict[str, Mapping[str, str] | None] = {}

    def add(self, registry: str, prints: Mapping[str, str]) -> None:
        self._known.pop(registry, None)
        self._known[registry] = prints
        while len(self._known) > KEPT:
            del self._known[next(iter(self._known))]

    def get(self, registry: str) -> Mapping[str, str] | None:
        """`None` when it is not known."""
        if registry not in self._known:
            found = self._load(registry)
            if found is None:
                return None
            self.add(registry, found)
        return self._known[registry]

    def keep(self, registry: str) -> None:
        """Have it on disk, and of all others the youngest."""
        prints = self._known.get(registry)
        if self._folder is None or prints is None:
            return
        path = self._path(registry)
        with suppress(OSError):
            if path.exists():
                path.touch()
                return
            write_atomic(path, encode(prints))
            files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
            for old in files[:-KEPT]:
                old.unlink(missing_ok=True)

    def _load(self, registry: str) -> Mapping[str, str] | None:
        if self._folder is None or not registry.isalnum():
            return None
        with suppress(OSError, ValueError, RecursionError):
            return decode(dict[str, str], read_file(self._path(registry)))
        return None

    def _path(self, registry: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{registry}.json"
