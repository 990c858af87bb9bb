"""What `evaltui.toml`, its JSON twins and the flags may say: every key, its type and meaning.

The schema for editors, the page of the guide and every complaint are made from this model;
defaults are those of `Config`.
"""

from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Struct
from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from evaltui.core.config import (
    Config,
    Confirm,
    FailOn,
    RecordingMode,
    RegressionsConfig,
    WatchConfig,
)
from evaltui.settings.judge_table import Judge
from evaltui.settings.written import (
    WHOLE,
    Dollars,
    Many,
    PerMinute,
    Probability,
    SecretText,
    Text,
    Written,
)

_DAY_MS = 86_400_000
LOCATIONS = ("location", "path", "url", "command")
"""Keys of a source of tools that say where it is; the first that is there counts."""
FIELDS = MappingProxyType(
    {
        "seed": "seed_manifest_path",
        "baseline": "baseline_run_id",
        "mute": "mutes",
        "cassettes": "recordings",
        "cassette_dir": "recording_dir",
    }
)
"""Field of `Config` for the settings that are called otherwise."""


Preset: TypeAlias = Literal["default", "vitest", "arrows"]


def _field(name: str, description: str, owner: type[Struct] = Config) -> Any:
    """A setting with the default that `owner`, a record of the core, gives it."""
    default = getattr(_DEFAULTS[owner], FIELDS.get(name, name), None)
    return Field(
        default=list(default) if isinstance(default, tuple) else default, description=description
    )


_DEFAULTS: dict[type[Struct], Struct] = {
    Config: Config(Path()),
    WatchConfig: WatchConfig(),
    RegressionsConfig: RegressionsConfig(),
}


class Source(Written):
    """`[[registries]]`: one source of tool definitions; other keys are its own options."""

    model_config = ConfigDict(extra="allow")

    type: Text = Field("auto", description="kind of source; `auto` infers it from the location")
    location: Text | None = Field(None, description="path, URL or command")
    path: Text | None = Field(None, description="file, folder or glob below the project")
    url: Text | None = Field(None, description="address of a server or a file")
    command: Text | None = Field(None, description="command that starts a server")

    @model_validator(mode="after")
    def _has_location(self) -> "Source":
        if not any(getattr(self, name) for name in LOCATIONS):
            hint = 'Write `path = "…"`, `url = "…"` or `command = "…"`.'
            raise PydanticCustomError("no-location", "The registry has no location", {"hint": hint})
        return self


class Profile(Written):
    """`[agents.NAME]`: one agent under test; other keys are options of its type."""

    model_config = ConfigDict(extra="allow")

    type: Text | None = Field(
        None,
        description="type of agent; by default `http` if there is a `url`, else the table's name",
    )
    max_cost_usd: Dollars | None = Field(
        None, description="US dollars after which a run starts no more cases of this agent"
    )
    max_requests_per_minute: PerMinute | None = Field(
        None, description="most requests per minute to this agent; they are spaced out"
    )


class EvaluatorTable(Written):
    """`[[evaluators]]`: a file or module, or a program that judges: JSON in, JSON out."""

    path: Text | None = Field(None, description="`./file.py`, `./file.mjs` or a module")
    command: Many[Text] = Field(
        [], description="instead of a `path`, a program and its arguments; no shell is used"
    )
    timeout_seconds: Annotated[float, Field(gt=0, le=3_600)] = Field(
        30.0, description="time limit of one judgement in seconds"
    )
    mode: Literal["oneshot", "jsonl"] = Field(
        "oneshot",
        description="started for each judgement, or kept running and sent a line of JSON for each",
    )

    @model_validator(mode="after")
    def _is_one(self) -> "EvaluatorTable":
        if bool(self.path) == bool(self.command):
            is_none = not self.path
            what = (
                "The evaluator has no `path`" if is_none else "`path` and `command` are both given"
            )
            hint = 'Write `path = "./file.py"`, or `command = ["program", "word"]`.'
            raise PydanticCustomError("no-evaluator", what, {"hint": hint})
        return self


class Watch(Written):
    """`[watch]`: how files are watched."""

    poll: bool = _field(
        "poll",
        "whether to poll, for network file systems that do not report changes",
        WatchConfig,
    )
    debounce_ms: Annotated[int, Field(ge=1, le=60_000), WHOLE] = _field(
        "debounce_ms", "saves within this many milliseconds count as one", WatchConfig
    )


class Regressions(Written):
    """`[regressions]`: when a regression of an agent whose answers vary is proven."""

    confirm: Confirm = _field(
        "confirm",
        "more trials of undecided cases: `off`, `ask` with what they would cost, or `auto`",
        RegressionsConfig,
    )
    alpha: Annotated[float, Field(gt=0, le=1)] = _field(
        "alpha", "share of proven regressions that may be false", RegressionsConfig
    )
    max_trials: Annotated[int, Field(ge=1, le=1_000), WHOLE] = _field(
        "max_trials",
        "most trials to settle one case with, those already made included",
        RegressionsConfig,
    )
    audit: Annotated[int, Field(ge=0, le=100_000), WHOLE] = _field(
        "audit",
        "with an agent that costs money: cases to draw from those a save "
        "[possibly affects](proof.md#what-did-not-run)",
        RegressionsConfig,
    )
    audit_idle: bool = _field(
        "audit_idle",
        "whether to draw more while nothing else runs, up to `confirm_above` per save",
        RegressionsConfig,
    )


class Keys(Written):
    """`[keys]`: a key for each command, and `preset`."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Text]

    preset: Preset | None = Field(None, description="keys of all commands that have none here")


class Settings(Written):
    """Settings of a project."""

    evals: Many[Text] = _field("evals", "eval files: paths or globs")
    registry: Many[Text] = _field(
        "registry", "[tool definitions](tools.md): path, glob or list of them"
    )
    tool_registry_path: Many[Text] = _field("tool_registry_path", "another name for `registry`")
    registries: Many[Source] = _field(
        "registries", "[sources](registries.md) with a type and options of their own"
    )
    agent: Many[Text] = _field(
        "agent",
        "what is tested: `embedded`, the name of an `[agents.NAME]` table, a URL, "
        "or a list of these",
    )
    agent_endpoint: SecretText | None = _field(
        "agent_endpoint", "URL of an HTTP agent; used if `agent` is not set"
    )
    agents: dict[str, Profile] = _field(
        "profiles_", "profiles: `[agents.NAME]` with `type` and [options](agents.md)"
    )
    seed_manifest_path: Text = _field("seed_manifest_path", "file with the values of `{{seed:…}}`")
    seed: Text = _field("seed", "short for `seed_manifest_path`")
    snapshot_enabled: bool = _field("snapshot_enabled", "whether to read `snapshot` before a run")
    snapshot: SecretText = _field(
        "snapshot", "JSON file, URL or command with the values of `{{snapshot:…}}`"
    )
    output_dir: Text = _field(
        "output_dir", "folder for result files; baselines are kept next to it"
    )
    keep_runs: Annotated[int, Field(ge=1, le=100_000), WHOLE] = _field(
        "keep_runs", "number of runs whose journals and result files are kept"
    )
    baseline_run_id: Text | None = _field(
        "baseline_run_id", "baseline to compare with: a run id or a name"
    )
    baseline: Text | None = _field("baseline", "short for `baseline_run_id`")
    concurrency: Annotated[int, Field(ge=1, le=10_000), WHOLE] = _field(
        "concurrency", "cases to run at the same time, 1 to 10,000"
    )
    timeout_ms: Annotated[int, Field(ge=1, le=_DAY_MS), WHOLE] = _field(
        "timeout_ms", "time limit of a case in milliseconds"
    )
    trials: Annotated[int, Field(ge=1, le=1_000), WHOLE] = _field(
        "trials", "trials per case, up to 1,000"
    )
    multiset_tools: bool = _field(
        "multiset_tools", "whether repeated calls count in `toolsAcceptable`"
    )
    call_at: Probability = _field(
        "call_at",
        "lowest probability at which the embedded agent calls a tool: 0.35 lenient, 0.6 strict",
    )
    confirm_above: Dollars = _field(
        "confirm_above", "estimated US dollars above which the dashboard asks first"
    )
    max_cost_usd: Dollars | None = _field(
        "max_cost_usd", "US dollars that a session, or one `evaltui run`, may spend"
    )
    max_requests_per_minute: PerMinute | None = _field(
        "max_requests_per_minute", "most requests per minute; they are spaced out"
    )
    fail_on: Many[FailOn] = _field(
        "fail_on", "what makes the exit code 1; other values: `proven`, `changed`, `stale`, `never`"
    )
    regressions: Regressions | None = _field(
        "regressions_", "when a regression is proven, and what may be spent on it"
    )
    mute: dict[str, Text] = _field(
        "mute", "reason by `suite::case`; a muted case still runs, but its failures do not count"
    )
    watch: Watch | None = _field("watch_", "how files are watched")
    theme: Text = _field(
        "theme",
        "theme of the dashboard: `dark`, `light`, `high-contrast`, `colour-blind`, "
        "`colour-blind-light`, or your own",
    )
    keys: Keys | None = _field("keys_", "a key for each [command](dashboard.md#keys), and `preset`")
    keys_preset: Preset = _field(
        "keys_preset", "preset of the keys: `default`, `vitest` or `arrows`"
    )
    evaluators: Many[Text | EvaluatorTable] = _field(
        "evaluators",
        "[evaluators](evaluators.md) of your own: `./file.py`, `./file.mjs`, a module, a command",
    )
    judge: Judge | None = _field(
        "judge_", "who scores [rubrics](rubrics.md): `type` and its options, or `agent`; `votes`"
    )
    cassettes: RecordingMode = _field(
        "cassettes", "recorded answers: `off`, `record`, `replay` or `auto`"
    )
    cassette_dir: Text = _field("cassette_dir", "folder for recorded answers")
    outside: Many[Text] = _field(
        "outside",
        "folders outside the project that links, imports and `$ref`s may lead into, once you have "
        "[agreed](trust.md)",
    )
