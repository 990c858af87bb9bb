"""What `evaltui baseline` prints: one row for each pin, action or change, as words or as JSON."""

import time
from collections.abc import Container, Iterator, Mapping
from datetime import UTC, datetime

from evaltui.core.baseline import Change, judge_change
from evaltui.core.case import CaseKey
from evaltui.core.proof import evidence_in_words, why_fallen
from evaltui.session import Session
from evaltui.store.row import Row
from evaltui.store.row_status import RowMark, RowStatus
from evaltui.tui.render.pin_age import pin_age

NOTHING = {
    "pin": "Nothing was pinned.",
    "unpin": "Nothing was pinned under that name.",
    "move": "Nothing is left behind under an old name.",
    "list": "Nothing is pinned. `evaltui baseline pin` pins the last results.",
    "diff": "No case changed against the baseline.",
}
"""By action."""
NOT_COMPARED = "not compared"
"""The `change` of a pinned case whose last result is an error."""


def changes_of(session: Session, agent: str, keys: Container[CaseKey]) -> list[dict[str, object]]:
    """What regressed or moved and what passes by now, as on the board, and what ended in an error,
    so that it is not compared; muted cases never do. `change` is that of the result files; of what
    they do not list, as a case that was pinned with some failures, it is the word of the board."""
    rows = [row for key, row in session.store.board(agent).rows.items() if key in keys]
    changed = (
        (True, [row for row in rows if row.regressed or row.moved]),
        (False, [row for row in rows if row.improved or row.moved_up]),
    )
    return [
        {
            "change": row.against.value if listed is Change.SAME else listed.value,
            "agent": agent,
            "case": str(row.key),
            "reason": why_fallen(row.result) if has_fallen else row.result.error,
            **_evidence(row),
        }
        for has_fallen, found in changed
        for row in found
        if row.result is not None and row.against is not None
        for listed in [judge_change(row.baseline, row.result)]
    ] + [
        {
            "change": NOT_COMPARED,
            "agent": agent,
            "case": str(row.key),
            "reason": row.result.error,
        }
        for row in rows
        if row.result is not None and _lacks_verdict(row)
    ]


def _lacks_verdict(row: Row) -> bool:
    """Whether it is pinned and ended in an error, and no trials say how it stands."""
    return row.is_comparable and row.status is RowStatus.ERROR and row.against is None


def _evidence(row: Row) -> dict[str, object]:
    """What its trials say, where there is something to say."""
    if row.proof is None:
        return {}
    said = evidence_in_words(row.proof, has_moved=row.may_be_worse)
    return {"evidence": said} if said else {}


def marks_of(session: Session) -> dict[tuple[object, object], RowMark]:
    """How cases of an agent stand against their baseline, as on the board."""
    return {
        (agent, str(row.key)): row.against
        for agent, board in session.store.boards.items()
        for row in board.rows.values()
        if row.against is not None
    }


def document(row: dict[str, object]) -> dict[str, object]:
    """With the first and the last moment of its pins."""
    if not isinstance(moments := row.get("pinned"), dict):
        return row
    known = [datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds") for at in moments if at]
    return {**row, "pinned": {"from": known[0], "to": known[-1]} if known else None}


def words(row: dict[str, object], marks: Mapping[tuple[object, object], RowMark]) -> Iterator[str]:
    """A change of an agent that may answer otherwise the next time is called as on the board."""
    if mark := marks.get((row["agent"], row.get("case"))):
        row = {**row, "change": mark.value}
    for name, value in row.items():
        said = pin_age(value, time.time()) if isinstance(value, dict) else str(value)
        said += " trials" if name == "trials" else ""
        if said:
            yield said
