"""The views of the cases: all, problems, regressions, due, outdated, flaky, muted."""

from collections.abc import Collection
from enum import StrEnum

from evaltui.core.case import CaseKey
from evaltui.store.row import Row


class View(StrEnum):
    """What `F` offers."""

    ALL = "all"
    DIFFERS = "differs"
    """Agents disagree on it; only where there are several."""
    SAVE = "this save"
    """What ran because of the last save, or key."""
    PROBLEMS = "problems"
    REGRESSIONS = "regressions"
    DUE = "due"
    OUTDATED = "outdated"
    FLAKY = "flaky"
    MUTED = "muted"

    @property
    def letter(self) -> str:
        """Chooses it in the menu."""
        return _LETTERS[self]

    def shows(self, row: Row, differing: Collection[CaseKey] = ()) -> bool:
        match self:
            case View.ALL:
                return True
            case View.DIFFERS:
                return row.key in differing
            case View.SAVE:
                return row.is_of_save
            case View.PROBLEMS:
                return row.is_failing
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

    @classmethod
    def among(cls, *, is_several: bool) -> tuple["View", ...]:
        """Those that make sense with one agent, or with several."""
        return tuple(view for view in cls if is_several or view is not View.DIFFERS)


_LETTERS = {
    View.ALL: "a",
    View.DIFFERS: "x",
    View.SAVE: "s",
    View.PROBLEMS: "p",
    View.REGRESSIONS: "r",
    View.DUE: "d",
    View.OUTDATED: "o",
    View.FLAKY: "f",
    View.MUTED: "m",
}
