"""The settings of the judges: one model for each, and what is wrong with a settings file."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import ConfigDict, Field

from evaltui.core.did_you_mean import did_you_mean
from evaltui.settings.mistakes import keep_valid
from evaltui.settings.sentences import UNKNOWN, WRONG_TYPE, Mistake, Wording
from evaltui.settings.written import Written
from evaltui.traces.judges import JUDGES

Limit: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)] | None
"""A bound, which may be reached; where it is `None` the judge has its own, or none."""


class NoSettings(Written):
    """Keys are spelled in one way only."""

    model_config = ConfigDict(alias_generator=None)


class TrajectoryStep(NoSettings):
    allow_tool_errors: bool = False


class Regex(NoSettings):
    timeout_seconds: Limit = None


class Lean(NoSettings):
    command: Annotated[list[str], Field(min_length=1)]
    timeout_seconds: Limit = None


class Numeric(NoSettings):
    tolerance: Limit = None
    relative_tolerance: Limit = None


class CostBudget(NoSettings):
    max_input_tokens: Limit = None
    max_output_tokens: Limit = None
    max_total_tokens: Limit = None
    max_cost_usd: Limit = None
    input_cost_per_1k: Limit = None
    output_cost_per_1k: Limit = None


class LatencySlo(NoSettings):
    max_event_latency_ms: Limit = None
    max_total_latency_ms: Limit = None
    max_p95_latency_ms: Limit = None
    max_p99_latency_ms: Limit = None


class RetryStorm(NoSettings):
    max_retries_per_call: Limit = None
    max_total_retries: Limit = None


class LoopGuard(NoSettings):
    max_steps: Limit = None
    max_attempts: Limit = None
    max_identical_assistant_messages: Limit = None


class ToolAbuse(NoSettings):
    max_tool_calls_total: Limit = None
    max_tool_calls_per_tool: Limit = None
    forbidden_tool_patterns: list[str] | None = None
    allowed_tools: list[str] | None = None


class PromptInjection(NoSettings):
    blocked_patterns: list[str] | None = None
    max_allowed_hits: Limit = None


SETTINGS: Mapping[str, type[NoSettings]] = {
    **dict.fromkeys(JUDGES, NoSettings),
    "trajectory_step": TrajectoryStep,
    "regex": Regex,
    "lean": Lean,
    "expected_numeric": Numeric,
    "cost_budget": CostBudget,
    "latency_slo": LatencySlo,
    "retry_storm": RetryStorm,
    "loop_guard": LoopGuard,
    "tool_abuse": ToolAbuse,
    "prompt_injection": PromptInjection,
}


def settings_mistakes(
    configs: Mapping[str, Any], is_plugin: Callable[[str], bool]
) -> Iterator[Mistake]:
    """All that is wrong with the settings of judges, which stand by their names.

    Those of somebody else's judge are its own business.
    """
    for name, config in configs.items():
        if name not in SETTINGS:
            if not is_plugin(name):
                hint = did_you_mean(name, SETTINGS) or f"There are {', '.join(SETTINGS)}."
                yield Mistake((name,), f"There is no judge `{name}`", hint, UNKNOWN)
        elif config is not None and not isinstance(config, dict):
            what = f"The settings of the judge `{name}` are no object"
            yield Mistake((name,), what, "Write `{…}`.", WRONG_TYPE)
        elif config:
            wording = Wording(f"setting of the judge `{name}`", "an object")
            for one in keep_valid(SETTINGS[name], config, wording)[1]:
                yield Mistake((name, *one.path), one.what, one.hint, one.code)
