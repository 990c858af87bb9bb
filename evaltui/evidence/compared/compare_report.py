"""The part of a `compare` report that is read again: what decides about a release."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import fields

from evaltui.core.fingerprint import fingerprint
from evaltui.disk.codec import convert
from evaltui.traces.mistakes import SuiteMistake, refusal_of
from evaltui.traces.reading import decode_file

T = TypeVar("T")
OF_THE_FILE = frozenset({"generated_at", "baseline_reference", "packs"})
"""What differs between two reports of the same packs."""


class Check(Struct, frozen=True):
    name: str = ""
    passed: bool = False


class Compatibility(Struct, frozen=True):
    """Whether the two runs can be compared."""

    passed: bool = False
    checks: tuple[Check, ...] = ()
    failures: tuple[str, ...] = ()


class Metric(Struct, frozen=True):
    """One number of both sides; `None` where a side does not tell it."""

    name: str = ""
    baseline: float | None = None
    candidate: float | None = None
    delta: float | None = None


class Measured(Metric, frozen=True):
    """What the cases of a side took, and how many of them tell it."""

    baseline_cases: int | None = None
    candidate_cases: int | None = None


class Overview(Struct, frozen=True):
    """`None` where it is not told."""

    total_baseline_cases: int | None = None
    total_candidate_cases: int | None = None
    regressed_cases: int | None = None
    improved_cases: int | None = None
    new_hard_fail_cases: int | None = None
    resolved_hard_fail_cases: int | None = None
    risk_level: str | None = None


class CaseChange(Struct, frozen=True):
    """A case whose verdict changed; what does not say that it is no worse is worse."""

    case_id: str = ""
    regressed: bool = True
    improved: bool | None = None
    baseline_passed: bool | None = None
    """`None` also for a side without the case, as the three below."""
    candidate_passed: bool | None = None
    baseline_hard_failed: bool | None = None
    candidate_hard_failed: bool | None = None
    judge_score_deltas: Mapping[str, Metric] = field(default_factory=dict)


class ScoreDrop(Struct, frozen=True):
    """A score that fell in a case that failed before and now."""

    case_id: str = ""
    judge_id: str = ""


class Aggregate(Struct, frozen=True):
    """The rates of the candidate once more."""

    pass_rate: float | None = None
    hard_fail_rate: float | None = None
    regression_delta: float | None = None


class CaseChecks(Struct, frozen=True):
    """Some of what a case asserts."""

    case_id: str = ""
    judges: tuple[str, ...] = ()
    """Whose demands those are."""


class ComparedPack(Struct, frozen=True):
    """Where a pack lay when it was compared, and what its manifest was, which names all hashes."""

    path: str
    manifest_sha256: str | None = None


class ComparedPacks(Struct, frozen=True):
    """`None` for a side that is no pack, and in reports of other programs."""

    baseline: ComparedPack | None = None
    candidate: ComparedPack | None = None


class Reference(Struct, frozen=True):
    """How the baseline was named."""

    input: str | None = None
    resolved_path: str | None = None


class CompareReport(Struct, frozen=True):
    """`None` where a part is missing: nothing is known of it."""

    baseline_run_id: str | None = None
    candidate_run_id: str | None = None
    dataset_id: str | None = None
    generated_at: str | None = None
    compatibility: Compatibility | None = None
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    judge_metrics: Mapping[str, Metric] = field(default_factory=dict)
    measurements: Mapping[str, Measured] = field(default_factory=dict)
    case_regressions: tuple[CaseChange, ...] | None = None
    cases_compared: bool = True
    lost_checks: tuple[CaseChecks, ...] = ()
    """What cases assert less than they did, or otherwise."""
    unknown_checks: tuple[str, ...] = ()
    """Cases that may assert less than they did, or something else: a side does not say."""
    unreached_checks: tuple[CaseChecks, ...] = ()
    """What was judged in the baseline, and is asserted as there: another judge ended the case."""
    changed_code: tuple[str, ...] = ()
    """Evaluators and judges of a project's own whose code is another than it was."""
    score_regressions: tuple[ScoreDrop, ...] | None = None
    new_hard_fail_case_ids: tuple[str, ...] | None = None
    resolved_hard_fail_case_ids: tuple[str, ...] | None = None
    regressions: tuple[str, ...] | None = None
    """What became worse, in the words of `regressions_of`."""
    aggregate_result: Aggregate = Aggregate()
    overview: Overview = Overview()
    baseline_reference: Reference | None = None
    packs: ComparedPacks = ComparedPacks()

    @property
    def content(self) -> str:
        """A print of what was compared and what came of it: the same whenever it is made again, and
        by whatever name or path of the same baseline."""
        names = (one.name for one in fields(CompareReport) if one.name not in OF_THE_FILE)
        packs = (self.packs.baseline, self.packs.candidate)
        hashes = [None if one is None else one.manifest_sha256 for one in packs]
        told = {name: getattr(self, name) for name in names}
        return fingerprint(msgspec.to_builtins([told, hashes]))


def read_report(path: Path, kind: type[T]) -> T:
    """A report of some kind. Raises OSError, and SuiteMistake with file and field if damaged."""
    return report_of(decode_file(path), kind, str(path))


def report_of(raw: Any, kind: type[T], file: str = "", below: str = "") -> T:
    """From plain values, which stand at the key `below`. Raises SuiteMistake with the field."""
    try:
        return convert(raw, kind)
    except msgspec.ValidationError as error:
        wrong = refusal_of(error, file, below)
        what, hint = f"the report is damaged: {wrong.said}", "Write it again with its command."
        raise SuiteMistake(file, wrong.key, what, hint) from None
