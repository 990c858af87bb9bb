"""The facts the header shows, and the background it is drawn on."""

from msgspec import Struct
from rich.segment import Segment

from evaltui.store.board import Board
from evaltui.tui.render import glyphs
from evaltui.tui.render.look import Look

ON = "panel"


class Facts(Struct, frozen=True):
    """What the header shows; gathered by the pane."""

    state: str
    board: Board
    trigger: tuple[str, ...]
    now: float
    agent: str = ""
    """Only when there are several."""
    breadcrumb: str = ""
    """Which pane is shown, where it is the only one."""
    results_at: float = 0.0
    """When the last run before this start ended, while nothing ran yet."""
    past: str = ""
    """The moment whose board is shown, where that is not now."""
    is_between: bool = False
    """Whether two moments of the past are held against each other, and no run tells anything."""
    problem: tuple[str, str, str] = ("", "", "")
    """What is most urgently wrong and how many problems there are: long, short, shortest."""
    is_warning: bool = False
    """Whether what is most urgent is used all the same, and only may mislead."""
    is_untrusted: bool = False
    """Whether the problem is that something was not agreed to."""
    gate: glyphs.Mark | None = None
    """Whether the release may pass; `None` where nothing says when."""
    comparing: tuple[int, int] | None = None
    """Of two states that are being compared, the calls that are over, and all."""
    only_agent: str = ""
    """The agent, when there are no others."""


def header_text(text: str, look: Look, variable: str) -> list[Segment]:
    return [Segment(text, look.style(variable, ON))] if text else []
