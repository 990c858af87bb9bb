"""The views that one key goes through: all, problems, regressions, stale, flaky."""

from collections.abc import Collection
from enum import StrEnum

from evaltui.core.case import CaseKey
from evaltui.store.row import Row, RowStatus

PROBLEMS = frozenset({RowStatus.REGRESSED, RowStatus.FAILED, RowStatus.ERROR})


class View(StrEnum):
    """What `F` cycles through."""

    ALL = "all"
    DIFFERS = "differs"
    """Agents disagree on it; only where there are several."""
    PROBLEMS = "problems"
    REGRESSIONS = "regressions"
    STALE = "stale"
    FLAKY = "flaky"

    def shows(self, row: Row, differing: Collection[CaseKey] = ()) -> bool:
        match self:
            case View.ALL:
                return True
            case View.DIFFERS:
                return row.key in differing
            case View.PROBLEMS:
                return row.status in PROBLEMS
            case View.REGRESSIONS:
                return row.regressed
            case View.STALE:
                return row.is_stale
            case View.FLAKY:
                return row.is_flaky

    def next(self, *, is_several: bool = False) -> "View":
        views = [view for view in View if is_several or view is not View.DIFFERS]
        return views[(views.index(self) + 1) % len(views)]
