"""Secrets that stand in commands of the settings as they are: hidden where they are shown.

What is started must not hide behind a name: paths, scripts and substitutions of a shell stay, and
in what a shell is given a value ends where the next command begins. `${NAME}` stays.
"""

import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from evaltui.core.secret_name import is_secret_name
from evaltui.core.variable import VARIABLE

HIDDEN = "***"
_WORD = re.compile(r"""(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\]|['"\\])+""", re.DOTALL)
_SEPARATOR = re.compile(r"[;|&\n]")
_QUOTED = re.compile(r"[\s;|&<>()'\"$`\\]")
_SHELL = re.compile(r"-\w*c")
_OPTION = re.compile(r"--?[A-Za-z][\w.-]*")
_ASSIGNED = re.compile(r"((?:--?)?([A-Za-z_][\w.-]*)=)(.*)", re.DOTALL)
_HEADER = re.compile(r"\s*([\w-]+):(?!//)\s*(.*)", re.DOTALL)
_JSON = re.compile(r'("((?:[^"\\]|\\.)+)"\s*:\s*")((?:[^"\\]|\\.)+)')
_USER_INFO = re.compile(
    r"(\b[a-z][a-z0-9+.-]*://)([^\s/?#'\":]*)(:?)([^\s/?#'\"]*)@", re.IGNORECASE
)
_RAW_PASSWORD = re.compile(
    r"(\b[a-z][a-z0-9+.-]*://)([^\s/?#'\":@]*)(:)(?!\d{1,5}[/?#])([^\s'\"@]+)@", re.IGNORECASE
)
"""One with characters that must be escaped in an address, and are not."""
_QUERY = re.compile(r"([?&]([\w.-]+)=)([^&#\s'\"]+)")
_KEY = re.compile(
    r"\b(?:(?:sk|pk|rk|glpat|xox[abprs])-|(?:gh[opsu]|github_pat|hf)_|AKIA|AIza|eyJ)[\w.-]{8,}"
)
_SCHEME = re.compile(r"\b((?:bearer|basic|token)\s+)(\S{4,})", re.IGNORECASE)
_LONE_SCHEME = re.compile(r"\s*(?:bearer|basic|token)\s+(\S+)\s*", re.IGNORECASE)
_LONE_HEADER = re.compile(r"\s*([\w-]+):\s*(?:\w+\s+)?\S+\s*")
_STARTED = re.compile(
    r"\$\(|`|^(?:\.\.?|~)/|^/(?:[\w.-]+/)+[\w.-]+$"
    r"|^[\w./-]+\.(?:[cm]?[jt]sx?|py|sh|rb|pl|php|so|jar|exe|bat|ps1)$"
)
_PASSWORD = "-p"
_TAKES_PASSWORD = re.compile(r"(?:mysql|mariadb)[\w-]*|sshpass|mongo\w*")
"""Programs of which `-p` is a password, also without a blank after it."""
_TAKES_OTHER = re.compile(
    r"pytest|claude|codex|gemini|llm|mkdir|cp|install|tar|rsync|git|cargo|tsc"
)
_INTERPRETER = re.compile(r"(?:ba|da|z|k|fi)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|ssh|scp")
"""Programs of which `-p` is what they run, are told, or work on; of the latter only right behind
their name, for what follows a script is that script's."""
_PLAIN_VALUE = re.compile(r"[\d:.,/-]*(?:tcp|udp)?|.*\s.*", re.DOTALL)
"""Ports and numbers; sentences."""
_USER = ("-u", "--user", "--proxy-user", "-U")
_HEADER_OPTIONS = ("-H", "--header")
_HARMLESS = ("accept", "content-type", "user-agent")


def shown_command(line: str) -> str:
    """A command line without the secrets in it."""
    return _Command().shown(line)


def shown_environment(variables: Mapping[str, str]) -> str:
    """` NAME=***` for each: of variables only the names are shown."""
    return "".join(f" {name}={HIDDEN}" for name in variables)


def shown_setting(text: str, found: list[str]) -> str:
    """A text that is no command, as a prompt, an address or a header, without the secrets in it,
    which are added to `found`."""
    command = _Command()
    if (scheme := _LONE_SCHEME.fullmatch(text)) is not None:
        found.append(scheme[1])
        return text[: scheme.start(1)] + HIDDEN
    header = _LONE_HEADER.fullmatch(text)
    is_header = header is not None and is_secret_name(header[1])
    shown = command.header(text) if is_header else command.anywhere(text)
    found += command.found
    return shown


def literal_secrets(words: Iterable[str]) -> tuple[str, ...]:
    """The secrets that stand in program and arguments as they are."""
    command = _Command()
    command.shown(shlex.join(words))
    return tuple(command.found)


class _Command:
    """One reading of a command; `found` are the values that were hidden as secrets."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._programs: list[str] = []
        """Of each command within a command, the words so far that may be programs."""

    def shown(self, line: str, *, in_shell: bool = False) -> str:
        pieces: list[str] = []
        end, option = 0, ""
        self._programs.append("")
        for match in _WORD.finditer(line):
            raw = match[0]
            pieces += (line[end : match.start()], self._word(raw, option, in_shell=in_shell))
            end = match.end()
            option = raw if _OPTION.fullmatch(raw) else ""
            if in_shell and raw[0] not in "'\"" and _SEPARATOR.search(raw):
                self._programs[-1] = ""  # the next command begins
                raw = _SEPARATOR.split(raw)[-1]
            if raw and not raw.startswith("-"):
                self._programs[-1] += f" {PurePath(_unquoted(raw)).name}"
        self._programs.pop()
        return "".join((*pieces, line[end:]))

    def _word(self, raw: str, option: str, *, in_shell: bool) -> str:
        rest = ""
        if in_shell and raw[0] not in "'\"" and (cut := _SEPARATOR.search(raw)):
            rest = raw[cut.start()] + self.shown(raw[cut.end() :], in_shell=True)
            raw = raw[: cut.start()]
        value = _unquoted(raw)
        shown = self._value(value, option)
        if shown == value:
            return raw + rest
        is_plain = raw == value or not _QUOTED.search(shown)
        return (shown if is_plain else shlex.quote(shown)) + rest

    def _value(self, value: str, option: str) -> str:
        """A word, unquoted, that stands after `option`."""
        if _SHELL.fullmatch(option):
            return self.shown(value, in_shell=True)
        if option in _USER or (value.startswith("-u") and ":" in value):
            user, colon, password = value.partition(":")
            return user + colon + self._hidden(password)
        if option in _HEADER_OPTIONS:
            return self.header(value)
        is_apart = option == _PASSWORD
        if is_apart or value.startswith(_PASSWORD):
            shown = self._password(value, is_apart=is_apart)
            if shown != value:
                return shown
        if is_secret_name(option) and not value.startswith("-"):
            return self._hidden(value)
        if assigned := _ASSIGNED.fullmatch(value):
            start, name, given = assigned.groups()
            if start.startswith("--") and f"--{name}" in (*_USER, *_HEADER_OPTIONS):
                return start + self._value(given, f"--{name}")
            if is_secret_name(name):
                return start + self._hidden(given)
        if (header := _HEADER.fullmatch(value)) and is_secret_name(header[1]):
            return self.header(value)
        return self._text(value)

    def _password(self, value: str, *, is_apart: bool) -> str:
        """After `-p`, or behind it; of an unknown program it is hidden, and may be any word, which
        what programs say holds too: only what is none counts as a secret."""
        programs = self._programs[-1].split()
        if programs and _INTERPRETER.fullmatch(programs[-1]):
            return value
        for program in reversed(programs):
            if _TAKES_OTHER.fullmatch(program):
                return value
            if _TAKES_PASSWORD.fullmatch(program):
                return self._hidden(value) if is_apart else self._attached(value)
        is_plain = value.startswith("-") or _PLAIN_VALUE.fullmatch(value)
        return (
            value if is_plain or not is_apart else self._hidden(value, is_secret=is_random(value))
        )

    def _attached(self, value: str) -> str:
        password = value.removeprefix(_PASSWORD)
        return _PASSWORD + self._hidden(password) if password else value

    def anywhere(self, value: str) -> str:
        """What looks like a secret in whatever words: in an address, in JSON, a key by its form."""
        for pattern in (_USER_INFO, _RAW_PASSWORD):
            value = pattern.sub(self._user_info, value)
        value = _QUERY.sub(self._named, value)
        value = _JSON.sub(self._named, value)
        return _KEY.sub(lambda match: self._hidden(match[0]), value)

    def _text(self, value: str) -> str:
        """Anything: what looks like a secret wherever it stands."""
        value = _SCHEME.sub(lambda match: match[1] + self._hidden(match[2]), self.anywhere(value))
        if re.search(r"\s", value.strip()) or _SEPARATOR.search(value):
            return self.shown(value, in_shell=True)
        return value

    def header(self, value: str) -> str:
        header = _HEADER.fullmatch(value)
        if header is None or header[1].lower() in _HARMLESS:
            return self._text(value)
        given = header[2]
        is_secret = is_secret_name(header[1])
        shown = self._hidden(given, is_secret=is_secret)
        if is_secret and shown == HIDDEN:
            self.found.append(given.rpartition(" ")[2])  # what follows `Bearer`
        return value[: header.start(2)] + shown

    def _user_info(self, match: re.Match[str]) -> str:
        start, user, colon, password = match.groups()
        if colon:
            return f"{start}{user}:{self._hidden(password)}@"
        return f"{start}{self._hidden(user) if len(user) >= 8 else user}@"

    def _named(self, match: re.Match[str]) -> str:
        return match[1] + (self._hidden(match[3]) if is_secret_name(match[2]) else match[3])

    def _hidden(self, value: str, *, is_secret: bool = True) -> str:
        rest = VARIABLE.sub("", value).strip(" :")
        if rest.lower() in ("", "bearer", "basic", "token", HIDDEN) or _STARTED.search(value):
            return value
        if is_secret and not VARIABLE.search(value):
            self.found.append(value)
        return HIDDEN


def is_random(text: str) -> bool:
    """Whether a text looks made up by chance: long for the kinds of signs that it mixes, and no
    name with a number behind it."""
    if _NUMBERED_NAME.fullmatch(text):
        return False
    kinds = sum(kind.search(text) is not None for kind in _KINDS)
    return len(text) >= _LONG_ENOUGH.get(kinds, _NEVER)


_KINDS = tuple(map(re.compile, ("[a-z]", "[A-Z]", "[0-9]", r"[^\w\s.:/-]")))
_NUMBERED_NAME = re.compile(r"[A-Za-z]+(?:[-_.][A-Za-z]+)*(?:[-_.]?[0-9]+)*")
_NEVER = 1 << 30
_LONG_ENOUGH = {2: 12, 3: 8, 4: 8}
"""Letters of texts that mix so many kinds of signs."""


def _unquoted(raw: str) -> str:
    try:
        return "".join(shlex.split(raw))
    except ValueError:  # a quote that is never closed
        return re.sub(r"['\"\\]", "", raw)
