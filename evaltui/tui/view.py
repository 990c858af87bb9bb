"""The views that one key goes through: all, problems, regressions, due, outdated, flaky, muted."""

from collections.abc import Collection
from enum import StrEnum

from evaltui.core.case import CaseKey
from evaltui.store.row import Row, RowStatus

PROBLEMS = frozenset({RowStatus.FAILED, RowStatus.ERROR})


class View(StrEnum):
    """What `F` cycles through."""

    ALL = "all"
    DIFFERS = "differs"
    """Agents disagree on it; only where there are several."""
    PROBLEMS = "problems"
    REGRESSIONS = "regressions"
    DUE = "due"
    OUTDATED = "outdated"
    FLAKY = "flaky"
    MUTED = "muted"

    def shows(self, row: Row, differing: Collection[CaseKey] = ()) -> bool:
        match self:
            case View.ALL:
                return True
            case View.DIFFERS:
                return row.key in differing
            case View.PROBLEMS:
                return row.status in PROBLEMS
            case View.REGRESSIONS:
                return row.regressed or row.moved
            case View.DUE:
                return row.is_due
            case View.OUTDATED:
                return row.is_outdated
            case View.FLAKY:
                return row.is_flaky
            case View.MUTED:
                return bool(row.muted)

    def next(self, *, is_several: bool = False) -> "View":
        views = [view for view in View if is_several or view is not View.DIFFERS]
        return views[(views.index(self) + 1) % len(views)]
