"""Text made to fit: never wider than its place, never cut without a mark, sanitized.

Widths are those of Rich, by which Textual lays out and crops the lines; of what is sanitized,
`core/cells.py` and terminals say the same.
"""

from rich.cells import cell_len, set_cell_size, split_graphemes

from evaltui.tui.render.sanitize import one_line, sanitize


def fit(text: str, width: int, cut: str = "…") -> str:
    """Exactly `width` cells: padded, or clipped with `cut` as the last cell.

    A `cut` in ASCII says that nothing else may be printed: other letters are then spelled out.
    """
    if width <= 0:
        return ""
    text = _printable(text, cut)
    length = len(text) if text.isascii() else cell_len(text)
    if length <= width:
        return text + " " * (width - length)
    return set_cell_size(text, width - 1) + cut


def fit_middle(text: str, width: int, cut: str = "…") -> str:
    """As `fit`, but what is left out is the middle: names differ at their ends."""
    text = _printable(text, cut)
    tail = min(5, width // 3)
    if width_of(text) <= width or tail < 2 or not text.isascii():
        return fit(text, width, cut)
    return text[: width - tail - 1] + cut + text[-tail:]


def fit_tail(text: str, width: int, cut: str = "…") -> str:
    """At most `width` cells of the end, with `cut` in front of it: paths differ at their ends."""
    text = _printable(text, cut)
    if width_of(text) <= width:
        return text
    kept = ""
    room = width - 1
    for start, end, cells in reversed(split_graphemes(text)[0]):
        if cells > room:
            break
        room -= cells
        kept = text[start:end] + kept
    return cut + kept


def _printable(text: str, cut: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return sanitize(one_line(text), is_ascii=True) if cut.isascii() else one_line(text)


def clip(text: str, width: int, cut: str = "…") -> str:
    """At most `width` cells, clipped with `cut`."""
    return fit(text, width, cut).rstrip(" ") if width > 0 else ""


def width_of(text: str) -> int:
    return len(text) if text.isascii() else cell_len(text)
