"""What a comparison looks at of one case."""

from collections.abc import Collection, Mapping
from typing import TypeAlias

from msgspec import Struct

from evaltui.traces.judge_row import JudgeRow

Asserted: TypeAlias = Mapping[str, Collection[str]]
"""By judge a print of each of its demands, 12 hex digits, sorted."""


class CaseRow(Struct, frozen=True, gc=False):
    case_id: str
    passed: bool
    hard_failed: bool = False
    judge_results: tuple[JudgeRow, ...] = ()
    group: str = ""
    """Of cases that belong together; packs of other programs tell none."""
    asserted: Mapping[str, tuple[str, ...]] | None = None
    """By judge a print of each of its demands; `None` where it is not known."""
