"""From validated settings to a `Config`."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from evaltui.core import agent_name
from evaltui.core.config import (
    AgentProfile,
    Config,
    EvaluatorSource,
    JudgeConfig,
    RegistrySource,
    RegressionsConfig,
    WatchConfig,
)
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import Severity
from evaltui.settings.profiles import EMBEDDED, choose, endpoint, make_profiles, unique
from evaltui.settings.report import Reporter

if TYPE_CHECKING:
    from evaltui.settings.judge_table import Judge, Player
    from evaltui.settings.model import EvaluatorTable, Keys

_SEVERAL = frozenset(
    {"registries", "agents", "watch", "regressions", "keys", "judge", "evaluators"}
)
"""Fields that are made of other values than the setting of their name."""


def build_config(
    root: Path, file: str, values: Mapping[str, Any], report_of: Callable[[str], Reporter]
) -> Config:
    """Make the fields that several settings share, and take over the rest.

    `report_of` says where complaints about a field go: to where its value comes from.
    """
    call_at = values.get("call_at")
    made = make_profiles(values.get("agents", {}))
    profiles = {name: _calling_at(profile, call_at) for name, profile in made.items()}
    names = set(Config.__struct_fields__) - _SEVERAL
    own = {name: value for name, value in values.items() if name in names}
    own |= {name: tuple(value) for name, value in own.items() if isinstance(value, list)}
    if "theme" in values:
        _check_theme(values["theme"], report_of("theme"))
    if "keys" in values:
        own |= _keys(values["keys"], report_of("keys"))
    if "watch" in values:
        own["watch"] = WatchConfig(**values["watch"].given())
    if "regressions" in values:
        own["regressions"] = RegressionsConfig(**values["regressions"].given())
    if "judge" in values:
        own["judge"] = _judge(values["judge"], profiles, report_of("judge"))
    if "evaluators" in values:
        own["evaluators"] = tuple(map(_evaluator, values["evaluators"]))
    return Config(
        root=root,
        file=file,
        registries=_registries(values, is_json=file.endswith(".json")),
        agents=_agents(values, profiles, report_of("agent")),
        profiles=profiles,
        **own,
    )


def _evaluator(written: "str | EvaluatorTable") -> EvaluatorSource:
    name = written if isinstance(written, str) else written.path
    if isinstance(written, str) or name:
        return EvaluatorSource(name or "")
    words = tuple(written.command)
    if len(words) == 1:
        import shlex

        with suppress(ValueError):  # a quote that is never closed
            words = tuple(shlex.split(words[0]))
    return EvaluatorSource("", words, written.timeout_seconds, written.mode)


def _keys(keys: "Keys", report: Reporter) -> dict[str, Any]:
    from evaltui.settings.keys import keep_valid_keys

    kept, mistakes = keep_valid_keys(keys.model_extra or {})
    for mistake in mistakes:
        report.mistake(replace(mistake, path=("keys", *mistake.path)))
    own: dict[str, Any] = {"keys": kept}
    return own if keys.preset is None else own | {"keys_preset": keys.preset}


def _check_theme(name: str, report: Reporter) -> None:
    """Only a warning: a theme of one's own is on one machine, the settings are on several."""
    from evaltui.settings.themes import unknown_theme

    hint = unknown_theme(name)
    if hint is not None:
        report.add(("theme",), f"There is no theme `{name}`", hint, Severity.WARNING)


def _judge(
    table: "Judge", profiles: Mapping[str, AgentProfile], report: Reporter
) -> JudgeConfig | None:
    if table.agent is None:
        profile = AgentProfile(agent_name.JUDGE, table.type or "", table.model_extra or {})
    else:
        named = profiles.get(table.agent)
        if named is None:
            what = f"There is no agent `{table.agent}` to judge"
            hint = did_you_mean(table.agent, profiles) or f"Write a table `[agents.{table.agent}]`."
            report.add(("judge", "agent"), what, hint)
            return None
        profile = replace(named, name=agent_name.JUDGE)
    if profile.type == agent_name.EMBEDDED:
        what = "The embedded agent cannot judge"
        report.add(("judge",), what, "It only chooses tools: name a model.")
        return None
    if table.max_cost_usd is not None:
        profile = replace(profile, max_cost_usd=table.max_cost_usd)
    if table.max_requests_per_minute is not None:
        profile = replace(profile, max_requests_per_minute=table.max_requests_per_minute)
    player = None if table.persona is None else _player(table.persona, profile)
    if player is not None and player.type == agent_name.EMBEDDED:
        what = "The embedded agent cannot play a user"
        report.add(("judge", "persona"), what, "It only chooses tools: name a model.")
        return None
    return JudgeConfig(profile, table.votes, table.threshold, player)


def _player(table: "Player", judge: AgentProfile) -> AgentProfile:
    """Paid and spaced out as the judge is."""
    options = table.model_extra or {}
    if table.type is None:
        # What the judge's model costs is no price of another one.
        given = {key: value for key, value in judge.options.items() if key != "price"}
        options = {**(given if "model" in options else judge.options), **options}
    return replace(judge, type=table.type or judge.type, options=options)


def _registries(values: Mapping[str, Any], *, is_json: bool) -> tuple[RegistrySource, ...]:
    named = dict.fromkeys(values.get("registry", ()), "registry")
    key = "toolRegistryPath" if is_json else "tool_registry_path"
    for location in values.get("tool_registry_path", ()):
        named.setdefault(location, key)
    sources = [RegistrySource(location=location, key=key) for location, key in named.items()]
    for one in values.get("registries", ()):
        location = one.location or one.path or one.url or one.command or ""
        sources.append(RegistrySource(one.type, location, one.model_extra or {}, "registries"))
    return tuple(sources)


def _agents(
    values: Mapping[str, Any], profiles: Mapping[str, AgentProfile], report: Reporter
) -> tuple[AgentProfile, ...]:
    chosen: list[AgentProfile] = []
    for wanted in values.get("agent", ()):
        found = choose(wanted, profiles)
        if isinstance(found, AgentProfile):
            chosen.append(found)
        else:
            report.add(("agent",), f"There is no agent `{wanted}`", found)
    if not chosen and "agent_endpoint" in values:
        chosen.append(endpoint(values["agent_endpoint"]))
    # Who is only named to judge is not under test by itself.
    judge = values["judge"].agent if "judge" in values else None
    others = [profile for name, profile in profiles.items() if name != judge]
    chosen = chosen or others[:1] or [EMBEDDED]
    return unique(_calling_at(profile, values.get("call_at")) for profile in chosen)


def _calling_at(profile: AgentProfile, call_at: float | None) -> AgentProfile:
    """The setting counts for every embedded agent whose own table does not say otherwise."""
    has_own = not {"call_at", "callAt"}.isdisjoint(profile.options)
    if profile.type != agent_name.EMBEDDED or call_at is None or has_own:
        return profile
    return replace(profile, options={**profile.options, "call_at": call_at})
