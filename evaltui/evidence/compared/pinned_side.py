"""What is pinned, as one side of a comparison: what passed, and what was asserted."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from evaltui.core.baseline import BaselineCase
from evaltui.core.result import CaseStatus
from evaltui.evidence.case_row import Asserted, CaseRow
from evaltui.evidence.compared.counted_cases import as_counted
from evaltui.evidence.compared.side import Side

NOTHING: Mapping[str, Any] = MappingProxyType({})


def pinned_row(id_: str, then: BaselineCase, asserted: Asserted | None) -> CaseRow:
    """`then`: what the pin came to; `asserted`: `None` where the pin does not tell it, as those of
    older versions."""
    passed = then.status is CaseStatus.PASSED
    checks = None if asserted is None else {name: tuple(one) for name, one in asserted.items()}
    row = CaseRow(id_, passed, not passed, asserted=checks, attempts=then.judged)
    if then.planned is None:
        return row
    return replace(row, planned=then.as_planned.judged, erred=then.as_planned.erred)


def pinned_side(
    rows: Sequence[CaseRow],
    run_id: str,
    dataset: str,
    config: Mapping[str, Any] = NOTHING,
    place: Path = Path(),
) -> Side:
    """Of its judges no more is known than what they asserted."""
    summary = as_counted({"run_id": run_id, "dataset_id": dataset}, rows, place)
    return Side(place, summary, config, {row.case_id: row for row in rows})
