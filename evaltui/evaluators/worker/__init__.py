"""What runs inside of the children: the server of Python evaluators, the bridge to JavaScript."""

from pathlib import Path
from typing import Final

_HERE = Path(__file__).parent
SERVE_EVALUATORS: Final = _HERE / "serve_evaluators.py"
BRIDGE: Final = _HERE / "bridge.mjs"
