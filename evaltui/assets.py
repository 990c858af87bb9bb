"""Where the files that come with evaltui lie: beside the code, in a checkout above it."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def asset_folder(name: str) -> Path:
    """E.g. `themes` or `schemas`. Raises FileNotFoundError when the installation lacks it."""
    for folder in (_PACKAGE / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"this installation of evaltui lacks its folder `{name}`")
