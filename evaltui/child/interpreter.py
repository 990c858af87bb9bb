"""Which Python runs a project's code: its own environment before ours."""

import sys
from pathlib import Path

from evaltui.files import is_there


def project_python(root: Path, chosen: str = "") -> str:
    """The interpreter that was chosen, else that of `.venv` or `venv`, else ours."""
    if chosen:
        path = root / chosen
        return str(path) if is_there(path) else chosen
    for folder in (".venv", "venv"):
        for name in ("bin/python", "Scripts/python.exe"):
            path = root / folder / name
            if path.exists():
                return str(path)
    return sys.executable
