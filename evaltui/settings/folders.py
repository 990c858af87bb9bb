"""The folders in which a project's settings may be."""

from pathlib import Path


def folders_upward(start: Path) -> list[Path]:
    """Where the settings of a project may be, the nearest first."""
    folders = [start, *start.parents]
    top = next((i for i, folder in enumerate(folders) if (folder / ".git").exists()), 0)
    return folders[: top + 1]
