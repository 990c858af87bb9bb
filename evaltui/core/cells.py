"""How many columns of a terminal a text takes, and text made to fit them."""

JOINER = "\u200d"
EMOJI_STYLE = "\ufe0f"


def cells(text: str) -> int:
    """Columns of one line of text: wide letters (UAX 11) take two, marks upon a letter none.

    Signs that are joined to one emoji count as one, as terminals that draw them as one do.
    """
    if text.isascii():
        return len(text)
    return sum(width for _, width in _widths(text))


def fit_cells(text: str, width: int, *, mark: str = "…", fill: str = " ") -> str:
    """Exactly `width` columns: filled up, or cut with `mark` at the end."""
    missing = width - cells(text)
    if missing >= 0:
        return text + fill * missing
    room = width - cells(mark)
    kept = 0
    for letter, columns in _widths(text):
        if columns > room:
            break
        room -= columns
        kept += len(letter)
    return text[:kept] + mark + fill * room


def _widths(text: str) -> list[tuple[str, int]]:
    """Each character with the columns it adds."""
    from unicodedata import category, east_asian_width

    widths: list[tuple[str, int]] = []
    is_joined = False
    for letter in text:
        if letter == EMOJI_STYLE and widths and widths[-1][1] == 1:
            widths[-1] = (widths[-1][0], 2)
        if is_joined or category(letter) in ("Mn", "Me", "Cf"):
            columns = 0
        else:
            columns = 2 if east_asian_width(letter) in "WF" else 1
        is_joined = letter == JOINER
        widths.append((letter, columns))
    return widths
