"""The shape that a pack's files must have to be compared and judged again."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from evaltui.evidence.compared.compare_report import report_of
from evaltui.traces.judge_row import WholeRow

AGENT_RUN = "agent_run"
"""The execution mode of a pack of eval files: its verdicts are no judges' of traces."""


class KeptSummary(Struct, frozen=True):
    """`run/summary.json`; `None` where another program does not tell it."""

    run_id: str | None = None
    dataset_id: str | None = None
    total_cases: int | None = None
    passed_cases: int | None = None
    hard_fail_cases: int | None = None
    pass_rate: float | None = None
    hard_fail_rate: float | None = None
    judge_pass_rates: Mapping[str, float | None] | None = None


class KeptConfig(Struct, frozen=True):
    """`run/config.json`."""

    run_id: str | None = None
    dataset_id: str | None = None
    judges: tuple[str, ...] | None = None
    judge_configs: Mapping[str, Any] | None = None
    execution_mode: str | None = None
    execution_config: Mapping[str, Any] | None = None
    pinned_env: Mapping[str, Any] | None = None
    judge_code: Mapping[str, tuple[str, ...]] | None = None


class KeptVerdicts(Struct, frozen=True):
    """`verdicts.json` of a case."""

    case_id: str
    judge_results: tuple[WholeRow, ...] = ()


def held(raw: dict[str, Any], kind: type[Struct], file: str, below: str = "") -> dict[str, Any]:
    """As it is, with all of its keys: a replay holds whole values against each other.

    Raises SuiteMistake with file and field for what is of another shape.
    """
    report_of(raw, kind, file, below)
    return raw
