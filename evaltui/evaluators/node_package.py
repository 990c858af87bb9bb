"""Which file is loaded when a Node package is named."""

import re
from pathlib import Path
from typing import Any

from evaltui.core.finite_json import decode_json
from evaltui.files import is_file, leads_out, read_text

FOLDER = "node_modules"
_NAME = re.compile(r"(@[\w.~-]+/)?[\w~-][\w.~-]*")
_CONDITIONS = ("node", "import", "module", "default", "require")


def package_file(root: Path, name: str) -> str:
    """Path below `root`; empty where no such package is installed there, or it says no file."""
    if not _NAME.fullmatch(name):
        return ""
    folder = root / FOLDER / name
    if leads_out(folder, root):
        return ""
    try:
        told = decode_json(read_text(folder / "package.json"))
    except (OSError, ValueError, RecursionError):
        return ""
    if not isinstance(told, dict):
        return ""
    for wanted in (_exported(told.get("exports")), told.get("main"), "index.js"):
        if isinstance(wanted, str) and is_file(folder / wanted):
            path = folder / wanted
            return "" if leads_out(path, folder) else path.relative_to(root).as_posix()
    return ""


def _exported(said: Any, depth: int = 8) -> Any:
    """What the package itself stands for, of its `exports`."""
    if not isinstance(said, dict) or not depth:
        return said
    if "." in said:
        return _exported(said["."], depth - 1)
    found = next((said[one] for one in said if one in _CONDITIONS), None)
    return _exported(found, depth - 1)
