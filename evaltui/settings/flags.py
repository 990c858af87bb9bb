"""Flags of the command line as settings."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaltui.files import is_there
from evaltui.settings.profiles import is_url

_PATHS = frozenset({"evals", "registry", "seed", "seed_manifest_path", "output_dir", "snapshot"})
"""Their values are, or may be, paths as seen from where the command was typed."""
_INSTEAD = {
    "agent": ("agent_endpoint",),
    "agent_endpoint": ("agent",),
    "registry": ("tool_registry_path", "registries"),
    "tool_registry_path": ("registry", "registries"),
}
"""Settings of the file that a flag replaces besides its own."""


def flag_table(flags: Mapping[str, object], start: Path, root: Path) -> dict[str, Any]:
    """Flags with their paths turned into paths below `root` where they lie below it."""
    table: dict[str, Any] = {}
    for name, value in flags.items():
        if name not in _PATHS:
            table[name] = value
        elif isinstance(value, list | tuple):
            table[name] = [_below(str(item), start, root, name) for item in value]
        else:
            table[name] = _below(str(value), start, root, name)
    if "snapshot" in table:
        table.setdefault("snapshot_enabled", True)
    return table


def without_replaced(values: Mapping[str, Any], flags: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of the file that stay in force beside the flags."""
    gone = {name for flag in flags for name in _INSTEAD.get(flag, ())}
    return {name: value for name, value in values.items() if name not in gone}


def seen_from(text: str, start: Path) -> Path:
    """A path as typed: below the working folder if it exists there, else below `start`."""
    here = Path.cwd() / text
    return here if is_there(here) else start / text


def _below(text: str, start: Path, root: Path, name: str) -> str:
    path = seen_from(text, start)
    if is_url(text) or (name in ("snapshot", "registry") and not is_there(path)):
        return text
    relative = os.path.relpath(path, root)
    return str(path) if relative.startswith("..") else Path(relative).as_posix()
