"""The header: one line that says what is watched, why it ran, how far it is, and the counts."""

from collections.abc import Iterable
from math import ceil

from rich.segment import Segment

from evaltui.core.baseline import pin_moments
from evaltui.core.errors import Severity
from evaltui.core.measured_number import dollars
from evaltui.store.board import Board
from evaltui.store.run_view import RunView
from evaltui.tui.render import glyphs
from evaltui.tui.render.clip import clip
from evaltui.tui.render.count_marks import count_marks, side_marks
from evaltui.tui.render.glyphs import Mark
from evaltui.tui.render.header_facts import ON, Facts, header_text
from evaltui.tui.render.header_run import (
    beside,
    comparing,
    progress,
    progress_bar,
    run_number,
    run_state,
)
from evaltui.tui.render.header_save import (
    bound_of_rest,
    cause_of_save,
    effects_of_save,
    reach_of_save,
    why_reached,
)
from evaltui.tui.render.look import Look
from evaltui.tui.render.parts_line import Part, Spot, fit_parts
from evaltui.tui.render.pin_age import pin_age
from evaltui.tui.render.sanitize import one_line, sanitize
from evaltui.tui.render.words import span

_INSIDE = " › "
"""In a breadcrumb that leads into a list."""
_TROUBLE = (glyphs.FAILED, glyphs.ERROR, glyphs.REGRESSED)


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
    run = None if facts.is_between else facts.board.runs.last
    # A list has its name in its title too; of what was saved there is nothing else on the screen.
    is_inside = _INSIDE in facts.breadcrumb
    has_effects = bool(effects_of_save(facts, look))
    return [
        Part(
            _state(facts, look),
            100,
            shortest=_state(facts, look, is_short=True),
            command="timeline.open" if facts.past else "watch.pause",
        ),
        Part(
            header_text(sanitize(one_line(facts.breadcrumb), look.is_ascii), look, "strong"),
            91 if is_inside else 13,
            can_shrink=is_inside,
        ),
        Part(_agent(facts, look), 92, _agent(facts, look, is_short=True), command="agent.next"),
        Part(
            _compared(facts, look),
            12,
            _compared(facts, look, is_short=True),
            command="baseline.menu",
            middle=_compared(facts, look, has_age=False),
        ),
        _problem(facts, look),
        Part(
            header_text(cause_of_save(facts, look), look, "foreground"),
            86 if has_effects else 79 if facts.trigger else 50,
            header_text(cause_of_save(facts, look, is_short=True), look, "foreground"),
            can_shrink=has_effects or bool(facts.trigger),
            command="timeline.open",
        ),
        Part(
            reach_of_save(facts, look),
            65,
            reach_of_save(facts, look, is_short=True),
            command="run.due",
        ),
        Part(header_text(why_reached(facts, look), look, "quiet"), 15),
        Part(
            run_state(run, facts, look),
            70,
            run_state(run, facts, look, is_short=True),
            command="timeline.open",
        ),
        Part(
            effects_of_save(facts, look),
            97,
            effects_of_save(facts, look, is_short=True),
            shortest=effects_of_save(facts, look, is_shortest=True),
            command="cases.view",
            middle=effects_of_save(facts, look, has_unchanged=False),
        ),
        Part(
            bound_of_rest(facts, look),
            59,
            bound_of_rest(facts, look, is_short=True),
            command="run.due",
            middle=bound_of_rest(facts, look, has_key=False),
        ),
        Part(run_number(run, facts, look), 11, command="timeline.open"),
        Part(progress_bar(run, look), 40, grow=lambda spare: progress_bar(run, look, spare)),
        Part(progress(run, look), 80),
        beside(facts, look),
        Part(comparing(facts, look), 95, comparing(facts, look, is_short=True)),
        Part(header_text(eta(run, facts.now, look.symbols.at_least), look, "quiet"), 45),
        Part(
            counts(facts.board, look, ON),
            98,
            counts(facts.board, look, ON, is_short=True),
            shortest=counts(facts.board, look, ON, is_short=True, is_close=True),
            command="cases.view",
        ),
        Part(_gate(facts, look), 94, _gate(facts, look, is_short=True), command="gate.show"),
        Part(_spent(facts, look), 35),
        Part(_left(facts, look), 36),
        Part(
            header_text(
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
    run = facts.board.runs.last
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
    return header_text(name and f"@{name}", look, "strong")


def _compared(
    facts: Facts, look: Look, *, is_short: bool = False, has_age: bool = True
) -> list[Segment]:
    """`agent sonnet · vs default, 42 pinned 3h ago`: whose results, and what they regress from."""
    agent = f"agent {facts.only_agent}" if facts.only_agent else ""
    baseline = "" if is_short else _baseline(facts, has_age=has_age)
    said = f" {look.symbols.separator} ".join(part for part in (agent, baseline) if part)
    return header_text(sanitize(said, look.is_ascii), look, "quiet")


def _baseline(facts: Facts, *, has_age: bool) -> str:
    """The baseline in force with its cases and, where it is wanted, their age."""
    baselines = facts.board.standards.baselines.values()
    moments = pin_moments(baselines)
    if not moments:
        return ""
    name = next((one.name for one in baselines if one.name), "baseline")
    age = pin_age(moments, facts.now) if has_age else ""
    separator = ":" if "," in age else ""
    return f"vs {name}, {sum(moments.values()):,} pinned{separator} {age}".rstrip()


def _problem(facts: Facts, look: Look) -> Part:
    """What only may mislead has the room that is left; the footer counts it too."""
    warning = glyphs.SEVERITY[Severity.WARNING]
    variable = warning.variable if facts.is_warning else "severity-error"
    long, short, shortest = (
        header_text(
            said and f"{look.symbol(warning)} {sanitize(said, look.is_ascii)}", look, variable
        )
        for said in facts.problem
    )
    if facts.is_warning:
        return Part(long, 14, shortest, middle=short, command="pane.problems")
    command = "app.trust" if facts.is_untrusted else "pane.problems"
    return Part(long, 93, short, shortest, command=command)


def _gate(facts: Facts, look: Look, *, is_short: bool = False) -> list[Segment]:
    """`gate ✗ failed`: the reasons are one click away."""
    if facts.gate is None:
        return []
    mark = facts.gate
    said = f"gate {look.symbol(mark)}" if is_short else f"gate {look.symbol(mark)} {mark.word}"
    return [Segment(said, look.style(mark.variable, ON, bold=mark is not glyphs.PASSED))]


def _spent(facts: Facts, look: Look) -> list[Segment]:
    """What the runs cost that the headline tells of, or the last one. Of an earlier one nobody
    knows: cases that ran again since have left it."""
    spent_usd = facts.board.spent_usd
    if facts.state == "past" or not spent_usd:
        return []
    left = facts.board.spending.left_usd if facts.board.spending is not None else None
    others = () if left is None else (left,)
    return header_text(dollars(spent_usd, beside=others), look, "foreground")


def _left(facts: Facts, look: Look) -> list[Segment]:
    """What may be spent still in this session, where that is limited."""
    spending = facts.board.spending
    if spending is None or spending.left_usd is None:
        return []
    left = dollars(spending.left_usd, beside=(facts.board.spent_usd,), is_left=True)
    return header_text(f"{left} left", look, "foreground")


def counts(
    board: Board, look: Look, on: str, *, is_short: bool = False, is_close: bool = False
) -> list[Segment]:
    """`✓27 ✗3 !1 · ↓2 ◷5`: the first add up to the cases, the marks behind the dot are of them.

    Zeroes are left out, when short those of passed and failed too; close: without air around it.
    """
    shown = [
        (mark, number)
        for mark, number in count_marks(board.counts.all).items()
        if number or (not is_short and board.rows and mark in (glyphs.PASSED, glyphs.FAILED))
    ]
    line = _numbers(shown, look, on)
    if marks := side_marks(board.counts.all):
        dot = look.symbols.separator if is_close else f" {look.symbols.separator} "
        line += [Segment(dot, look.style("quiet", on)), *_numbers(marks.items(), look, on)]
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


def eta(run: RunView | None, now: float, at_least: str = "≥") -> str:
    """`eta 9s`: the greater of what history and the pace of this run lead to expect.

    `eta ≥9s` when no case is finished although all should be by now; empty when nothing is known.
    """
    if run is None or run.end is not None or run.done >= run.total:
        return ""
    took = max(0.0, now - run.started_at)
    by_history = 0.0 if run.eta_s is None else run.eta_s - took
    at_once = max(1, min(run.concurrency, run.total))
    if run.done:
        round_s = took / max(1.0, run.done / at_once)
        by_pace = round_s * ceil((run.total - run.done) / at_once)
        return f"eta {_span(max(by_history, by_pace))}"
    if by_history > 0:
        return f"eta {_span(by_history)}"
    left = took * (ceil(run.total / at_once) - 1) if run.eta_s is not None else 0.0
    return f"eta {at_least}{_span(left)}" if left >= 1 else ""


def _span(seconds: float) -> str:
    """A run that is on takes a second at least."""
    return span(max(1.0, seconds))
