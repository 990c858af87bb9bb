"""Command lines that do the same from where evaltui was started."""

import shutil
import sys
from pathlib import Path

from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.inert_text import inert
from evaltui.files import is_file, is_there


def run_again(config: Config, key: CaseKey, agent: str) -> str:
    """Runs one case alone, on this agent."""
    case = str(key)
    # A path that is there from here too would be taken for that one.
    if config.root != Path.cwd() and is_there(Path(key.suite)):
        case = str(CaseKey(str(config.root / key.suite), key.case))
    return _command_line(config, "run", case, "--agent", agent)


def check_again(config: Config) -> str:
    """Lists what is wrong with the project's files."""
    return _command_line(config, "check")


def program() -> str:
    """What starts evaltui from a shell in this folder: its name where that is found."""
    found, started = shutil.which("evaltui"), Path(sys.argv[0])
    is_other = found is None or (is_file(started) and not started.samefile(found))
    return str(started) if is_other and started.name == "evaltui" else "evaltui"


def _command_line(config: Config, command: str, *words: str) -> str:
    from evaltui.settings.source import SETTINGS_FILES  # rare: once one is shown or copied

    where = () if config.root == Path.cwd() else ("-C", str(config.root))
    is_found = not config.file or config.file in SETTINGS_FILES
    settings = () if is_found else ("--config", str(config.root / config.file))
    return " ".join(map(_quoted, (program(), command, *words, *where, *settings)))


def _quoted(word: str) -> str:
    """For a shell. What would act on the terminal is spelled as bash and zsh read it."""
    if _is_seen(word):
        from shlex import quote

        return quote(word)
    return f"$'{''.join(map(_spelled, word))}'"


def _spelled(character: str) -> str:
    if character in "'\\":
        return f"\\{character}"
    if _is_seen(character):
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))


def _is_seen(text: str) -> bool:
    return text.isprintable() and inert(text) == text
