"""Judges of traces: JUDGES, a line each."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaltui.core.check import Stage
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UserError
from evaltui.core.json_value import JsonObject
from evaltui.traces.judges.expected_output import (
    ExactJudge,
    ExpectedOutputJudge,
    JsonSubsetJudge,
    NormalizedJudge,
    NumericJudge,
    SetJudge,
)
from evaltui.traces.judges.json_schema import JsonSchemaJudge
from evaltui.traces.judges.judge import Judge
from evaltui.traces.judges.lean import LeanJudge
from evaltui.traces.judges.limits import (
    CostBudgetJudge,
    LatencySloJudge,
    LoopGuardJudge,
    RetryStormJudge,
)
from evaltui.traces.judges.policy import PolicyJudge
from evaltui.traces.judges.regex import RegexJudge
from evaltui.traces.judges.repair_path import RepairPathJudge
from evaltui.traces.judges.replay_contract import ReplayContract
from evaltui.traces.judges.tool_contract import ToolContractJudge
from evaltui.traces.judges.trajectory_step import TrajectoryStepJudge

JUDGES: Mapping[str, type[Judge]] = {
    judge.name: judge
    for judge in (
        ToolContractJudge,
        PolicyJudge,
        TrajectoryStepJudge,
        RegexJudge,
        JsonSchemaJudge,
        RepairPathJudge,
        LeanJudge,
        ExpectedOutputJudge,
        ExactJudge,
        NormalizedJudge,
        NumericJudge,
        SetJudge,
        JsonSubsetJudge,
        CostBudgetJudge,
        LatencySloJudge,
        RetryStormJudge,
        LoopGuardJudge,
    )
}
RULES = "evaltui-1"
"""The version of how traces are judged: raise it when a trace can get other words or another
verdict. Packs of another version are replayed by their verdicts alone."""
DEFAULT = ("tool_contract", "policy", "trajectory_step", "regex", "json_schema")
"""Who judges where nobody is named, besides `expected_output` where nothing else is said of it."""


def stage_of(names: Sequence[str] = (), configs: Mapping[str, Any] | None = None) -> Stage:
    """The replay contract, then the judges in this order. Raises UserError for an unknown one."""
    wanted = names or (*DEFAULT, ExpectedOutputJudge.name)
    return (ReplayContract({}), *(_made(name, configs or {}) for name in dict.fromkeys(wanted)))


def _made(name: str, configs: Mapping[str, Any]) -> Judge:
    if name not in JUDGES:
        hint = did_you_mean(name, JUDGES) or f"There are {', '.join(JUDGES)}."
        raise UserError(f"There is no judge `{name}`.", hint)
    config: JsonObject = configs.get(name) or {}
    if not isinstance(config, Mapping):
        raise UserError(f"The settings of the judge `{name}` are no object.", "Write `{…}`.")
    return JUDGES[name](config)
