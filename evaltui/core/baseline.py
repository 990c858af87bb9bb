"""Comparing a suite's results with an earlier run of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evaltui.core.result import CaseResult, CaseStatus


@dataclass(frozen=True, slots=True)
class BaselineCase:
    """What a baseline remembers of one case."""

    status: CaseStatus
    pass_rate: float | None = None
    """Share of passed attempts when there were several; `None` for a single one."""
    trials: int = 1


@dataclass(frozen=True, slots=True)
class Baseline:
    """A pinned or named earlier result of one suite; `cases` is by case id."""

    suite: str
    run_id: str
    name: str
    cases: Mapping[str, BaselineCase]
    pinned_at: float = 0.0
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Case ids whose verdict moved; errors are listed apart and never as regressions (B1)."""

    suite: str
    baseline_run_id: str
    regressions: tuple[str, ...]
    new_passes: tuple[str, ...]
    errored: tuple[str, ...]


def compare(suite: str, baseline: Baseline, cases: Iterable[CaseResult]) -> Comparison:
    """Passed then and failed now: regression; failed then and passed now: new pass.

    A case that stands on one side only makes no note (contract A52).
    """
    regressions: list[str] = []
    new_passes: list[str] = []
    errored: list[str] = []
    for case in cases:
        if case.status is CaseStatus.ERROR:
            errored.append(case.key.case)
        then = baseline.cases.get(case.key.case)
        if then is None:
            continue
        if then.status is CaseStatus.PASSED and case.status is CaseStatus.FAILED:
            regressions.append(case.key.case)
        elif then.status in _NOT_PASSED and case.status is CaseStatus.PASSED:
            new_passes.append(case.key.case)
    return Comparison(suite, baseline.run_id, tuple(regressions), tuple(new_passes), tuple(errored))


_NOT_PASSED = frozenset({CaseStatus.FAILED, CaseStatus.ERROR})
