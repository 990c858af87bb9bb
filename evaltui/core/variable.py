"""How a text names what is filled in: `${NAME}`, `${NAME:-default}`, `${keyring:SERVICE/USER}`.

`${evalstudio:KEY/KEY}` is what stands at that key of `evalstudio.config.json`, and
`${evalstudio:FILE#KEY/KEY}` at that of another file of its workspace.
"""

import re

KEYRING = "keyring:"
EVALSTUDIO = "evalstudio:"
_NAME = rf"[A-Za-z_][A-Za-z0-9_]*|{KEYRING}[^}}:/]+/[^}}:]+|{EVALSTUDIO}[^}}:]+"
VARIABLE = re.compile(rf"\$\{{({_NAME})(?::-([^}}]*))?\}}")
"""Groups: the name, and the default."""


def variables_in(text: str) -> tuple[str, ...]:
    """The names in a text, in its order."""
    return tuple(match[1] for match in VARIABLE.finditer(text))
