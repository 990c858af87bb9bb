"""Last good tools of sources that can be down: one file a source in `.evaltui/last_tools`."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.errors import UserError
from evaltui.core.tool import LastGood
from evaltui.files import read_file

FOLDER = "last_tools"
VERSION = 1


class _Body(Struct):
    version: int
    places: dict[str, LastGood]


class ToolFiles:
    """Definitions by place, each place with the time when they were listed.

    Nothing of how a source is reached stands in a file, not even its address.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, source: str) -> dict[str, LastGood]:
        """Empty also when the file is missing, damaged or of another version."""
        from evaltui.disk.codec import decode

        try:
            body = decode(_Body, read_file(self._path(source)))
        except (OSError, UserError, ValueError, RecursionError):
            return {}
        return body.places if body.version == VERSION else {}

    def keep(self, source: str, places: Mapping[str, LastGood]) -> None:
        """Replace what is known of a source; a folder that cannot be written to costs only that."""
        from evaltui.disk.atomic import write_atomic
        from evaltui.disk.codec import encode

        body = _Body(
            VERSION,
            {
                place: replace(kept, tools=tuple(replace(t, source="") for t in kept.tools))
                for place, kept in places.items()
            },
        )
        with suppress(OSError, UserError):
            path = self._path(source)
            if places:
                write_atomic(path, encode(body))
            else:
                path.unlink(missing_ok=True)

    def _path(self, source: str) -> Path:
        from evaltui.disk.atomic import safe_path

        return safe_path(self._folder, FOLDER, source, suffix=".json")
