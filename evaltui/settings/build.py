"""From checked settings to a `Config`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaltui.core.config import AgentProfile, Config, RegistrySource, WatchConfig
from evaltui.core.errors import Severity
from evaltui.settings.profiles import EMBEDDED, choose, endpoint, make_profiles, unique
from evaltui.settings.table import Reporter

_OWN = frozenset(Config.__struct_fields__) - {
    "root", "file", "registries", "agents", "profiles", "watch", "raw",
}  # fmt: skip
_LOCATIONS = ("location", "path", "url", "command")


def build_config(
    root: Path, file: str, values: Mapping[str, Any], raw: Mapping[str, Any], report: Reporter
) -> Config:
    """Make the fields that several settings share, and take over the rest."""
    profiles = make_profiles(values.get("agents", {}))
    own = {name: value for name, value in values.items() if name in _OWN}
    keys = dict(values.get("keys", {}))
    if "preset" in keys:
        own["keys_preset"] = keys.pop("preset")
    if "keys" in own:
        own["keys"] = keys
    return Config(
        root=root,
        file=file,
        registries=_registries(values, report),
        agents=_agents(values, profiles, report),
        profiles=profiles,
        watch=WatchConfig(**values.get("watch", {})),
        raw=raw,
        **own,
    )


def _registries(values: Mapping[str, Any], report: Reporter) -> tuple[RegistrySource, ...]:
    named = (*values.get("registry", ()), *values.get("tool_registry_path", ()))
    sources = [RegistrySource(location=location) for location in dict.fromkeys(named)]
    for index, table in enumerate(values.get("registries", ())):
        if isinstance(table, str):
            sources.append(RegistrySource(location=table))
            continue
        location = next((table[key] for key in _LOCATIONS if key in table), None)
        if not isinstance(location, str):
            report(
                ("registries", index),
                "The registry has no location",
                'Write `path = "…"`, `url = "…"` or `command = "…"`.',
                Severity.ERROR,
            )
            continue
        options = {k: v for k, v in table.items() if k not in ("type", *_LOCATIONS)}
        sources.append(RegistrySource(table.get("type", "auto"), location, options))
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
            report(("agent",), f"There is no agent `{wanted}`", found, Severity.ERROR)
    if not chosen and "agent_endpoint" in values:
        chosen.append(endpoint(values["agent_endpoint"]))
    return unique(chosen or list(profiles.values())[:1] or [EMBEDDED])
