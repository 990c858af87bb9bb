"""A paper's lines as one text, for widgets that take one."""

from rich.text import Text

from evaltui.tui.render.paper import Paper


def as_text(paper: Paper) -> Text:
    text = Text(no_wrap=True, end="")
    for number, line in enumerate(paper.lines):
        if number:
            text.append("\n")
        for segment in line.segments:
            text.append(segment.text, segment.style)
    return text
