"""Paths of the scripts that run inside of children."""

from pathlib import Path
from typing import Final

_HERE = Path(__file__).parent
SERVE_FUNCTION: Final = _HERE / "serve_function.py"
READ_TOOLS: Final = _HERE / "read_tools.py"
