"""Reports read again to be shown to people: all of a comparison, and a replay."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from evaltui.evidence.compared.compare_report import CompareReport


class JudgeDelta(Struct, frozen=True):
    judge_id: str = ""
    baseline: float | None = None
    candidate: float | None = None
    delta: float | None = None


class Cluster(Struct, frozen=True):
    """A kind of failure, and how often it is found on either side."""

    cluster: str = ""
    baseline_count: int = 0
    candidate_count: int = 0
    delta: int = 0
    suggested_fix: str = ""


class Clusters(Struct, frozen=True):
    delta_ranked: tuple[Cluster, ...] = ()


class Triage(Struct, frozen=True):
    top_clusters: tuple[Cluster, ...] = ()


class Impact(Struct, frozen=True):
    impact_level: str = ""
    impact_score: float = 0.0
    recommendation: str = ""


class Paired(Struct, frozen=True):
    text: tuple[str, ...] = ()


class WholeReport(CompareReport, frozen=True):
    """The report of `compare` with what is only shown."""

    paired: Paired | None = None
    top_regressed_judges: tuple[JudgeDelta, ...] = ()
    failure_clusters: Clusters = Clusters()
    release_impact: Impact | None = None
    triage: Triage = Triage()


class Pin(Struct, frozen=True):
    """What was pinned of the environment, and is another now."""

    key: str = ""
    pinned: Any = None
    current: Any = None


class ShownDecision(Struct, frozen=True):
    """What `gate` decided, and about which runs."""

    passed: bool
    failures: tuple[str, ...] = ()
    baseline_run_id: str | None = None
    candidate_run_id: str | None = None
    compare_generated_at: str | None = None
    compare_content: str | None = None
    thresholds: Mapping[str, Any] | None = None
    waiver_refs: list[Any] | None = None
    warnings: tuple[str, ...] = ()
    regressed_cases_considered: int | None = None
    new_hard_fail_cases_considered: int | None = None


class ReplayReport(Struct, frozen=True):
    """Of either kind of replay."""

    replay_passed: bool = False
    execution_replay_passed: bool = False
    summary_match: bool = False
    case_mismatches: tuple[Mapping[str, Any], ...] = ()
    env_mismatches: tuple[Pin, ...] = ()

    @property
    def has_passed(self) -> bool:
        return self.replay_passed or self.execution_replay_passed


def known_fields(report: Struct) -> dict[str, Any]:
    """What it tells, by the keys of its file."""
    return {key: value for key, value in asdict(report).items() if value is not None}
