"""The fingerprints that one result depends on."""

from collections.abc import Mapping

from msgspec import Struct, field


class Inputs(Struct, frozen=True, gc=False):
    """Fingerprints (12 hex digits) of everything that shaped one result.

    `tools` holds `<tool>.<field>` for every tool the case or its suite mentions and is shared
    between the cases that mention the same tools.
    """

    case: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)
    registry: str = ""
    """All tools that are not mentioned; empty when the agent does not read the registry."""
    seed: Mapping[str, str] = field(default_factory=dict)
    """By token path, e.g. `totals.portfolioValue`."""
    agent: str = ""
    checks: Mapping[str, str] = field(default_factory=dict)
    """By evaluator type; the contract's own assertions are part of evaltui's version."""
