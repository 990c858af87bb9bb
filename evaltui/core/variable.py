"""How a text names what is filled in: `${NAME}`, `${NAME:-default}`, `${keyring:SERVICE/USER}`."""

import re

VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*|keyring:[^}:/]+/[^}:]+)(?::-([^}]*))?\}")
"""Groups: the name, and the default."""


def variables_in(text: str) -> tuple[str, ...]:
    """The names in a text, in its order."""
    return tuple(match[1] for match in VARIABLE.finditer(text))
