"""What a comparison looks at of one case."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from evaltui.core.agent_name import JUDGE
from evaltui.core.statistics.trials import Planned, Trials
from evaltui.core.verdict import CRITERIA, RUBRIC
from evaltui.traces.judge_row import JudgeRow

AGENT = "agent"
"""The judge that says whether there was an answer at all."""
Asserted: TypeAlias = Mapping[str, Collection[str]]
"""By judge a print of each of its demands, 12 hex digits, sorted."""
TIME_LIMIT, MULTISET, STUBS = "timeout_ms", "multiset_tools", "stubs"
TRIALS, MAX_TURNS = "trials", "maxTurns"
"""What is told beside the judges of how a case was run: it decides who passes too."""


class CaseRow(Struct, frozen=True, gc=False):
    case_id: str
    passed: bool
    hard_failed: bool = False
    judge_results: tuple[JudgeRow, ...] = ()
    group: str = ""
    """Of cases that belong together; packs of other programs tell none."""
    asserted: Mapping[str, tuple[str, ...]] | None = None
    """By judge a print of each of its demands; `None` where it is not known."""

    attempts: Trials | UnsetType = UNSET
    """Those that were judged; none of them where there was no answer. Not written of a single one,
    of which `passed` says it."""

    planned: Trials | UnsetType = UNSET
    """Those of them that were planned before the first answer; not written where all were."""

    erred: int | UnsetType = UNSET
    """Planned attempts that nobody could judge; written beside `planned`."""

    @property
    def as_planned(self) -> Planned:
        """What counts of it where a whole run is told of. Errors are none also where it is not
        known how many attempts were asked for."""
        if self._is_tried_once:
            return _PASSED_ONCE if self.passed else _FAILED_ONCE
        judged = self._planned
        if self.erred is not UNSET:  # else what was asked for tells it, which further ones are of
            return Planned(judged, self.erred)
        if self.asserted is None:
            return Planned(judged)
        further = self.asserted.get(TRIALS)  # one demand for each after the first
        if not further and self.attempts is UNSET:
            return Planned(judged)
        return Planned(judged, max(0, 1 + len(further or ()) - judged.count))

    @property
    def _is_tried_once(self) -> bool:
        """As most are; nobody asked for more."""
        is_single = self.attempts is UNSET and self.planned is UNSET and self.erred is UNSET
        return is_single and not (self.asserted and self.asserted.get(TRIALS))

    @property
    def _planned(self) -> Trials:
        if self.planned is not UNSET:
            return self.planned
        if self.attempts is UNSET:
            return _PASSED if self.passed else _FAILED
        return self.attempts

    @property
    def tells_demands(self) -> bool:
        """Whether it is known what was asserted. Packs and pins of early versions do not tell how
        the model was set that judged: from which score on a grade passes, by how many votes."""
        return self.asserted is not None and _tell_demands(tuple(self.asserted))

    @property
    def failed_judges(self) -> list[JudgeRow]:
        """Those that decided against it, in their order."""
        return [one for one in self.judge_results if not one.passed and not one.skipped]

    @property
    def contradiction(self) -> str:
        """How it and its judges differ, as the end of a sentence; empty where they do not."""
        failed = self.failed_judges
        is_passed = self.passed and not self.hard_failed and not failed
        if is_passed or not self.judge_results:
            return ""
        if self.passed is bool(failed):
            who = f"its judge `{failed[0].judge_id}` did not" if failed else "all its judges did"
            return f"{'passed' if failed else 'did not pass'}, though {who}"
        are_all_reported = all(one.hard_fail is not None for one in failed)
        hard = next((one.judge_id for one in failed if one.hard_fail), "")
        if are_all_reported and self.hard_failed is not bool(hard):
            who = f"its judge `{hard}` did" if hard else "none of its judges did"
            return f"{'did not fail' if hard else 'failed'} hard, though {who}"
        return ""


@lru_cache(maxsize=256)  # the cases of a suite have few sets of judges
def _tell_demands(judges: tuple[str, ...]) -> bool:
    is_by_model = any(one == CRITERIA or one.startswith(RUBRIC) for one in judges)
    return not is_by_model or JUDGE in judges


_PASSED, _FAILED = Trials(1, 0), Trials(0, 1)
_PASSED_ONCE, _FAILED_ONCE = Planned(_PASSED), Planned(_FAILED)
