"""Two values side by side, with the differing characters marked."""

from rich.cells import cell_len
from rich.style import Style

from evaltui.core.text_diff import Piece, mark_difference, mark_words
from evaltui.tui.render.text_builder import GLIMPSE, Part, TextBuilder


def write_difference(
    builder: TextBuilder,
    before: str,
    after: str,
    name: str,
    *,
    lead: tuple[Part, ...] = (),
    tail: tuple[Part, ...] = (),
    indent: int = 0,
    anchor: str = "",
) -> None:
    """`before → after` on one line if it fits, what is said of it below where it must, else one
    value below the other, wrapped.

    Very long values begin shortly before their first difference; what is left out is said.
    """
    left, right = mark_difference(before, after)
    arrow = f" {builder.look.symbols.arrow} "
    width = indent + sum(cell_len(_text(part)) for part in lead) + len(arrow)
    width += cell_len(before[:500]) + cell_len(after[:500])
    if "\n" not in before + after and width <= builder.width:
        values = (
            *_paint(builder, left, "diff-removed"),
            (arrow, "quiet"),
            *_paint(builder, right, "diff-actual"),
        )
        fits = width + sum(cell_len(_text(part)) for part in tail) <= builder.width
        builder.write(
            *lead,
            *values,
            *(tail if fits else ()),
            indent=indent,
            anchor=anchor,
            copy=lambda: after,
        )
        if not fits:
            builder.write(*tail, indent=indent + 2, copy=lambda: after)
        return
    builder.write(*lead, *tail, indent=indent, hang=2, anchor=anchor, copy=lambda: after)
    common = len(left[0].text) if left and not left[0].is_changed else 0
    for sign, pieces, text, variable in (
        ("-", left, before, "diff-removed"),
        ("+", right, after, "diff-actual"),
    ):
        _write_side(builder, sign, pieces, text, variable, f"{name}{sign}", indent + 2, common)


def write_words(builder: TextBuilder, before: str, after: str, name: str, *, indent: int) -> None:
    """Two texts for people, one below the other, with the words marked that differ."""
    is_long = len(before) + len(after) > _LONGEST_BY_WORDS
    left, right = (mark_difference if is_long else mark_words)(before, after)
    common = len(left[0].text) if left and not left[0].is_changed else 0
    if before:
        _write_side(builder, "-", left, before, "diff-removed", f"{name}-", indent, common)
    if after:
        _write_side(builder, "+", right, after, "diff-actual", f"{name}+", indent, common)


def _write_side(
    builder: TextBuilder,
    sign: str,
    pieces: tuple[Piece, ...],
    text: str,
    variable: str,
    name: str,
    indent: int,
    common: int,
) -> None:
    is_whole = len(text) <= GLIMPSE or builder.folds.is_open(f"more:{name}")
    start = 0 if is_whole else max(0, common - GLIMPSE // 4)
    end = len(text) if is_whole else start + GLIMPSE
    shown: list[Piece] = []
    at = 0
    for piece in pieces:
        cut = piece.text[max(0, start - at) : max(0, end - at)]
        if cut:
            shown.append(Piece(cut, piece.is_changed))
        at += len(piece.text)
    hidden = (start, max(0, len(text) - end))
    cut_mark = builder.look.symbols.cut
    before: tuple[Part, ...] = ((f"{cut_mark} {start:,} equal characters {cut_mark}", "quiet"),)
    builder.write(
        (f"{sign} ", variable),
        *(before if start else ()),
        *_paint(builder, tuple(shown), variable),
        indent=indent,
        hang=2,
        copy=lambda: text,
    )
    if hidden[1] or start:
        count = f"{hidden[0] + hidden[1]:,} more characters"
        if len(text) > _UNFOLDS_AT_MOST:
            action = "`y` copies all"
        else:
            action = "Enter shows all, `y` copies all"
        builder.write(
            *builder.look.spans(f"{cut_mark} {count}: {action}", "quiet"),
            indent=indent + 2,
            fold=f"more:{name}" if len(text) <= _UNFOLDS_AT_MOST else "",
            copy=lambda: text,
        )


def _paint(builder: TextBuilder, pieces: tuple[Piece, ...], variable: str) -> list[Part]:
    plain = builder.look.style(variable)
    marked = builder.look.style(variable, bold=True) + _UNDERLINED
    return [(piece.text, marked if piece.is_changed else plain) for piece in pieces]


def _text(part: Part) -> str:
    return part if isinstance(part, str) else part[0]


_UNFOLDS_AT_MOST = 200_000
"""Characters; a longer value is left to copying and the raw tab."""
_LONGEST_BY_WORDS = 20_000
"""Characters of both texts; comparing words takes the square of their number."""
_UNDERLINED = Style(underline=True)
