"""How many columns of a terminal a text takes, and text made to fit them.

For what is printed. Panes are measured as Textual does, which lays them out: `tui/render/clip.py`.
"""


def cells(text: str) -> int:
    """Columns of one line of text: wide letters take two, marks upon a letter none.

    Signs that are joined to one emoji count as one, as terminals that draw them as one do. A
    control character takes no column and acts on nothing: whoever prints a text spells it out.
    """
    if text.isascii() and text.isprintable():
        return len(text)
    from wcwidth import width  # its tables take longer to import than most reports to write

    # An escape would take what follows into its sequence, the blanks that fill a text up as well.
    return width(text.replace("\x1b", ""), control_codes="ignore")


def fit_cells(text: str, width: int, *, fill: str = " ") -> str:
    """Exactly `width` columns: filled up, or cut with `…` at the end."""
    missing = width - cells(text)
    if missing >= 0:
        return text + fill * missing
    from wcwidth import iter_graphemes

    room = width - 1
    kept = ""
    for sign in iter_graphemes(text):
        if cells(kept + sign) > room:
            break
        kept += sign
    return kept + "…" + fill * (room - cells(kept))
