"""Where lines break, in cells: at blanks, or within a word that has none."""

from rich.cells import split_graphemes


def breaks(text: str, width: int, first: int | None = None) -> list[tuple[int, int]]:
    """(start, end) of each line of one paragraph; `first` is the width of the first line.

    Blanks at which a line breaks belong to no line. An empty text is one empty line. A character
    wider than the line stands alone on it.
    """
    width = max(1, width)
    room = max(1, width if first is None else first)
    if text.isascii():
        return _ascii_breaks(text, width, room)
    signs = split_graphemes(text)[0]
    lines: list[tuple[int, int]] = []
    start = 0
    while start < len(signs):
        end, blank = _fill(text, signs, start, room)
        if end == len(signs):
            break
        is_at_blank = _is_blank(text, signs[end])
        cut = end if is_at_blank or blank <= start else blank
        lines.append((signs[start][0], signs[cut][0]))
        start = cut + (is_at_blank or blank > start)
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


def _is_blank(text: str, sign: tuple[int, int, int]) -> bool:
    """A blank that carries an accent is a sign of its own: dropping it would lose the accent."""
    return text[sign[0] : sign[1]] == " "


def _ascii_breaks(text: str, width: int, room: int) -> list[tuple[int, int]]:
    lines: list[tuple[int, int]] = []
    start = 0
    while len(text) - start > room:
        blank = text.rfind(" ", start + 1, start + room + 1)
        end = blank if blank > start else start + room
        lines.append((start, end))
        start = end + 1 if blank > start else end
        room = width
    lines.append((start, len(text)))
    return lines
