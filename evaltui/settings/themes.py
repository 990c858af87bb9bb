"""Where themes are, and whether one of a given name exists; `tui/themes.py` reads them."""

import os
from pathlib import Path

from evaltui.assets import asset_folder
from evaltui.core.did_you_mean import did_you_mean


def theme_folders() -> tuple[Path, Path]:
    """Where themes are, later ones win: shipped with evaltui, then the user's own."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return asset_folder("themes"), Path(home, "evaltui", "themes")


def unknown_theme(name: str) -> str | None:
    """What to do where there is no theme of that name; `None` when there is one."""
    shipped, own = theme_folders()
    known = [path.stem for folder in (shipped, own) for path in sorted(folder.glob("*.toml"))]
    if name in known:
        return None
    listed = ", ".join(f"`{each}`" for each in known)
    return did_you_mean(name, known) or f"There are {listed}; put your own into `{own}`."
