"""What cases assert less than in the baseline, or otherwise, and how that is said."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from evaltui.core.verdict import Kind
from evaltui.evidence.case_row import (
    AGENT,
    MAX_TURNS,
    MULTISET,
    STUBS,
    TIME_LIMIT,
    TRIALS,
    Asserted,
    CaseRow,
)

MOST_NAMED = 20
SETTINGS: Mapping[str, str] = {
    TIME_LIMIT: "the time limit is another than in the baseline (`timeout_ms`)",
    MULTISET: "repeated calls counted in the baseline and do not now (`multiset_tools`)",
    STUBS: "`stubs` answer for tools otherwise than in the baseline",
    TRIALS: "fewer attempts than in the baseline, any of which can fail a case (`trials`)",
    MAX_TURNS: "the agent has another number of turns than in the baseline (`maxTurns`)",
}
"""What is told beside the judges, of how a case was run; the cases follow."""


def lost(before: Asserted | None, after: Asserted | None) -> list[str]:
    """Judges that demand less now, or something else; more of the same is no loss.

    `None` before: nothing is known that could be lost; after: all may be.
    """
    if before == after:
        return []
    after = after or {}
    return [name for name, was in (before or {}).items() if not {*was} <= {*after.get(name, ())}]


def cases_with_less(
    before: Mapping[str, CaseRow], after: Mapping[str, CaseRow]
) -> Iterator[dict[str, Any]]:
    """Cases that assert less than they did, or something else: no verdict says so. Of a side that
    tells nothing of its judges nothing is told of what they held either."""
    for id_, was in sorted(before.items()):
        is_ = after.get(id_)
        if is_ is None or not is_.judge_results:
            continue
        if (names := lost(was.asserted, is_.asserted)) and was.tells_demands:
            yield {"case_id": id_, "judges": names}


def cases_unreached(
    before: Mapping[str, CaseRow], after: Mapping[str, CaseRow]
) -> Iterator[dict[str, Any]]:
    """Cases that a judge ended before all had judged that did in the baseline, and that demand the
    same as then: what was not reached is no worse, and nothing was taken away."""
    for id_, was in sorted(before.items()):
        is_ = after.get(id_)
        if is_ is None or all(one.judge_id == AGENT for one in is_.failed_judges):
            continue
        asked = {one.judge_id for one in is_.judge_results}
        gone = {*asked, *lost(was.asserted, is_.asserted)}
        kept = (is_.asserted or {}).keys() - gone
        judged = (one for one in was.judge_results if one.kind is Kind.ASSERTION)
        if names := [one.judge_id for one in judged if one.judge_id in kept and not one.skipped]:
            yield {"case_id": id_, "judges": names}


def cases_unknown(before: Mapping[str, CaseRow], after: Mapping[str, CaseRow]) -> list[str]:
    """Cases of which a side does not say what they assert, sorted: it may be less than it was."""
    both = ((id_, was, after[id_]) for id_, was in before.items() if id_ in after)
    return sorted(
        id_
        for id_, was, is_ in both
        if not was.tells_demands or (is_.asserted is None and not is_.judge_results)
    )


def less_asserted(found: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Sentences about cases and their judges that demand less: one about what they assert, and one
    about each setting."""
    rows = [*found]
    named = [(id_, [one for one in names if one not in SETTINGS]) for id_, names in rows]
    if cases := [f"{id_} ({', '.join(names)})" for id_, names in named if names]:
        yield f"cases assert less than in the baseline, or other things: {in_short(cases)}"
    for name, said in SETTINGS.items():
        if cases := [id_ for id_, names in rows if name in names]:
            yield f"{said}: {in_short(cases)}"


def may_assert_less(unknown: Sequence[str], *, are_cases_known: bool) -> str:
    """What is not known of the checks of cases; empty where all is. `are_cases_known`: whether both
    sides tell of their cases."""
    if not are_cases_known:
        return (
            "one side says nothing about its cases, which may assert less now: compare whole packs"
        )
    why = "it is not known whether cases assert less than in the baseline (run or pin them again)"
    return f"{why}: {in_short(unknown)}" if unknown else ""


def in_short(names: Sequence[str]) -> str:
    """As many as a reason has room for; the report has them all."""
    more = f" and {len(names) - MOST_NAMED} more" if names[MOST_NAMED:] else ""
    return ", ".join(names[:MOST_NAMED]) + more
