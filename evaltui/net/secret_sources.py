"""Where secrets come from: the environment, `.env` in the project root, a keyring, EvalStudio."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from io import StringIO
from pathlib import Path

from evaltui.core.errors import MissingSecretError, UserError
from evaltui.core.finite_json import decode_json
from evaltui.core.permit import Grant, sending
from evaltui.core.secret_name import is_credential_name
from evaltui.core.variable import EVALSTUDIO, KEYRING, VARIABLE, variables_in
from evaltui.core.workspace_files import CONFIG
from evaltui.files import is_file, outside, read_text

ENV_FILE = ".env"


class SecretSources(Mapping[str, str]):
    """Values by variable name, or by `keyring:SERVICE/USER`; the environment wins over `.env`.

    By `evalstudio:KEY/KEY` what an EvalStudio workspace in the project root keeps there.

    Files and keyrings are read when a value is asked for, so that a project without secrets pays
    nothing. Raises UserError for an unreadable `.env` and a keyring that cannot be used.
    """

    def __init__(self, root: Path, env: Mapping[str, str] | None = None) -> None:
        self._path = root / ENV_FILE
        self._env = os.environ if env is None else env
        self._file: dict[str, str] | None = None

    def __repr__(self) -> str:
        return "SecretSources()"

    def __getitem__(self, name: str) -> str:
        value = self._env.get(name)
        if value is None and name.startswith(KEYRING):
            return _from_keyring(name.removeprefix(KEYRING))
        if value is None and name.startswith(EVALSTUDIO):
            return _from_workspace(self._path.parent, name.removeprefix(EVALSTUDIO))
        if value is None:
            value = self._read()[name]
        return value

    def __iter__(self) -> Iterator[str]:
        return iter({**self._read(), **self._env})

    def __len__(self) -> int:
        return len({**self._read(), **self._env})

    def _read(self) -> dict[str, str]:
        if self._file is None:
            self._file = {}
            if outside(self._path.parent, self._path.name):
                raise UserError(
                    f"`{ENV_FILE}` is a link that leads out of the project.",
                    "Put a file in its place, or set the variables in the environment.",
                )
            if self._path.is_file():
                from dotenv import dotenv_values

                try:
                    text = StringIO(read_text(self._path))
                    values = dotenv_values(stream=text, interpolate=False)
                except (OSError, UnicodeDecodeError) as error:
                    raise UserError(
                        f"`{ENV_FILE}` cannot be read ({type(error).__name__}).",
                        "Write it as UTF-8 text with one NAME=value a line.",
                    ) from None
                self._file = {name: value for name, value in values.items() if value is not None}
        return self._file


def started_by_project(words: Iterable[str], env: Mapping[str, str], root: Path) -> str:
    """`filled_by_project` of what decides which program runs: its words, and its variables but for
    credentials, which are exchanged every now and then.
    """
    own = (text for name, text in env.items() if not is_credential_name(name))
    return filled_by_project((*words, *own), root)


def sent_by_project(url: str, root: Path, *, by: str, filled: Iterable[str] = ()) -> Grant:
    """`sending` in the project at `root`: what its files fill into the address decides who hears
    all that is sent, and the keys with it."""
    found = _of_project(variables_in(url), root)
    leads_to = VARIABLE.sub(lambda match: found.get(match[1], match[0]), url)
    return sending(url, by=by, filled=filled, leads_to=leads_to)


def filled_by_project(texts: Iterable[str], root: Path) -> str:
    """Fingerprint of what files of the project fill into these texts; empty: nothing.

    It tells none of the values, and those of the environment and of a keyring are no part of it.
    """
    found = _of_project((name for text in texts for name in variables_in(text)), root)
    return sha256(repr(found).encode("utf-8", "surrogatepass")).hexdigest() if found else ""


def _of_project(wanted: Iterable[str], root: Path) -> dict[str, str]:
    """Values by name, of those variables that files of the project fill in."""
    names = set(wanted)
    if not is_file(root / ENV_FILE):
        names = {name for name in names if name.startswith(EVALSTUDIO)}
    sources, found = SecretSources(root), dict[str, str]()
    with suppress(UserError):  # an unreadable `.env` fills in nothing
        for name in sorted(names - os.environ.keys()):
            value = None if name.startswith(KEYRING) else sources.get(name)
            if value is not None:
                found[name] = value
    return found


def _from_workspace(root: Path, place: str) -> str:
    """Raises KeyError where no text stands there."""
    file, _, keys = place.rpartition("#")
    file = file or CONFIG
    if outside(root, file):
        raise KeyError(place)
    try:
        found = decode_json(read_text(root / file).removeprefix("\ufeff"))
    except (OSError, ValueError, RecursionError):
        raise KeyError(place) from None
    for key in keys.split("/"):
        if isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        elif isinstance(found, dict):
            found = found.get(key)
        else:
            raise KeyError(place)
    if not isinstance(found, str):
        raise KeyError(place)
    return found


def _from_keyring(place: str) -> str:
    service, _, user = place.rpartition("/")
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise MissingSecretError(
            f"`${{{KEYRING}{place}}}` needs the `keyring` package.", "pip install evaltui[keyring]"
        ) from None
    try:
        value: str | None = keyring.get_password(service, user)
    except KeyringError as error:
        raise MissingSecretError(
            f"The keyring cannot be used: {type(error).__name__}.",
            "Unlock it, or set an environment variable instead.",
        ) from None
    if value is None:
        raise KeyError(place)
    return value
