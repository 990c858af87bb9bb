"""Secrets: filled into templates from where they are kept, and masked in every text."""

import base64
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote, unquote

from evaltui.core.errors import AgentError, MissingSecretError, UserError
from evaltui.core.json_value import Json
from evaltui.core.secret_name import is_secret_name
from evaltui.core.variable import EVALSTUDIO, VARIABLE
from evaltui.core.workspace_files import CONFIG
from evaltui.net import masking
from evaltui.net.secret_sources import SecretSources
from evaltui.net.target import Target

_SHORTEST_LITERAL = 6
"""Of values that stand in the settings; shorter ones are likely to be ordinary words."""
_SHORTEST_WORD = 8
"""A number or a word shorter than this may well be said by an answer that knows no secret."""


_SHORTEST_LINE = 16
"""Of a value of several lines, which are hidden one by one where they hold no white space: those of
a key, and not the sentences of a prompt."""


class SecretMask:
    """Knows which values must not be seen, and hides them however they are escaped."""

    def __init__(self) -> None:
        self._shown: set[str] = set()
        self._body: set[str] = set()

    def __repr__(self) -> str:
        return f"SecretMask({len(self._shown)} values)"

    def add(self, value: str) -> None:
        """Hide `value` from now on; in answers too, unless it is a short word or number."""
        if len(value) < masking.SHORTEST:
            return
        forms = {form for one in _line_breaks(value) for form in _forms(one)}
        self._shown |= forms
        if len(value) >= _SHORTEST_WORD or not (value.isalpha() or value.isdecimal()):
            self._body |= forms

    def add_credentials(self, target: Target) -> None:
        """Hide what the target's URL holds and does not show."""
        for value in (*target.hidden, target.authorization.removeprefix("Basic ")):
            self.add(value)

    def hide(self, text: str) -> str:
        """`text` with every known value replaced, also what a cut left of one beside a `…`."""
        return masking.hide(text, self._shown)

    def end_of(self, text: str, most: int) -> str:
        """The last `most` characters of what somebody wrote, hidden before it is cut: half a secret
        is one too."""
        return self.hide(text)[-most:]

    def start_of(self, text: str, most: int) -> str:
        """The same of its first ones."""
        return self.hide(text)[:most]

    def hide_answer(self, text: str) -> str:
        """An answer without the secrets it echoes: answers are written to result files.

        JSON stays JSON, and what it is decoded to holds none of them either.
        """
        return masking.hide_in_json(text, self._body)

    def hide_body(self, body: bytes) -> bytes:
        """The same for an answer as it came; one that holds none stays as it is."""
        if not self._body:
            return body
        text = body.decode(json.detect_encoding(body), "replace")
        hidden = self.hide_answer(text)
        return body if hidden == text else hidden.encode("utf-8", "replace")

    def fault(
        self, error: AgentError, max_retries: int | None = 0, received: str = ""
    ) -> AgentError:
        """The fault for the runner, its text masked, with what had been received.

        Retryable only when the profile allows `max_retries` of its own (contract A43); `None`
        leaves the number to the runner.
        """
        return AgentError(
            self.hide(f"{error.what}{received}"),
            category=error.category,
            retryable=error.retryable and max_retries != 0,
            throttled=error.throttled,
            retry_after_s=error.retry_after_s,
            max_retries=max_retries,
            is_unpaid=error.is_unpaid,
        )


def _forms(value: str) -> set[str]:
    """It as it is, and as it is written elsewhere."""
    escaped = quote(value, safe="")
    forms = {value, escaped, json.dumps(value)[1:-1]}
    forms.add(re.sub("%..", lambda match: match[0].lower(), escaped))
    forms.add(base64.b64encode(value.encode()).decode("ascii"))
    return forms


def _line_breaks(value: str) -> set[str]:
    """It as it is, and with the line breaks of either system."""
    unix = value.replace("\r\n", "\n")
    return {value, unix, unix.replace("\n", "\r\n")}


class SecretResolver:
    """Fills `${NAME}`, `${NAME:-default}` and `${keyring:SERVICE/USER}` into templates.

    `mask` hides all that was filled in. Without sources texts stay as they are written.
    """

    def __init__(self, sources: Mapping[str, str] | None = None) -> None:
        self.mask = SecretMask()
        self._sources = sources

    def fill(self, template: str, where: str, *, masks_literal: bool = False) -> str:
        """Raises UserError, naming `where` and the variable that is not set.

        `masks_literal`: the text is masked also when it names no variable.
        """
        if self._sources is None:
            return template
        value = VARIABLE.sub(lambda match: self._value_of(match, where), template)
        if masks_literal:
            self.mask.add(value)
            self.mask.add(value.rpartition(" ")[2])  # what follows `Bearer`
        return value

    def fill_all(self, value: Json, where: str) -> Json:
        """The same of all texts in it, at any depth; names of keys stay as they are written."""
        if isinstance(value, str):
            return self.fill(value, where)
        if isinstance(value, Mapping):
            return {key: self.fill_all(one, f"{where}.{key}") for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.fill_all(one, where) for one in value]
        return value

    def filled_table(self, table: Mapping[str, Json], where: str) -> dict[str, Json]:
        """The same of a table of options."""
        return {key: self.fill_all(one, f"{where}.{key}") for key, one in table.items()}

    def note(self, template: str) -> None:
        """Hide the values of the variables that it names, whoever fills them in."""
        for match in VARIABLE.finditer(template):
            self._note_value((self._sources or {}).get(match.group(1)) or "")

    def note_literals(self, values: Iterable[str]) -> None:
        """Hide secrets that stand in the settings as they are."""
        for value in values:
            if len(value) >= _SHORTEST_LITERAL:
                self.mask.add(value)

    def note_body(self, body: Json) -> None:
        """The same for the texts under secret names in what is sent; `$NAME` is filled in later."""
        if isinstance(body, Mapping):
            for name, value in body.items():
                if not isinstance(value, str):
                    self.note_body(value)
                elif value.startswith("$") or VARIABLE.search(value):
                    continue  # its name is not asked about: that compiles patterns
                elif is_secret_name(name):
                    self.note_literals((value,))
        elif isinstance(body, list | tuple):
            for value in body:
                self.note_body(value)

    def headers(self, table: Mapping[str, str], place: str = "headers") -> dict[str, str]:
        """Header names and values. Raises UserError, without quoting a value."""
        filled: dict[str, str] = {}
        for name, template in table.items():
            where = f"{place}.{name}"
            if not name or not all(c.isalnum() or c in "!#$%&'*+-.^_`|~" for c in name):
                hint = "Write letters, digits and `-`, e.g. `X-Request-Id`."
                raise UserError(f"`{where}` is not a header name.", hint)
            is_secret = is_secret_name(name)
            value = self.fill(template, where, masks_literal=is_secret).strip()
            if not is_secret:
                self._note_shown(template)
            check_header_value(value, where)
            filled[name] = value
        return filled

    def headers_of_each(self, tables: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
        """The same of each persona."""
        return {
            name: self.headers(table, f"persona_headers.{name}") for name, table in tables.items()
        }

    def _value_of(self, match: re.Match[str], where: str) -> str:
        name, default = match.group(1), match.group(2)
        assert self._sources is not None
        value = self._sources.get(name)
        if value is None and default is not None:
            return default  # it stands in the settings for everyone to read
        if value is None and name.startswith(EVALSTUDIO):
            file, _, keys = name.removeprefix(EVALSTUDIO).rpartition("#")
            key = keys.replace("/", ".")
            raise MissingSecretError(
                f"`{where}` is `{key}` of `{file or CONFIG}`, which holds no text.",
                "Write the key there, as `evalstudio llm-provider` does.",
            )
        if value is None:
            raise MissingSecretError(
                f"The environment variable `{name}` in `{where}` is not set."
                if ":" not in name
                else f"`{name}` in `{where}` is not in the keyring.",
                f"Set it before starting evaltui, or write it into .env: {name}=…"
                if ":" not in name
                else "Store it with: keyring set SERVICE USER.",
            )
        self._note_value(value)
        return value

    def _note_shown(self, template: str) -> None:
        """Hide what looks like a secret, as a `Bearer …` or a key, whatever it is called."""
        from evaltui.core.shown_secret import shown_setting

        found: list[str] = []
        shown_setting(template, found)
        self.note_literals(one for one in found if not VARIABLE.search(one))

    def _note_value(self, value: str) -> None:
        """Hide it, and what is secret in it: the password of a URL is said without the URL too, and
        a line of a key with other line breaks around it."""
        self.mask.add(value)
        for line in map(str.strip, value.splitlines() if "\n" in value else ()):
            if len(line) >= _SHORTEST_LINE and not re.search(r"\s|^-----", line):
                self.mask.add(line)
        if not any(sign in value for sign in ("://", '"', " ")):
            return
        from evaltui.core.shown_secret import literal_secrets

        for secret in literal_secrets((value,)):
            self.mask.add(secret)
            self.mask.add(unquote(secret))


def check_header_value(value: str, where: str) -> None:
    """Raises UserError, without quoting the value."""
    if any(ord(c) < 32 or ord(c) == 127 or ord(c) > 255 for c in value):
        raise UserError(
            f"`{where}` holds a line break or a character that no header may hold.",
            "Check the value of the variable; it is not shown here.",
        )


def project_secrets(root: Path, env: Mapping[str, str] | None = None) -> SecretResolver:
    """Those of the environment, the project's `.env` and the keyring."""
    return SecretResolver(SecretSources(root, env))
