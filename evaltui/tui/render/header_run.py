"""The header's words about a run: which it is, its progress, how it ended."""

from rich.segment import Segment

from evaltui.core.events import RunEnd
from evaltui.store.run_view import RunView
from evaltui.tui.render.header_facts import ON, Facts, header_text
from evaltui.tui.render.header_save import effects_of_save
from evaltui.tui.render.headline import effects_of_run
from evaltui.tui.render.look import Look
from evaltui.tui.render.parts_line import Part
from evaltui.tui.render.words import ENDED, ago, clock

BAR = 8
_BESIDE, _BESIDE_CHANGED = 37, 88
"""How important what a command did is, and where it changed any figure."""
WIDEST_BAR = 40
"""Cells; beyond, another cell says nothing more."""


def run_number(run: RunView | None, facts: Facts, look: Look) -> list[Segment]:
    """Of the run that did what is said, where nothing else needs the room."""
    if run is None or run.end is not RunEnd.COMPLETED or not effects_of_save(facts, look):
        return []
    if not facts.board.headline.is_of_save(run.run_id):
        return []
    return header_text(f"run #{run.number}", look, "quiet")


def run_state(
    run: RunView | None, facts: Facts, look: Look, *, is_short: bool = False
) -> list[Segment]:
    """`run #7 0:12 cancelled`, until all of it ran; before the first, how old the results are."""
    if facts.past:
        return []
    if run is None:
        when = f"last results {ago(facts.now - facts.results_at)}" if facts.results_at else ""
        return header_text("" if is_short else when, look, "quiet")
    if run.end is RunEnd.COMPLETED:
        return []
    took = (facts.now if run.end is None else run.finished_at) - run.started_at
    judged = "judging" if run.end is None else "judged"
    what = f"#{run.number} {judged} again" if run.is_rejudging else f"#{run.number}"
    text = f"{what} {clock(took)}" if is_short else f"run {what} {clock(took)}"
    ended = ENDED[run.end] if run.end is not None else ""
    return header_text(f"{text} {ended}".rstrip(), look, "foreground")


def beside(facts: Facts, look: Look) -> Part:
    """`run #8 beside 12/45`: of a command in another terminal, while what a save or key did here is
    told; of several the last one. Once all are over `run #8 beside 1 worse · 0 better`: what it did
    itself, which is no part of what is told of the save. Where the counts are others by it, it goes
    after the file that was saved: they could not be understood without."""
    runs = facts.board.runs
    run = [*runs.beside.values()][-1] if runs.beside else runs.over_beside
    if run is None or facts.past:
        return Part([], _BESIDE)
    command, name = "timeline.open", header_text(f"#{run.number} beside", look, "quiet")
    whole, space = header_text("run ", look, "quiet") + name, header_text(" ", look, "quiet")
    if run.end is None:
        said = header_text(f"{run.trials_done:,}/{run.trials_total:,}", look, "quiet")
        return Part(whole + space + said, _BESIDE, name + space + said, command=command)
    full = effects_of_run(run.changes, look, ON)
    if not full:
        return Part([], _BESIDE)
    short = effects_of_run(run.changes, look, ON, is_short=True)
    middle = effects_of_run(run.changes, look, ON, has_unchanged=False)
    return Part(
        whole + space + full,
        _BESIDE_CHANGED if short else _BESIDE,
        name + space + (short or middle),
        shortest=name if short else None,
        command=command,
        middle=whole + space + middle,
    )


def comparing(facts: Facts, look: Look, *, is_short: bool = False) -> list[Segment]:
    """`comparing 34/120`: trials, of which no board tells."""
    if facts.comparing is None:
        return []
    done, of_all = facts.comparing
    text = f"{done:,}/{of_all:,}"
    return header_text(text if is_short else f"comparing {text}", look, "case-running")


def progress_bar(run: RunView | None, look: Look, spare: int = 0) -> list[Segment]:
    """`spare`: cells that nothing else wants."""
    if run is None or run.end is not None or not run.total:
        return []
    cells = min(BAR + spare, WIDEST_BAR)
    full = min(cells, run.trials_done * cells // run.trials_total)
    symbols = look.symbols
    return [
        Segment(symbols.bar_left, look.style("quiet", ON)),
        Segment(symbols.bar_full * full, look.style("case-running", ON)),
        Segment(symbols.bar_empty * (cells - full), look.style("quiet", ON)),
        Segment(symbols.bar_right, look.style("quiet", ON)),
    ]


def progress(run: RunView | None, look: Look) -> list[Segment]:
    """`12/42`, until all of it ran; `31/420 trials` of cases that are tried more than once."""
    if run is None or run.end is RunEnd.COMPLETED:
        return []
    said = f"{run.trials_done:,}/{run.trials_total:,}" + " trials" * (run.trials > 1)
    return header_text(said, look, "foreground")
