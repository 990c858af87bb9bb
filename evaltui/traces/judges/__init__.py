"""Judges of traces: JUDGES, a line each."""

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from evaltui.core.case import TraceCase
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
from evaltui.traces.judges.plugin import PluginJudge, is_plugin
from evaltui.traces.judges.policy import PolicyJudge
from evaltui.traces.judges.prompt_injection import PromptInjectionJudge
from evaltui.traces.judges.regex import RegexJudge
from evaltui.traces.judges.repair_path import RepairPathJudge
from evaltui.traces.judges.replay_contract import ReplayContract
from evaltui.traces.judges.tool_abuse import ToolAbuseJudge
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
        ToolAbuseJudge,
        PromptInjectionJudge,
    )
}
RULES = "evaltui-10"
"""The version of how traces are judged: raise it when a trace can get other words or another
verdict. Packs of another version are replayed by their verdicts alone."""
DEFAULT = ("tool_contract", "policy", "trajectory_step", "regex", "json_schema")
"""Who judges where nobody is named, besides `expected_output` where nothing else is said of it."""


def stage_of(
    names: Sequence[str] = (), configs: Mapping[str, Any] | None = None, root: Path | None = None
) -> Stage:
    """The replay contract, then the judges in this order; those of others come from `root`, the
    current folder without it, and run while the stage is `opened`.

    Raises UserError for an unknown one.
    """
    wanted = _applied(names)
    refuse_unknown(wanted, root or Path.cwd())
    made = (_made(name, configs or {}, root or Path.cwd()) for name in dict.fromkeys(wanted))
    return (ReplayContract({}), *made)


def unused_settings(names: Sequence[str], configs: Mapping[str, Any]) -> tuple[str, ...]:
    """A sentence about settings that hold nothing, since nobody applies their judges; maybe none.

    It names all judges to be applied then: naming one alone leaves the others out.
    """
    applied = _applied(names)
    unused = [name for name, config in configs.items() if config and name not in applied]
    if not unused:
        return ()
    what = f"The settings of `{'`, `'.join(unused)}` are not used: no such judge is applied."
    wanted = " ".join(f"--judge {name}" for name in dict.fromkeys((*applied, *unused)))
    return (f"{what} Apply it: `{wanted}`.",)


def _applied(names: Sequence[str]) -> Sequence[str]:
    return names or (*DEFAULT, ExpectedOutputJudge.name)


def refuse_unknown(names: Iterable[str], root: Path) -> None:
    """Raises UserError for a name that is that of no judge."""
    for name in names:
        if name not in JUDGES and not is_plugin(name, root):
            hint = did_you_mean(name, JUDGES)
            hint = hint or f"There are {', '.join(JUDGES)}, and `module:Class`."
            raise UserError(f"There is no judge `{name}`.", hint)


def default_judges(case: TraceCase) -> Sequence[str]:
    """Who judges a case where nobody is named: who looks at what is expected of the output is told
    of only where that is for it to judge, on the board as in a pack."""
    name = ExpectedOutputJudge.name
    return (*DEFAULT, name) if ExpectedOutputJudge.is_asked(case) else DEFAULT


def plugins_among(names: Sequence[str], root: Path) -> tuple[str, ...]:
    """Those that are code of somebody else's."""
    return tuple(name for name in names if name not in JUDGES and is_plugin(name, root))


@asynccontextmanager
async def opened(stage: Stage) -> AsyncIterator[None]:
    """Judges of others are loaded, and ended after it. Raises UserError where one cannot be."""
    plugins = [judge for judge in stage if isinstance(judge, PluginJudge)]
    try:
        for judge in plugins:
            await judge.open()
        twice = [name for name, count in Counter(one.name for one in stage).items() if count > 1]
        if plugins and twice:
            what = f"Two judges call themselves `{twice[0]}`."
            raise UserError(what, "Change the `judge_id` of one of them.")
        yield
    finally:
        for judge in plugins:
            await judge.close()


def _made(name: str, configs: Mapping[str, Any], root: Path) -> Judge:
    config: JsonObject = configs.get(name) or {}
    if not isinstance(config, Mapping):
        raise UserError(f"The settings of the judge `{name}` are no object.", "Write `{…}`.")
    return JUDGES[name](config) if name in JUDGES else PluginJudge(name, config, root)
