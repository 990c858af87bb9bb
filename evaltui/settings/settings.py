"""Every setting with its kind: one row each."""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from evaltui.settings.kinds import (
    Anything,
    Choice,
    Flag,
    Integer,
    Kind,
    Many,
    MapOf,
    Number,
    Table,
    Text,
)

PRESETS = ("default", "vitest", "arrows")
_DAY_MS = 86_400_000
_SOURCE = Table({"type": Text()}, Anything())
_PROFILE = Table(
    {
        "type": Text(),
        "max_cost_usd": Number(0),
        "max_requests_per_minute": Number(0, above=True),
    },
    Anything(),
)


class Setting(Struct, frozen=True):
    """`name` is the key in TOML; in JSON it is camelCase. `field` is the one of `Config`."""

    name: str
    kind: Kind
    field: str = ""
    """Empty when several settings together make one field."""


def _same(name: str, kind: Kind) -> Setting:
    return Setting(name, kind, name)


SETTINGS: tuple[Setting, ...] = (
    _same("evals", Many(Text())),
    Setting("registry", Many(Text())),
    Setting("tool_registry_path", Many(Text())),
    Setting("registries", Many(_SOURCE)),
    Setting("agent", Many(Text())),
    Setting("agent_endpoint", Text(is_secret=True)),
    Setting("agents", MapOf(_PROFILE)),
    _same("seed_manifest_path", Text()),
    Setting("seed", Text(), "seed_manifest_path"),
    _same("snapshot_enabled", Flag()),
    _same("snapshot", Text(is_secret=True)),
    _same("output_dir", Text()),
    _same("baseline_run_id", Text()),
    Setting("baseline", Text(), "baseline_run_id"),
    _same("concurrency", Integer(1, 10_000)),
    _same("timeout_ms", Integer(1, _DAY_MS)),
    _same("trials", Integer(1, 1_000)),
    _same("multiset_tools", Flag()),
    _same("call_at", Number(0, 1)),
    _same("confirm_above", Number(0)),
    _same("max_cost_usd", Number(0)),
    _same("max_requests_per_minute", Number(0, above=True)),
    _same("fail_on", Many(Choice(("regressions", "failures", "stale", "never")))),
    Setting("mute", MapOf(Text()), "mutes"),
    Setting("watch", Table({"poll": Flag(), "debounce_ms": Integer(1, 60_000)})),
    _same("theme", Text()),
    _same("keys", Table({"preset": Choice(PRESETS)}, Text())),
    _same("keys_preset", Choice(PRESETS)),
    _same("evaluators", Many(Table(rest=Anything()))),
    _same("cassettes", Choice(("off", "record", "replay", "auto"))),
    _same("cassette_dir", Text()),
)

BY_NAME: Mapping[str, Setting] = MappingProxyType({row.name: row for row in SETTINGS})


def camel_case(name: str) -> str:
    """`seed_manifest_path` → `seedManifestPath`."""
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


BY_CAMEL: Mapping[str, Setting] = MappingProxyType({camel_case(row.name): row for row in SETTINGS})
"""The contract's keys (contract requirement 50) and the others in the same manner."""
