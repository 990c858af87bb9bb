"""Where lines break, in cells: at blanks, or within a word that has none."""

from rich.cells import cell_len, split_graphemes


def breaks(text: str, width: int, first: int | None = None) -> list[tuple[int, int]]:
    """(start, end) of each line of one paragraph; `first` is the width of the first line.

    Blanks at which a line breaks belong to no line. An empty text is one empty line. A character
    wider than the line stands alone on it.
    """
    width = max(1, width)
    room = max(1, width if first is None else first)
    if text.isascii():
        return _ascii_breaks(text, width, room)
    lines: list[tuple[int, int]] = []
    start = used = 0
    blank = -1
    for begin, end, cells in split_graphemes(text)[0]:
        if used + cells > room and begin > start:
            if text[begin] == " ":
                blank = begin
            room = width
            is_broken = blank > start
            if is_broken:
                lines.append((start, blank))
                start, used = blank + 1, cell_len(text[blank + 1 : begin])
            if start == end:
                blank = -1
                continue
            if used + cells > room or not is_broken:
                lines.append((start, begin))
                start, used = begin, 0
            blank = -1
        if text[begin] == " ":
            blank = begin
        used += cells
    lines.append((min(start, len(text)), len(text)))
    return lines


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
