"""Where lines break, in cells: at blanks, or within a word that fits on no line, at its joints."""

from rich.cells import cell_len, split_graphemes

WORTH_FILLING = 8
"""Cells at a line's end that the beginning of a word fills which must be broken anyway."""

JOINTS = (",;|", "/&?=)]}", "_-.:")
"""Signs behind which a word that fits on no line is broken, the best first: a list at its commas, a
path at its slashes, a name between its words."""


def breaks(text: str, width: int, first: int | None = None) -> list[tuple[int, int]]:
    """(start, end) of each line of one paragraph; `first` is the width of the first line.

    Blanks at which a line breaks belong to no line. An empty text is one empty line. A character
    wider than the line gets a line of its own.
    """
    width = max(1, width)
    room = max(1, width if first is None else first)
    if text.isascii():
        return _ascii_breaks(text, width, room)
    # A joiner with nothing before it takes the width of what follows away, on no screen though.
    signs = [
        (start, end, max(width_said, cell_len(text[start:end])))
        for start, end, width_said in split_graphemes(text)[0]
    ]
    lines: list[tuple[int, int]] = []
    start = 0
    while start < len(signs):
        end, blank = _fill(text, signs, start, room)
        if end == len(signs):
            break
        cut = end
        if not _is_blank(text, signs[end]):
            if blank > start and not _is_filled(text, signs, start, blank, end, width):
                cut = blank
            else:
                at = signs[blank][0] if blank > start else -1
                last = _ending(text, signs[start][0], at, signs[end][0])
                cut = next((sign for sign in range(end, start, -1) if signs[sign][0] == last), end)
        lines.append((signs[start][0], signs[cut][0]))
        start = cut + _is_blank(text, signs[cut])
        room = width
    lines.append((signs[start][0] if start < len(signs) else len(text), len(text)))
    return lines


def _fill(text: str, signs: list[tuple[int, int, int]], start: int, room: int) -> tuple[int, int]:
    """The sign that no longer fits, and the last blank before it (-1 without one)."""
    used, blank, end = 0, -1, start
    while end < len(signs) and (end == start or used + signs[end][2] <= room):
        if _is_blank(text, signs[end]):
            blank = end
        used += signs[end][2]
        end += 1
    return end, blank


def _is_filled(
    text: str, signs: list[tuple[int, int, int]], start: int, blank: int, end: int, width: int
) -> bool:
    """Whether the line is better filled than broken at its last blank."""
    if not text[signs[start][0] : signs[blank][0]].strip(" "):
        return True
    used = sum(sign[2] for sign in signs[blank + 1 : end])
    if used < WORTH_FILLING:
        return False
    while used <= width and end < len(signs) and not _is_blank(text, signs[end]):
        used += signs[end][2]
        end += 1
    return used > width


def _ending(text: str, start: int, blank: int, end: int) -> int:
    """Where a line ends of which the last word, behind a `blank` or -1, must be broken: at the last
    of its joints, else at the end. Behind a blank only the best joints are worth a broken word."""
    is_behind = bool(text[start : max(start, blank)].strip(" "))
    begin = blank + 1 if is_behind else start + (end - start) // 2
    for signs in JOINTS:
        last = max(text.rfind(sign, begin, end) for sign in signs)
        if last >= 0:
            return blank if is_behind and signs is not JOINTS[0] else last + 1
    return end


def _is_blank(text: str, sign: tuple[int, int, int]) -> bool:
    """A blank that carries an accent is a sign of its own: dropping it would lose the accent."""
    return text[sign[0] : sign[1]] == " "


def _ascii_breaks(text: str, width: int, room: int) -> list[tuple[int, int]]:
    lines: list[tuple[int, int]] = []
    start = 0
    while len(text) - start > room:
        blank = text.rfind(" ", start + 1, start + room + 1)
        end, left = blank, start + room - blank - 1
        is_long = " " not in text[blank + 1 : blank + width + 2] and len(text) - blank - 1 > width
        is_led_in = bool(text[start : max(start, blank)].strip(" "))
        if not is_led_in or (left >= WORTH_FILLING and is_long):
            end = _ending(text, start, blank, start + room)
        lines.append((start, end))
        start = end + (end == blank)
        room = width
    lines.append((start, len(text)))
    return lines
