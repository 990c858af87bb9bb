"""The lines around a mistake, with a mark under it."""

import re

from evaltui.core.cells import cells
from evaltui.core.secret_name import is_secret_name

_WIDTH = 100
"""Columns for a source line where nobody says how many there are."""
_BEFORE = 3, 4
"""How much of them may stand before the mark, where a line has to be moved for it."""
_NAMED = re.compile(r"""(\b([\w-]+)["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'[^']*')""")


def code_frame(
    text: str,
    line: int,
    column: int = 0,
    context: int = 2,
    width: int | None = None,
    *,
    hides_secrets: bool = False,
) -> list[str]:
    """Numbered lines around `line` (1-based), a `>` before it and a `^` under `column`.

    `column` is 1-based in characters, 0 for no mark. No row takes more than `width` columns of the
    terminal: where a line is longer, all are moved sideways so that the marked place is seen.
    Empty when the text has no such line. Tabs and control characters become one visible character
    each, so that the mark fits. `hides_secrets`: texts under names of secrets are hidden, sign by
    sign.
    """
    lines = [row.removesuffix("\r") for row in text.split("\n")] if text else []
    if not 1 <= line <= len(lines):
        return []
    first = max(1, line - context)
    last = min(len(lines), line + context)
    if hides_secrets:
        for number in range(first, last + 1):
            lines[number - 1] = _NAMED.sub(_hidden, lines[number - 1])
    digits = len(str(last))
    room = _WIDTH if width is None else max(4, width - digits - 5)
    at = min(max(0, column - 1), len(lines[line - 1]))
    shift = _shift(lines[line - 1], at, room)
    frame: list[str] = []
    for number in range(first, last + 1):
        mark = ">" if number == line else " "
        shown = _cut(lines[number - 1], shift, room)
        frame.append(f"{mark} {number:>{digits}} | {shown}".rstrip())
        if number == line and column > 0:
            before = cells(_visible(_behind_cut(lines[line - 1], shift, at)))
            frame.append(f"  {'':>{digits}} | {'':>{before}}^")
    return frame


def _hidden(found: re.Match[str]) -> str:
    """A variable that is filled in later is no secret."""
    text = found[3]
    if not is_secret_name(found[2]) or "${" in text:
        return found[0]
    return f"{found[1]}{text[0]}{'*' * (len(text) - 2)}{text[0]}"


def _shift(line: str, at: int, room: int) -> int:
    """Characters of all lines that are left out, so that the one at `at` is in sight."""
    near = line[: at + room]  # a line of a megabyte is not measured whole
    behind_the_end = int(at == len(line))  # the mark has a column of its own there
    if at < room and cells(_visible(near)) + behind_the_end <= room:
        return 0
    part, whole = _BEFORE
    shift = max(0, at - room * part // whole)
    while shift < at and cells(_visible(line[shift:at])) > room * part // whole:
        shift += 1
    return shift


def _behind_cut(line: str, shift: int, end: int) -> str:
    """What is shown before `end`, the sign of the cut included."""
    piece = line[shift:end]
    return f"…{piece[1:]}" if shift and piece else piece


def _cut(line: str, shift: int, room: int) -> str:
    piece = _behind_cut(line, shift, shift + room + 1)
    shown = _visible(piece)
    if len(line) <= shift + len(piece) and cells(shown) <= room:
        return shown
    while shown and cells(shown) > room - 1:
        shown = shown[:-1]
    return shown + "…"


def _visible(text: str) -> str:
    return "".join(
        character if character.isprintable() else " " if character == "\t" else "·"
        for character in text
    )
