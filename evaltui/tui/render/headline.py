"""What the last save did, in one line: `move-event.tool.ts description · 12 ran · 1 worse`."""

from collections.abc import Mapping, Sequence

from rich.segment import Segment

from evaltui.core.comparison import CHANGED, Effect, RunChanges
from evaltui.core.effect_words import AT_TIMES, in_words, ran_in_words
from evaltui.core.tool import how_many_gone
from evaltui.store.board import Board
from evaltui.store.save_view import SaveView
from evaltui.tui.render.clip import clip
from evaltui.tui.render.glyphs import EFFECT
from evaltui.tui.render.look import Look

LONGEST = 40
"""Cells of what changed in the cases."""


def cause(save: SaveView | None, trigger: Sequence[str], look: Look, *, most: int = 2) -> str:
    """The files that were saved and what changed in them, or why cases ran where that was a key."""
    cut = look.symbols.cut
    reason = save.reason if save is not None else ""
    if not trigger:
        return clip(reason, 32, cut)
    cases = clip(", ".join(save.cases), LONGEST, cut) if save is not None else ""
    files = files_named(trigger, cut, most)
    said = (files, *removed(save), _fields(save, trigger, reason), cases)
    return " ".join(part for part in said if part)


def files_named(files: Sequence[str], cut: str, most: int = 2) -> str:
    """`move-event.tool.ts find_order.golden.json +1`: so many by their names, and how many more."""
    names = [clip(path.rsplit("/", 1)[-1], 28, cut) for path in files]
    more = [f"+{len(names) - most}"] if len(names) > most else []
    return " ".join((*names[:most], *more))


def removed(save: SaveView | None) -> tuple[str, ...]:
    """`find_order renamed to find_parcel`; `removed`, where its file went too, which is named;
    `3 tools removed`."""
    if save is None or not save.gone:
        return ()
    if len(save.gone) > 1:
        return (how_many_gone(save.gone),)
    (gone,) = save.gone
    return ("removed",) if gone.with_file else (str(gone),)


def _fields(save: SaveView | None, trigger: Sequence[str], reason: str) -> str:
    """`description, version`: what changed in tools of these files, which are named already. Of the
    past, and of a tool that imports what was saved, only the run's reason says it."""
    tools = save.tools.values() if save is not None else ()
    fields = dict.fromkeys(
        field for tool in tools if tool.now.file in trigger for field in tool.fields
    )
    if fields:
        return ", ".join(fields)
    what, _, changed = reason.partition(" ")
    _, dot, field = what.rpartition(".")
    return field if dot and changed.startswith("changed") else ""


def effects(
    board: Board,
    look: Look,
    on: str,
    *,
    is_short: bool = False,
    is_shortest: bool = False,
    has_unchanged: bool = True,
    is_between: bool = False,
) -> list[Segment]:
    """`12 ran · 1 judged again · 1 worse · 0 better`, of 13 cases; short: only what is not as
    before; shortest: the first of that, `1 worse`. Between two moments `13 compared`, whichever
    runs lie there. Without those that are unchanged: as when short, and how many failed at times.

    Empty when nothing ran. In full the parts add up to those that ran: of muted ones nothing but
    their number is said.
    """
    counts = board.counts.all
    if not counts.ran:
        return []
    quiet = look.style("quiet", on)
    is_short = is_short or is_shortest
    ran = ran_in_words(counts.ran, counts.rejudged)
    if is_between:
        ran = [f"{counts.ran:,} compared"]
    ran = [] if is_short or not has_unchanged else ran
    if ran and (of_all := board.ran_where_drawn) is not None:
        ran[0] = of_all.words
    parts = [Segment(words, quiet) for words in ran]
    said = in_words(counts.by_effect, counts.ran_muted, counts.new_failed, counts.at_times)
    if is_shortest:
        first = next((one for one in Effect if one in CHANGED and counts.by_effect[one]), None)
        first = first or (Effect.NEW if counts.new_failed else Effect.WORSE)
        said = {one: words for one, words in said.items() if one is first}
    if not has_unchanged:
        stay = CHANGED | {AT_TIMES, *([Effect.NEW] if counts.new_failed else [])}
        said = {one: words for one, words in said.items() if one in stay}
    failed = counts.new_failed
    parts += _parts(said, counts.by_effect, failed, look, on, is_short=is_short)
    return _separated(parts, look, on)


def effects_of_run(
    changes: RunChanges,
    look: Look,
    on: str,
    *,
    is_short: bool = False,
    has_unchanged: bool = True,
) -> list[Segment]:
    """`1 worse · 0 better · 8 as before`, as a run told itself at its end; short: only what is not
    as before, and how many failed at times. Empty where it told nothing."""
    counts, failed = changes.counts, changes.new_failed
    said = in_words(counts, changes.muted, failed, changes.at_times)
    if not has_unchanged or is_short:
        said.pop(Effect.AS_BEFORE, None)
    if is_short:
        said = {
            one: words for one, words in said.items() if not isinstance(one, Effect) or counts[one]
        }
        said.pop("muted", None)
    return _separated(_parts(said, counts, failed, look, on, is_short=False), look, on)


def _parts(
    said: Mapping[Effect | str, str],
    counts: Mapping[Effect, int],
    failed: int,
    look: Look,
    on: str,
    *,
    is_short: bool,
) -> list[Segment]:
    """`failed`: how many of the new ones."""
    parts, quiet = list[Segment](), look.style("quiet", on)
    for effect, words in said.items():
        if effect is Effect.NEW and failed:
            parts.append(Segment(words, look.style(EFFECT[Effect.WORSE], on, bold=True)))
            continue
        if not isinstance(effect, Effect) or effect not in CHANGED:
            parts += [] if is_short else [Segment(words, quiet)]
            continue
        is_some = counts[effect] > 0
        variable = EFFECT[effect] if is_some else "quiet"
        parts.append(Segment(words, look.style(variable, on, bold=is_some)))
    return parts


def _separated(parts: Sequence[Segment], look: Look, on: str) -> list[Segment]:
    between = Segment(f" {look.symbols.separator} ", look.style("quiet", on))
    return [segment for part in parts for segment in (between, part)][1:]
