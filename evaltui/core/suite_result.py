"""The results of suites, in the contract's terms."""

from collections.abc import Mapping

from msgspec import Struct

from evaltui.core.case import Tier
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult


class Summary(Struct, frozen=True, gc=False):
    """Counts of a whole suite: `failed` includes `errored` (contract B1)."""

    total_cases: int = 0
    passed: int = 0
    failed: int = 0
    errored: int = 0
    skipped_cases: int = 0
    nothing_asserted: int = 0
    """Those of `passed` that pass in files alone: see `status_that_counts`."""
    skipped_assertions: int = 0
    total_duration_ms: float = 0.0
    estimated_cost_usd: float | None = None


class SuiteResult(Struct, frozen=True, gc=False):
    """One suite after one run: everything of EvalSuiteResult except that cases are our own type."""

    suite: str
    run_id: str
    timestamp: str
    """ISO 8601, UTC."""
    tier: Tier
    tool_name: str
    agent: str
    endpoint: str
    metadata: Mapping[str, Json]
    """`toolVersion`, `descriptionHash`, `registrySize`, `evalFileHash`: current values."""
    cases: tuple[CaseResult, ...]
    summary: Summary
    staleness_warnings: tuple[str, ...] = ()
    stale: bool = False
    baseline_run_id: str | None = None
    regressions: tuple[str, ...] = ()
    new_passes: tuple[str, ...] = ()
    errored: tuple[str, ...] = ()
    settings: str = ""
    """What the agent's results cannot be read without: `calls a tool from p ≥ 0.40`."""
