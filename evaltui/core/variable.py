"""How a text refers to a variable: `${NAME}`, `${NAME:-default}`, `${keyring:SERVICE/USER}`.

`${evalstudio:KEY/KEY}` is what stands at that key of `evalstudio.config.json`, and
`${evalstudio:FILE#KEY/KEY}` at that of another file of its workspace.
"""

import re
from collections.abc import Iterator, Mapping

from evaltui.core.json_value import Json

KEYRING = "keyring:"
EVALSTUDIO = "evalstudio:"
_NAME = rf"[A-Za-z_][A-Za-z0-9_]*|{KEYRING}[^}}:/]+/[^}}:]+|{EVALSTUDIO}[^}}:]+"
VARIABLE = re.compile(rf"\$\{{({_NAME})(?::-([^}}]*))?\}}")
"""Groups: the name, and the default."""


def variables_in(text: str) -> tuple[str, ...]:
    """The names in a text, in its order."""
    return tuple(match[1] for match in VARIABLE.finditer(text))


def texts_in(value: Json) -> Iterator[str]:
    """All texts in it at any depth, in which variables may stand; not the names of keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from texts_in(one)
