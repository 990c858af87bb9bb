"""Settings of a project: one frozen `Config`, whatever file or flag they came from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct, field

from evaltui.core.json_value import Json

FailOn: TypeAlias = Literal["regressions", "failures", "proven", "changed", "stale", "never"]
Confirm: TypeAlias = Literal["off", "ask", "auto"]
"""Whether a run spends further trials on what is undecided: never, once asked, by itself."""
"""What makes the exit code of a run 1."""
RecordingMode: TypeAlias = Literal["off", "record", "replay", "auto"]
"""Whether answers are recorded, and asked of the recordings."""


CALL_AT = 0.40
"""Probability from which on the embedded agent calls a tool, unless the settings say otherwise."""


class AgentProfile(Struct, frozen=True):
    """One agent under test: `[agents.NAME]`, or made from `agentEndpoint` or `--agent`."""

    name: str = "embedded"
    """How results, baselines and history name it."""
    type: str = "embedded"
    """A key of `agents.AGENTS`."""
    options: Mapping[str, Json] = field(default_factory=dict)
    """Everything else of the table, validated by the agent's own factory; `${ENV}` not expanded."""
    max_cost_usd: float | None = None
    """For this agent; `None`: as for all."""
    max_requests_per_minute: float | None = None
    """For this agent; `None`: as for all."""


_NOT_ANSWERS = frozenset(
    (
        *("api_key", "timeout", "start_timeout", "retries", "price", "is_free", "trust_env"),
        "names_all_files",
    )
)


def shaping(options: Mapping[str, Json], *, is_model: bool = False) -> dict[str, Json]:
    """Those of an agent's options that shape what it answers: the others change how an answer is
    got, never what it says. A model says the same in a stream; what else streams is read otherwise.
    """
    passed_over = _NOT_ANSWERS | {"stream"} if is_model else _NOT_ANSWERS
    return {key: value for key, value in options.items() if key not in passed_over}


class JudgeConfig(Struct, frozen=True):
    """Who scores rubrics: `[judge]`."""

    profile: AgentProfile
    """Of the agent, most often a model, that is asked."""
    votes: int = 1
    """Judgements of each dimension; odd."""
    threshold: float | None = None
    """Share of the highest score from which on a graded dimension passes; `None`: it only
    measures."""
    player: AgentProfile | None = None
    """Who plays users; `None`: who judges."""

    @property
    def profiles(self) -> tuple[AgentProfile, ...]:
        """All that are asked."""
        return (self.profile,) if self.player is None else (self.profile, self.player)


class RegistrySource(Struct, frozen=True):
    """Where tool definitions come from: one entry of `registries`, `registry` or its other name."""

    type: str = "auto"
    """A key of `registries.SOURCES`, or `auto`: by the file name."""
    location: str = ""
    """Path below the project root, URL or command."""
    options: Mapping[str, Json] = field(default_factory=dict)
    key: str = "registry"
    """The setting that names it, as it is spelled in the user's file."""


class EvaluatorSource(Struct, frozen=True):
    """One entry of `evaluators`: a file or module by its name, or a command."""

    name: str = ""
    """`./file.py`, `./file.mjs`, the name of an entry point or a module; empty for a command."""
    command: tuple[str, ...] = ()
    timeout_s: float = 30.0
    """Of a command: how long one judgement may take."""
    mode: Literal["oneshot", "jsonl"] = "oneshot"
    """Of a command: started for each judgement, or kept, one line of JSON each."""


class WatchConfig(Struct, frozen=True):
    poll: bool = False
    """For network file systems that report no changes."""
    debounce_ms: int = 50
    """No save for so long: the saving is over, and what it affects is run."""


class RegressionsConfig(Struct, frozen=True):
    confirm: Confirm = "ask"
    alpha: float = 0.1
    """The share of the proven regressions that may be wrong."""
    max_trials: int = 20
    """Under the inputs of now, of one case; what takes more to be settled stays undecided."""
    audit: int = 0
    """Cases drawn, after a save, of those that it possibly affects and an agent is paid for."""
    audit_idle: bool = False
    """Whether more are drawn while nothing else runs, up to `confirm_above` a save."""


class Config(Struct, frozen=True):
    """Every setting with its default. Contract keys are camelCase in JSON, snake_case in TOML."""

    root: Path
    """Project root: the folder of the config file, else where evaltui was started."""
    file: str = ""
    """The config file below `root`, empty when there is none."""
    evals: tuple[str, ...] = ()
    """Globs or paths of eval files below `root`; empty means: find them."""
    registries: tuple[RegistrySource, ...] = ()
    """Empty means: look for `tools/tools.exports.ts` and the other usual places."""
    agents: tuple[AgentProfile, ...] = (AgentProfile(),)
    """The agents to run; the first is shown first."""
    profiles: Mapping[str, AgentProfile] = field(default_factory=dict)
    """Every `[agents.NAME]`, chosen or not."""
    seed_manifest_path: str = "evals/seed-manifest.json"
    snapshot_enabled: bool = False
    snapshot: str = ""
    """JSON file, URL or command that yields the snapshot."""
    output_dir: str = "evals/results"
    keep_runs: int = 50
    """Of how many runs journals and result files are kept; each suite's last file is, always."""
    baseline_run_id: str | None = None
    concurrency: int = 1
    timeout_ms: int = 60_000
    trials: int = 1
    multiset_tools: bool = True
    """`toolsAcceptable` counts repeated calls (contract A2)."""
    call_at: float = CALL_AT
    """The embedded agent's threshold for calling a tool, 0.35 lenient … 0.60 strict."""
    confirm_above: float = 1.0
    """US dollars of estimated cost above which a run asks first."""
    max_cost_usd: float | None = None
    max_requests_per_minute: float | None = None
    fail_on: tuple[FailOn, ...] = ("failures", "regressions")
    regressions: RegressionsConfig = field(default_factory=RegressionsConfig)
    mutes: Mapping[str, str] = field(default_factory=dict)
    """Reason by `suite::case`."""
    watch: WatchConfig = field(default_factory=WatchConfig)
    theme: str = "dark"
    keys: Mapping[str, str] = field(default_factory=dict)
    """Key by command id."""
    keys_preset: str = "default"
    evaluators: tuple[EvaluatorSource, ...] = ()
    judge: JudgeConfig | None = None
    """`None`: rubric cases are shown and not run."""
    recordings: RecordingMode = "off"
    recording_dir: str = "evals/cassettes"
    outside: tuple[str, ...] = ()
    """Folders outside of the project in which links, imports and `$ref`s may be followed."""
    typed: frozenset[str] = frozenset()
    """Fields whose value was typed on the command line, and so agreed to."""
    read_along: tuple[str, ...] = ()
    """Files below `root` that settings come from besides `file`, there or not."""
    is_unread: bool = False
    """Whether `file` is there and never could be read: what it would have named is not known."""
    is_trusted: bool = False
    """Whether `--trust` was typed, which agrees to all that the settings want done."""
