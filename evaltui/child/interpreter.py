"""Which Python runs a project's code: its own environment before ours."""

import sys
from pathlib import Path

from evaltui.files import is_there


def project_python(root: Path, chosen: str = "") -> str:
    """The interpreter that was chosen, else that of `.venv` or `venv`, else ours."""
    if chosen:
        path = root / chosen
        return str(path) if is_there(path) else chosen
    own = own_python(root)
    return str(root / own) if own else sys.executable


def own_python(root: Path) -> str:
    """That of `.venv` or `venv`, as a path below the root; empty where there is none. It comes with
    the project, so that whoever agrees to a program that it runs agrees to it too."""
    for folder in (".venv", "venv"):
        for name in ("bin/python", "Scripts/python.exe"):
            if (root / folder / name).exists():
                return f"{folder}/{name}"
    return ""
