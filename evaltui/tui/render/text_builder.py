"""Builds the lines of a page: wrapped and sanitized, with what they fold and what they copy."""

from collections.abc import Callable, Iterable

from rich.segment import Segment
from rich.style import Style

from evaltui.tui.render.clip import width_of
from evaltui.tui.render.glyphs import Mark
from evaltui.tui.render.line import Folds, Line
from evaltui.tui.render.look import Look
from evaltui.tui.render.sanitize import sanitize
from evaltui.tui.render.wrapping import breaks

PAGE = 20_000
"""Characters of a long value that one key press shows."""
GLIMPSE = 600
"""Characters of a long value that are shown at once."""
COLUMN = 28
"""Cells that a column of text has beside what hangs before it, where that is over a third."""
Part = str | tuple[str, str | Style]
"""Text in the plain style, with the name of a theme variable, or with a style."""


class TextBuilder:
    """Collects lines of at most `width` cells."""

    def __init__(self, look: Look, width: int, folds: Folds | None = None) -> None:
        self.look = look
        self.width = max(8, width)
        self.folds = folds or Folds()
        self.lines: list[Line] = []

    @property
    def plain(self) -> str:
        return "\n".join(line.plain for line in self.lines)

    def write(
        self,
        *parts: Part,
        indent: int = 0,
        hang: int = 0,
        fold: str = "",
        pages: int = 0,
        is_more: bool = False,
        copy: Callable[[], str] | None = None,
        anchor: str = "",
    ) -> None:
        """One paragraph or, with line ends in it, several; continuations are indented `hang` more.

        The fold and the anchor belong to the first line, the copy to all of them.
        """
        indent = min(indent, self.width // 3)
        hang = min(hang, max(self.width // 3, self.width - COLUMN))
        runs = [self._run(part) for part in parts]
        text = "".join([run for run, _ in runs])
        if len(text) + indent <= self.width and text.isascii() and "\n" not in text:
            blank = (Segment(" " * indent),) if indent else ()
            segments = (*blank, *(Segment(run, style) for run, style in runs if run))
            self.lines.append(Line(segments, fold, pages, is_more, copy, anchor))
            return
        is_first = True
        for paragraph in _paragraphs(runs):
            text = "".join(run for run, _ in paragraph)
            width = self.width - indent - hang
            room = self.width - indent if is_first else width
            for start, end in breaks(text, width, room):
                segments = _slice(paragraph, start, end)
                margin = indent + (0 if is_first else hang)
                if margin:
                    segments = (Segment(" " * margin), *segments)
                if is_first:
                    line = Line(segments, fold, pages, is_more, copy, anchor)
                else:
                    line = Line(segments, copy=copy)
                self.lines.append(line)
                is_first = False

    def shown(self, name: str, step: int) -> int:
        """How many of a long list are shown: `step`, and as many again for each `more`."""
        return step * (1 + self.folds.pages(f"more:{name}"))

    def more(self, name: str, hidden: int, noun: str, step: int) -> None:
        """That so many things are not shown yet; Enter shows `step` more of them."""
        if hidden > 0:
            things = noun if hidden == 1 else f"{noun}s"
            said = f"{self.look.symbols.cut} {hidden:,} more {things}: Enter shows"
            fold = f"more:{name}"
            pages = self.folds.pages(fold)
            self.write(
                (f"{said} {min(hidden, step):,}", "quiet"), fold=fold, pages=pages, is_more=True
            )

    def blank(self) -> None:
        if self.lines and self.lines[-1].segments:
            self.lines.append(Line())

    def heading(self, text: str) -> None:
        self.blank()
        self.write((text, self.look.style("strong", bold=True)))

    def rule(self) -> None:
        self.write((self.look.symbols.horizontal * self.width, "line"))

    def empty_state(self, *sentences: str) -> None:
        """What would be here, and what brings it."""
        for sentence in sentences:
            self.write(*self.look.spans(sentence, "quiet"), indent=1)

    def mark(self, mark: Mark) -> Part:
        """Glyph and word: no state is shown by a colour alone."""
        return f"{self.look.symbol(mark)} {mark.word}", self.look.style(mark.variable)

    def opens(self, name: str, default: bool = False) -> tuple[bool, str]:
        """Whether a fold is open, and its triangle."""
        is_open = self.folds.is_open(name, default)
        return is_open, self.look.symbols.unfolded if is_open else self.look.symbols.folded

    def long(
        self,
        text: str,
        name: str,
        *,
        before: tuple[Part, ...] = (),
        after: tuple[Part, ...] = (),
        style: str | Style = "",
        indent: int = 0,
        hang: int = 0,
        glimpse: int = GLIMPSE,
        anchor: str = "",
        fold: str = "",
        pages: int = 0,
        paint: Callable[[str], list[Part]] | None = None,
    ) -> None:
        """A value of any length: its beginning, then how much more there is and how to see it."""
        more = self.folds.pages(f"more:{name}")
        shown = text[: glimpse + more * PAGE]

        def whole() -> str:
            return text

        parts: list[Part] = paint(shown) if paint else [(shown, style)]
        hidden = len(text) - len(shown)
        if not hidden:
            parts += after
        self.write(
            *before,
            *parts,
            indent=indent,
            hang=hang,
            fold=fold,
            pages=pages,
            copy=whole,
            anchor=anchor,
        )
        if hidden:
            self.write(
                (
                    f"{self.look.symbols.cut} {hidden:,} more characters: Enter shows "
                    f"{'the rest' if hidden <= PAGE else f'the next {PAGE:,}'}, ",
                    "quiet",
                ),
                *self.look.spans("`y` copies all", "quiet"),
                indent=indent + hang,
                fold=f"more:{name}",
                pages=more,
                is_more=True,
                copy=whole,
            )

    def _run(self, part: Part) -> tuple[str, Style]:
        text, style = (part, "") if isinstance(part, str) else part
        if isinstance(style, str):
            style = self.look.style(style)
        if text.isascii() and text.isprintable():
            return text, style
        return sanitize(text, self.look.is_ascii), style


def cells(parts: Iterable[Part]) -> int:
    """How wide the parts are beside each other."""
    return sum(width_of(part if isinstance(part, str) else part[0]) for part in parts)


def _paragraphs(runs: list[tuple[str, Style]]) -> list[list[tuple[str, Style]]]:
    paragraphs: list[list[tuple[str, Style]]] = [[]]
    for text, style in runs:
        first, *others = text.split("\n")
        paragraphs[-1].append((first, style))
        paragraphs += [[(other, style)] for other in others]
    return paragraphs


def _slice(runs: list[tuple[str, Style]], start: int, end: int) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    at = 0
    for text, style in runs:
        piece = text[max(0, start - at) : max(0, end - at)]
        if piece:
            segments.append(Segment(piece, style))
        at += len(text)
        if at >= end:
            break
    return tuple(segments)
