"""Secrets of one agent: filled in from the environment, kept out of every text."""

import base64
import json
import re
from collections.abc import Mapping
from urllib.parse import quote

from evaltui.core.errors import UserError
from evaltui.net.target import Target, is_secret_name

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*|keyring:[^}:/]+/[^}:]+)(?::-([^}]*))?\}")
_MASK = "***"
_SHORTEST_SHOWN = 4
"""Shorter values are everywhere in ordinary text; masking them would only garble it."""
_SHORTEST_BODY = 8


class Secrets:
    """Knows which values must not be seen, and hides them."""

    def __init__(self) -> None:
        self._shown: set[str] = set()
        self._body: set[bytes] = set()

    def __repr__(self) -> str:
        return f"Secrets({len(self._shown)} values)"

    def add(self, value: str, name: str) -> None:
        """Hide `value` from now on; answers are searched for it only when `name` says secret."""
        if len(value) < _SHORTEST_SHOWN:
            return
        forms = {value, quote(value, safe=""), json.dumps(value)[1:-1]}
        forms.add(base64.b64encode(value.encode()).decode("ascii"))
        self._shown |= forms
        if len(value) >= _SHORTEST_BODY and is_secret_name(name):
            self._body |= {form.encode() for form in forms}

    def add_credentials(self, target: Target) -> None:
        """Hide what the target's URL holds and does not show."""
        for value in (*target.hidden, target.authorization.removeprefix("Basic ")):
            self.add(value, "authorization")

    def hide(self, text: str) -> str:
        """`text` with every known value replaced."""
        for value in sorted(self._shown, key=len, reverse=True):
            text = text.replace(value, _MASK)
        return text

    def hide_body(self, body: bytes) -> bytes:
        """An answer without the secrets it echoes: answers are written to result files."""
        for value in self._body:
            if value in body:
                body = body.replace(value, _MASK.encode())
        return body

    def fill(self, template: str, env: Mapping[str, str], where: str) -> str:
        """Replace `${NAME}`, `${NAME:-default}` and `${keyring:SERVICE/USER}` by secret values.

        Raises UserError naming the variable that is not set.
        """

        def value_of(match: re.Match[str]) -> str:
            name, default = match.group(1), match.group(2)
            value = env.get(name, default)
            if value is None:
                raise UserError(
                    f"The environment variable `{name}` in `{where}` is not set."
                    if ":" not in name
                    else f"`{name}` in `{where}` is not in the keyring.",
                    f"Set it before starting evaltui, or write it into .env: {name}=…"
                    if ":" not in name
                    else "Store it with: keyring set SERVICE USER.",
                )
            self.add(value, name)
            return value

        return _VARIABLE.sub(value_of, template)
