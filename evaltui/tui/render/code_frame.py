"""The lines of a file around a mistake, in the theme's colours."""

from evaltui.core.code_frame import code_frame
from evaltui.tui.render.paper import Paper


def write_code_frame(
    paper: Paper, text: str, line: int, column: int = 0, *, indent: int = 2, context: int = 2
) -> bool:
    """Whether there was something to show; `line` and `column` are 1-based, 0 for none."""
    frame = code_frame(text, line, column, context)
    for row in frame:
        if row.startswith(">"):
            style = paper.look.style("strong", bold=True)
        elif row.endswith("^"):
            style = paper.look.style("severity-error", bold=True)
        else:
            style = paper.look.style("quiet")
        paper.write((row, style), indent=indent)
    return bool(frame)
