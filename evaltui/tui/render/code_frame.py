"""The lines of a file around a mistake, in the theme's colours."""

from evaltui.core.code_frame import code_frame
from evaltui.tui.render.text_builder import TextBuilder


def write_code_frame(
    builder: TextBuilder,
    text: str,
    line: int,
    column: int = 0,
    *,
    indent: int = 2,
    context: int = 2,
) -> bool:
    """Whether there was something to show; `line` and `column` are 1-based, 0 for none."""
    frame = code_frame(text, line, column, context)
    for row in frame:
        if row.startswith(">"):
            style = builder.look.style("strong", bold=True)
        elif row.endswith("^"):
            style = builder.look.style("severity-error", bold=True)
        else:
            style = builder.look.style("quiet")
        builder.write((row, style), indent=indent)
    return bool(frame)
