"""Last good tools of sources that can be down: one file a source in `.evaltui/last_tools`."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.errors import Problem, UserError
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
        self.problems: list[Problem] = []
        """Damaged files found so far."""

    def load(self, source: str) -> dict[str, LastGood]:
        """Empty also when the file is missing, of another version, or damaged and so set aside."""
        from evaltui.disk.codec import decode
        from evaltui.disk.damage import is_damage, set_aside

        try:
            path = self._path(source)
        except UserError:
            return {}
        try:
            body = decode(_Body, read_file(path))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            if is_damage(error):
                hint = "Tools of a source that is down now are unknown until it answers again."
                self.problems.append(set_aside(path, error, hint))
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
