"""The JSON documents of a pack, of which each is an object of a known shape."""

from pathlib import Path
from typing import Any

from evaltui.core.errors import UserError
from evaltui.evidence.packs.pack_shapes import KeptConfig, KeptSummary, KeptVerdicts, held
from evaltui.files import is_folder
from evaltui.traces.reading import decode_file


def read_config(pack: Path) -> dict[str, Any]:
    """What ran. Raises OSError, and UserError for what is no pack."""
    path = pack / "run" / "config.json"
    return held(read_object(path), KeptConfig, str(path))


def read_summary(pack: Path) -> dict[str, Any]:
    """What came of it. Raises as `read_config`."""
    path = pack / "run" / "summary.json"
    return held(read_object(path), KeptSummary, str(path))


def read_verdicts(folder: Path) -> dict[str, Any]:
    """Of one case. Raises as `read_config`."""
    path = folder / "verdicts.json"
    return held(read_object(path), KeptVerdicts, str(path))


def case_folders(pack: Path) -> list[Path]:
    if not is_folder(pack / "cases"):
        raise UserError(f"`{pack}` holds no `cases`.", "Name an evidence pack.")
    return sorted(path for path in (pack / "cases").iterdir() if path.is_dir())


def read_object(path: Path) -> dict[str, Any]:
    found = decode_file(path)
    if not isinstance(found, dict):
        raise UserError(f"`{path}` holds no object.", "Name an evidence pack.")
    return found
