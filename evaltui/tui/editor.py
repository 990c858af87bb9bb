"""Opening a file at a line: terminal editors borrow the terminal, the others get their own."""

import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from evaltui.files import is_file

if TYPE_CHECKING:
    from textual.app import App


class Kind(Struct, frozen=True):
    """How an editor is given the line; `{file}` and `{line}` are filled in."""

    arguments: tuple[str, ...]
    is_terminal: bool


PLUS = Kind(("+{line}", "{file}"), True)
EDITORS: Mapping[str, Kind] = {
    **dict.fromkeys(("vi", "vim", "nvim", "nano", "emacs", "kak", "joe", "ne", "mg", "pico"), PLUS),
    **dict.fromkeys(("hx", "helix"), Kind(("{file}:{line}",), True)),
    "micro": Kind(("{file}:{line}",), True),
    **dict.fromkeys(("gvim", "mvim", "gedit", "emacsclient"), Kind(("+{line}", "{file}"), False)),
    **dict.fromkeys(
        ("code", "code-insiders", "codium", "cursor", "windsurf"),
        Kind(("--goto", "{file}:{line}"), False),
    ),
    **dict.fromkeys(("subl", "zed", "atom", "lapce"), Kind(("{file}:{line}",), False)),
    **dict.fromkeys(
        ("idea", "pycharm", "webstorm", "charm", "kate", "mate"),
        Kind(("--line", "{line}", "{file}"), False),
    ),
}
UNKNOWN = Kind(("{file}",), True)
"""An editor nobody knows is given the file alone, and the terminal."""


class Launch(Struct, frozen=True):
    """What to start, and whether it needs this terminal."""

    argv: tuple[str, ...]
    is_terminal: bool


def editor_of(environment: Mapping[str, str]) -> str:
    """`$VISUAL`, else `$EDITOR`, else empty."""
    return environment.get("VISUAL", "").strip() or environment.get("EDITOR", "").strip()


def launch(editor: str, file: Path, line: int) -> Launch:
    """The command line. `editor` may hold arguments. Raises ValueError when it cannot be split."""
    words = shlex.split(editor)
    if not words:
        raise ValueError("no editor is set")
    name = Path(words[0]).name.removesuffix(".exe").lower()
    kind = EDITORS.get(name, UNKNOWN)
    is_terminal = kind.is_terminal
    if name in ("emacs", "emacsclient"):
        is_terminal = bool({"-nw", "-t", "--tty", "-tty"} & set(words)) or (
            name == "emacs" and not os.environ.get("DISPLAY")
        )
    if name in ("vim", "nvim") and "-g" in words:
        is_terminal = False
    waits = [word for word in words[1:] if word in ("--wait", "-w")]
    kept = [word for word in words if is_terminal or word not in waits]
    return Launch((*kept, *_arguments(kind.arguments, file, line)), is_terminal)


def open_in_editor(app: "App[Any]", file: Path, line: int) -> str:
    """Open it; returns what went wrong in words, or nothing."""
    editor = editor_of(os.environ)
    if not editor:
        return "Set $VISUAL or $EDITOR to the editor you use, e.g. `export EDITOR=vim`."
    if not is_file(file):
        return f"`{file}` is gone."
    try:
        start = launch(editor, file, line)
        if start.is_terminal:
            return _borrow_terminal(app, start.argv)
        opened = subprocess.Popen(
            start.argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        # Somebody has to hear of its end, or it stays in the list of processes.
        Thread(target=opened.wait, name="evaltui-editor", daemon=True).start()
    except (OSError, ValueError) as error:
        return f"`{editor}` did not start: {error}. $VISUAL and $EDITOR name the editor."
    return ""


def _borrow_terminal(app: "App[Any]", argv: Sequence[str]) -> str:
    from textual.app import SuspendNotSupported

    try:
        with app.suspend():
            code = subprocess.run(argv, check=False).returncode
    except SuspendNotSupported:
        return "This terminal cannot be lent to an editor; name one with a window in $VISUAL."
    app.refresh(layout=True)
    return f"`{argv[0]}` ended with code {code}." if code else ""


def _arguments(pattern: Sequence[str], file: Path, line: int) -> tuple[str, ...]:
    if line <= 0:
        bare = [part.replace(":{line}", "") for part in pattern if part != "+{line}"]
        if "--line" in bare:
            bare = ["{file}"]
        pattern = [part for part in bare if part != "--goto"]
    return tuple(part.replace("{file}", str(file)).replace("{line}", str(line)) for part in pattern)
