"""The data that the detail tabs show of a case, and their text while there is no result."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from evaltui.core.errors import Severity
from evaltui.core.paired_runs import PairedRuns
from evaltui.core.result import CaseResult
from evaltui.core.tool import ToolChange
from evaltui.expectations.call_diff import DiffTarget
from evaltui.store.row import Phase, Row
from evaltui.tui.render.agents import Peer
from evaltui.tui.render.glyphs import PHASE, SEVERITY
from evaltui.tui.render.text_builder import TextBuilder

if TYPE_CHECKING:
    from evaltui.disk.history.history_queries import HistoryEntry


class ShownCase(Struct, frozen=True):
    """Everything a tab may look at."""

    row: Row
    target: DiffTarget
    earlier: CaseResult | None
    """The run that `target` names, when it is not the expectation."""
    past: "Callable[[], Sequence[HistoryEntry]]"
    """Newest first; asked only by the tab that shows it."""
    now: float
    multiset: bool = True
    peers: Sequence[Peer] = ()
    """Every agent with this case, when the tab compares them."""
    wholes: Sequence[tuple[str, PairedRuns]] = ()
    """Each other agent against the one that is shown, over all cases."""
    before_save: CaseResult | None = None
    """Its result before the last save, with its answer; `None` when that is not kept."""
    tools: Mapping[str, ToolChange] = {}
    """What the last save changed, by tool."""
    affected: int = 0
    """How many cases edits since the baseline can have affected: evidence is weighed among them."""
    against: str = ""
    """What the agent is called that `target` speaks of."""


def write_waiting(builder: TextBuilder, row: Row) -> None:
    """That another answer is coming, and that the one below is the last."""
    if row.phase is not Phase.IDLE:
        mark = PHASE[row.phase]
        said = f"{builder.look.symbol(mark)} {mark.word} now; below is the last result"
        builder.write((said, mark.variable), hang=2)


def write_no_result(builder: TextBuilder, row: Row) -> None:
    """Why there is no result yet, and what brings one."""
    if row.phase is Phase.RUNNING:
        builder.empty_state("Running for the first time: the answer appears here.")
        return
    if row.phase is Phase.QUEUED:
        builder.empty_state("Queued: its first result appears here.")
        return
    if row.case.invalid:
        sign = builder.look.symbol(SEVERITY[Severity.ERROR])
        said = f"{sign} This case cannot be judged: {row.case.invalid}"
        builder.write((said, "severity-error"), indent=1, hang=2)
        builder.empty_state("`o` opens it at its line: correct it there and save.")
        return
    builder.empty_state(
        "This case has never run.",
        "`r` runs it; `a` runs all cases.",
    )
