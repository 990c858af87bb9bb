"""Writes small projects for the tests of registries."""

from collections.abc import Mapping
from pathlib import Path

from evaltui.registries import ReadRegistry, RegistryReader
from evaltui.registries.source import FoundSource


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write the files below `root`, which is returned."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def read(root: Path, *locations: str) -> ReadRegistry:
    """Read once, with sources told apart by their names."""
    return RegistryReader().read(root, [FoundSource("auto", location) for location in locations])


def script(name: str, description: str = "'Does it.'", rest: str = "") -> str:
    """A tool file; `description` is an expression."""
    return (
        f"{rest}\nexport const {name}Tool = {{\n  name: '{name}',\n"
        f"  description: {description},\n  schema: {{ city: {{ type: 'string' }} }},\n}};\n"
    )
