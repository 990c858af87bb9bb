"""The header: one line that says what is watched, why it ran, how far it is, and the counts."""

from collections.abc import Iterable

from msgspec import Struct
from rich.segment import Segment

from evaltui.core.baseline import pin_moments
from evaltui.core.errors import Severity
from evaltui.core.events import RunEnd
from evaltui.core.staleness import CASE_CHANGED
from evaltui.store.board import Board
from evaltui.store.run_view import RunView
from evaltui.tui.render import glyphs
from evaltui.tui.render.clip import clip, one_line
from evaltui.tui.render.count_marks import count_marks, side_marks
from evaltui.tui.render.eta import eta
from evaltui.tui.render.glyphs import Mark
from evaltui.tui.render.headline import cause, effects
from evaltui.tui.render.look import Look
from evaltui.tui.render.parts_line import Part, Spot, fit_parts
from evaltui.tui.render.pin_age import pin_age
from evaltui.tui.render.sanitize import sanitize
from evaltui.tui.render.words import ENDED, ago, clock, money

ON = "panel"
BAR = 8
WIDEST_BAR = 40
"""Cells; beyond, another cell says nothing more."""
_INSIDE = " › "
"""In a breadcrumb that leads into a list."""
_TROUBLE = (glyphs.FAILED, glyphs.ERROR, glyphs.REGRESSED)


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
    problem: tuple[str, str, str] = ("", "", "")
    """What is most urgently wrong and how many problems there are: long, short, shortest."""
    is_untrusted: bool = False
    """Whether the problem is that something was not agreed to."""
    gate: glyphs.Mark | None = None
    """Whether the release may pass; `None` where nothing says when."""
    only_agent: str = ""
    """The agent, when there are no others."""


def header_line(facts: Facts, width: int, look: Look) -> list[Segment]:
    """Exactly `width` cells."""
    return _laid_out(facts, width, look)[0]


def command_at(facts: Facts, x: int, width: int, look: Look) -> str:
    """Id of the command that a click on the cell runs; empty for none."""
    spots = _laid_out(facts, width, look)[1]
    return next((spot.command for spot in spots if spot.start <= x < spot.end), "")


def _laid_out(facts: Facts, width: int, look: Look) -> tuple[list[Segment], list[Spot]]:
    plain = look.style("foreground", ON)
    return fit_parts(_parts(facts, look), width, plain, look.symbols.cut)


def _parts(facts: Facts, look: Look) -> list[Part]:
    run = facts.board.run
    # A list has its name in its title too; of what was saved there is nothing else on the screen.
    is_inside = _INSIDE in facts.breadcrumb
    is_told = bool(_effects(facts, look))
    return [
        Part(
            _state(facts, look),
            100,
            shortest=_state(facts, look, is_short=True),
            command="timeline.open" if facts.past else "watch.pause",
        ),
        Part(
            _text(sanitize(one_line(facts.breadcrumb), look.is_ascii), look, "strong"),
            91 if is_inside else 13,
            can_shrink=is_inside,
        ),
        Part(_agent(facts, look), 92, _agent(facts, look, is_short=True), command="agent.next"),
        Part(
            _compared(facts, look),
            12,
            _compared(facts, look, is_short=True),
            command="baseline.menu",
        ),
        Part(
            _problem(facts.problem[0], look),
            88,
            _problem(facts.problem[1], look),
            _problem(facts.problem[2], look),
            command="app.trust" if facts.is_untrusted else "pane.problems",
        ),
        Part(
            _text(_cause(facts, look), look, "foreground"),
            86 if is_told else 79 if facts.trigger else 50,
            _text(_cause(facts, look, is_short=True), look, "foreground"),
            can_shrink=is_told or bool(facts.trigger),
            command="timeline.open",
        ),
        Part(_reach(facts, look), 65, _reach(facts, look, is_short=True), command="run.due"),
        Part(_text(_why(facts, look), look, "quiet"), 15),
        Part(
            _run(run, facts, look),
            70,
            _run(run, facts, look, is_short=True),
            command="timeline.open",
        ),
        Part(
            _effects(facts, look),
            97,
            _effects(facts, look, is_short=True),
            shortest=_effects(facts, look, is_shortest=True),
            command="cases.view",
        ),
        Part(
            _bound(facts, look),
            66,
            _bound(facts, look, is_short=True),
            command="run.due",
        ),
        Part(_number(run, facts, look), 11, command="timeline.open"),
        Part(_bar(run, look), 40, grow=lambda spare: _bar(run, look, spare)),
        Part(_progress(run, look), 80),
        Part(_text(eta(run, facts.now, look.symbols.at_least), look, "quiet"), 45),
        Part(
            counts(facts.board, look, ON),
            98,
            counts(facts.board, look, ON, is_short=True),
            command="cases.view",
        ),
        Part(_gate(facts, look), 94, _gate(facts, look, is_short=True), command="gate.show"),
        Part(_text(money(run.spent_usd) if run and run.spent_usd else "", look, "foreground"), 35),
        Part(_left(facts, look), 36),
        Part(
            _text(
                f"{look.symbols.times}{run.concurrency}" if run and run.end is None else "",
                look,
                "quiet",
            ),
            20,
        ),
    ]


def _state(facts: Facts, look: Look, *, is_short: bool = False) -> list[Segment]:
    word, variable = {
        "watching": ("WATCH", "case-passed"),
        "starting": ("START", "case-running"),
        "paused": ("PAUSED", "case-stale"),
        "following": ("FOLLOWS", "case-passed"),
        "replay": ("REPLAY", "case-running"),
        "pack": ("PACK", "case-passed"),
    }.get(facts.state, ("OFF", "quiet"))
    run = facts.board.run
    if facts.past and facts.state == "pack":
        word = f"PACK {sanitize(one_line(facts.past), look.is_ascii)}"
    elif facts.past:
        shown = sanitize(f"{look.symbols.earlier} {facts.past}", look.is_ascii)
        return [Segment(shown, look.style("case-stale", ON, bold=True))]
    if run is not None and run.end is None and facts.state == "watching":
        variable = "case-running"
    live = look.symbols.live
    text = live if is_short and facts.state == "watching" else f"{live} {word}"
    needs_eye = facts.state not in ("watching", "following", "pack")
    return [Segment(text, look.style(variable, ON, bold=needs_eye))]


def _agent(facts: Facts, look: Look, *, is_short: bool = False) -> list[Segment]:
    """Whose run and whose totals follow."""
    name = clip(facts.agent, 8, look.symbols.cut) if is_short else facts.agent
    return _text(name and f"@{name}", look, "strong")


def _compared(facts: Facts, look: Look, *, is_short: bool = False) -> list[Segment]:
    """`agent sonnet · vs default, 42 pinned 3h ago`: whose results, and what they regress from."""
    agent = f"agent {facts.only_agent}" if facts.only_agent else ""
    baseline = "" if is_short else _baseline(facts)
    said = f" {look.symbols.separator} ".join(part for part in (agent, baseline) if part)
    return _text(sanitize(said, look.is_ascii), look, "quiet")


def _baseline(facts: Facts) -> str:
    """The baseline in force with its cases and their age."""
    baselines = facts.board.standards.baselines.values()
    moments = pin_moments(baselines)
    if not moments:
        return ""
    name = next((one.name for one in baselines if one.name), "baseline")
    age = pin_age(moments, facts.now)
    separator = ":" if "," in age else ""
    return f"vs {name}, {sum(moments.values()):,} pinned{separator} {age}".rstrip()


def _problem(said: str, look: Look) -> list[Segment]:
    mark = look.symbol(glyphs.SEVERITY[Severity.WARNING])
    return _text(said and f"{mark} {sanitize(said, look.is_ascii)}", look, "severity-error")


def _cause(facts: Facts, look: Look, *, is_short: bool = False) -> str:
    """What was saved; what changed in it is said once, behind what it led to. Short: one file."""
    save = None if _why(facts, look) else facts.board.save
    if not facts.trigger:
        return cause(facts.board.save, (), look) if facts.board.is_running else ""
    return cause(None if is_short else save, facts.trigger, look, most=1 if is_short else 2)


def _reach(facts: Facts, look: Look, *, is_short: bool = False) -> list[Segment]:
    """`16 of 42 affected, 5 possibly`: how much of the board the change made due, until that has
    run; short without the number of all cases."""
    reach = facts.board.reach
    if reach is None or not facts.trigger or _effects(facts, look):
        return []
    of = "" if is_short else f" of {reach.total:,}"
    if reach.affected:
        more = f", {reach.possibly:,} possibly" if reach.possibly else ""
        return _text(f"{reach.affected:,}{of} affected{more}", look, "foreground")
    if reach.possibly:
        return _text(f"{reach.possibly:,}{of} possibly affected", look, "foreground")
    if reach.never_run and facts.board.is_running:
        return _text(f"{reach.never_run:,}{of} never ran", look, "foreground")
    return [] if facts.board.is_save_running else _text("changes no result", look, "quiet")


def _effects(
    facts: Facts, look: Look, *, is_short: bool = False, is_shortest: bool = False
) -> list[Segment]:
    """What the last save did; while that runs, how far it is has the place."""
    if facts.board.is_save_running:
        return []
    return effects(facts.board, look, ON, is_short=is_short, is_shortest=is_shortest)


def _bound(facts: Facts, look: Look, *, is_short: bool = False) -> list[Segment]:
    """`of 108 others at most 16 moved (95 %)`: what those that were drawn tell of the rest."""
    save = facts.board.save
    if save is None or save.audited is None or not _effects(facts, look):
        return []
    bound = save.audited.bound
    return _text(bound if is_short or not bound else f"{bound}, R runs them", look, "foreground")


def _why(facts: Facts, look: Look) -> str:
    reach = facts.board.reach
    is_asked = reach is not None and facts.trigger and not _effects(facts, look)
    if reach is None or not is_asked:
        return ""
    is_told = facts.board.save is not None and bool(facts.board.save.cases)
    if is_told and reach.why == CASE_CHANGED:
        return ""  # the cause says which cases, and what changed in them
    return clip(reach.why, 36, look.symbols.cut)


def _number(run: RunView | None, facts: Facts, look: Look) -> list[Segment]:
    """Of the run that did what is said, where nothing else needs the room."""
    if run is None or run.end is not RunEnd.COMPLETED or not _effects(facts, look):
        return []
    if not facts.board.is_of_save(run.run_id):
        return []
    return _text(f"run #{run.number}", look, "quiet")


def _run(run: RunView | None, facts: Facts, look: Look, *, is_short: bool = False) -> list[Segment]:
    if run is None:
        when = f"last results {ago(facts.now - facts.results_at)}" if facts.results_at else ""
        return _text("" if is_short else when, look, "quiet")
    if facts.past or run.end is RunEnd.COMPLETED:
        return []
    took = (facts.now if run.end is None else run.finished_at) - run.started_at
    judged = "judging" if run.end is None else "judged"
    what = f"#{run.number} {judged} again" if run.is_rejudging else f"#{run.number}"
    text = f"{what} {clock(took)}" if is_short else f"run {what} {clock(took)}"
    ended = ENDED[run.end] if run.end is not None else ""
    return _text(f"{text} {ended}".rstrip(), look, "foreground")


def _gate(facts: Facts, look: Look, *, is_short: bool = False) -> list[Segment]:
    """`gate ✗ failed`: the reasons are one click away."""
    if facts.gate is None:
        return []
    mark = facts.gate
    said = f"gate {look.symbol(mark)}" if is_short else f"gate {look.symbol(mark)} {mark.word}"
    return [Segment(said, look.style(mark.variable, ON, bold=mark is not glyphs.PASSED))]


def _left(facts: Facts, look: Look) -> list[Segment]:
    """What may be spent still in this session, where that is limited."""
    spending = facts.board.spending
    if spending is None or spending.left_usd is None:
        return []
    return _text(f"{money(spending.left_usd)} left", look, "foreground")


def _bar(run: RunView | None, look: Look, spare: int = 0) -> list[Segment]:
    """`spare`: cells that nothing else wants."""
    if run is None or run.end is not None or not run.total:
        return []
    cells = min(BAR + spare, WIDEST_BAR)
    full = min(cells, run.done * cells // run.total)
    symbols = look.symbols
    return [
        Segment(symbols.bar_left, look.style("quiet", ON)),
        Segment(symbols.bar_full * full, look.style("case-running", ON)),
        Segment(symbols.bar_empty * (cells - full), look.style("quiet", ON)),
        Segment(symbols.bar_right, look.style("quiet", ON)),
    ]


def _progress(run: RunView | None, look: Look) -> list[Segment]:
    if run is None or run.end is RunEnd.COMPLETED:
        return []
    return _text(f"{run.done:,}/{run.total:,}", look, "foreground")


def counts(board: Board, look: Look, on: str, *, is_short: bool = False) -> list[Segment]:
    """`✓27 ✗3 !1 · ↓2 ◷5`: the first add up to the cases, the marks behind the dot are of them.

    Zeroes are left out, when short those of passed and failed too.
    """
    shown = [
        (mark, number)
        for mark, number in count_marks(board.counts.all).items()
        if number or (not is_short and board.rows and mark in (glyphs.PASSED, glyphs.FAILED))
    ]
    line = _numbers(shown, look, on)
    if marks := side_marks(board.counts.all):
        dot = "" if is_short else f" {look.symbols.separator}"
        line += [Segment(f"{dot} ", look.style("quiet", on)), *_numbers(marks.items(), look, on)]
    return line


def _numbers(shown: Iterable[tuple[Mark, int]], look: Look, on: str) -> list[Segment]:
    return [
        Segment(
            f"{' ' if index else ''}{look.symbol(mark)}{number:,}",
            look.style(
                mark.variable if number else "quiet", on, bold=bool(number) and mark in _TROUBLE
            ),
        )
        for index, (mark, number) in enumerate(shown)
    ]


def _text(text: str, look: Look, variable: str) -> list[Segment]:
    return [Segment(text, look.style(variable, ON))] if text else []
