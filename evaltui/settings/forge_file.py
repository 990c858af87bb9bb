"""What `forge.config.json` says by its own program's keys: where tools, evals and seed values are.

That program says `evals`, `agent` and `agents` too, of other things and in other shapes than ours.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaltui.core.key_path import KeyPath
from evaltui.files import is_there

FILE = "forge.config.json"
_PATHS: Mapping[str, tuple[KeyPath, ...]] = {
    "toolRegistryPath": (("project", "barrelsFile"),),
    "evals": (("evals", "goldenDir"), ("evals", "labeledDir")),
    "seedManifestPath": (("evals", "seedManifestFile"),),
}
"""Our key, and its keys that say the same."""
_EVALS_ELSE: KeyPath = ("project", "evalsDir")
_THEIRS = {"evals": dict, "agent": dict, "agents": list}
"""Keys that are its own when their value is of this kind."""


def read_forge(table: Mapping[str, Any], root: Path) -> tuple[dict[str, Any], dict[str, KeyPath]]:
    """Our settings in its file, and for those that it words otherwise the key that says them.

    A path counts where it exists: it was said to another program, which makes what is missing.
    """
    ours = {
        key: value for key, value in table.items() if not isinstance(value, _THEIRS.get(key, ()))
    }
    places: dict[str, KeyPath] = {}
    for key, paths in _PATHS.items():
        if key in ours:
            continue
        named = [path for path in paths if _exists(root, _at(table, path))]
        if key == "evals" and not named and _exists(root, _at(table, _EVALS_ELSE)):
            named = [_EVALS_ELSE]
        if named:
            values = [_at(table, path) for path in named]
            ours[key] = values if key == "evals" else values[0]
            places[key] = named[0]
    return ours, places


def _at(table: Any, path: KeyPath) -> Any:
    for key in path:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _exists(root: Path, value: object) -> bool:
    return isinstance(value, str) and value != "" and is_there(root / value)
