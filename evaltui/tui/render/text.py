"""A builder's lines as one text, for widgets that take one."""

from rich.text import Text

from evaltui.tui.render.text_builder import TextBuilder


def as_text(builder: TextBuilder) -> Text:
    text = Text(no_wrap=True, end="")
    for number, line in enumerate(builder.lines):
        if number:
            text.append("\n")
        for segment in line.segments:
            text.append(segment.text, segment.style)
    return text
