"""The header's words about a save: its cause, its reach, what it did."""

from rich.segment import Segment

from evaltui.core.staleness import CASE_CHANGED
from evaltui.tui.render.clip import clip
from evaltui.tui.render.header_facts import ON, Facts, header_text
from evaltui.tui.render.headline import cause, effects, removed
from evaltui.tui.render.look import Look
from evaltui.tui.render.words import count


def cause_of_save(facts: Facts, look: Look, *, is_short: bool = False) -> str:
    """What was saved; what changed in it is said once, behind what it led to. Short: one file. Of a
    command its name, as nobody pressed a key here."""
    save = facts.board.headline.save
    if not facts.trigger:
        is_told = facts.board.runs.is_on or facts.board.headline.is_of_command
        return cause(save, (), look) if is_told else ""
    if is_short:
        return " ".join((cause(None, facts.trigger, look, most=1), *removed(save)))
    return cause(None if why_reached(facts, look) else save, facts.trigger, look)


def reach_of_save(facts: Facts, look: Look, *, is_short: bool = False) -> list[Segment]:
    """`16 of 42 affected, 5 possibly`: how much of the board the change made due, until that has
    run; short without the number of all cases."""
    reach = facts.board.headline.reach
    if reach is None or not facts.trigger or effects_of_save(facts, look):
        return []
    of = "" if is_short else f" of {reach.total:,}"
    if reach.affected:
        more = f", {reach.possibly:,} possibly" if reach.possibly else ""
        return header_text(f"{reach.affected:,}{of} affected{more}", look, "foreground")
    if reach.possibly:
        return header_text(f"{reach.possibly:,}{of} possibly affected", look, "foreground")
    if reach.never_run and facts.board.runs.is_on:
        return header_text(f"{reach.never_run:,}{of} never ran", look, "foreground")
    return [] if facts.board.is_save_running else header_text("changes no result", look, "quiet")


def effects_of_save(
    facts: Facts,
    look: Look,
    *,
    is_short: bool = False,
    is_shortest: bool = False,
    has_unchanged: bool = True,
) -> list[Segment]:
    """What the last save did; while that runs, how far it is has the place."""
    if facts.board.is_save_running:
        return []
    return effects(
        facts.board,
        look,
        ON,
        is_short=is_short,
        is_shortest=is_shortest,
        has_unchanged=has_unchanged,
        is_between=facts.is_between,
    )


def bound_of_rest(
    facts: Facts, look: Look, *, is_short: bool = False, has_key: bool = True
) -> list[Segment]:
    """`of 108 others at most 16 moved (95 %), R runs them`, short `≤16 of 108 others`: what those
    that were drawn tell of the rest."""
    ran = facts.board.ran_where_drawn if effects_of_save(facts, look) else None
    if ran is None or not (bound := ran.bound):
        return []
    if is_short:
        others = count(ran.left, "other")
        bound = f"{look.symbols.at_most}{ran.at_most:,} of {others}"
    elif has_key:
        bound = f"{bound}, R runs them"
    return header_text(bound, look, "foreground")


def why_reached(facts: Facts, look: Look) -> str:
    """Why the change made anything due, until what it did is said."""
    reach, save = facts.board.headline.reach, facts.board.headline.save
    is_asked = reach is not None and facts.trigger and not effects_of_save(facts, look)
    if reach is None or not is_asked:
        return ""
    are_cases_named = save is not None and bool(save.cases)
    if are_cases_named and reach.why == CASE_CHANGED:
        return ""  # the cause says which cases, and what changed in them
    return clip(reach.why, 36, look.symbols.cut)
