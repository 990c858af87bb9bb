"""Our own sentences for Textual's widgets: keys and code styled instead of backticked."""

from rich.style import Style
from textual.content import Content
from textual.markup import escape

from evaltui.tui.render.look import Look

_CODE = "bold $strong"


def sentence(text: str, look: Look, style: str = "") -> Content:
    """As `Look.spans` has it; `style` is that of the rest."""
    pieces = look.spans(text, "")
    return Content.assemble(
        *((piece, _CODE if isinstance(of, Style) else style) for piece, of in pieces)
    )


def markup(text: str, look: Look) -> str:
    """The same where Textual takes nothing but markup."""
    pieces = look.spans(text, "")
    return "".join(
        f"[{_CODE}]{escape(piece)}[/]" if isinstance(of, Style) else escape(piece)
        for piece, of in pieces
    )
