"""Mutes: failures of a case that do not count, with the reason for it."""

from collections.abc import Mapping

from evaltui.core.case import CaseKey


def in_force(settings: Mapping[str, str], by_keys: Mapping[str, str]) -> dict[str, str]:
    """Reasons by `suite::case` of all that is muted: what a key said last stands."""
    return {**settings, **by_keys}


def with_mute(mutes: Mapping[str, str], key: CaseKey, reason: str) -> dict[str, str]:
    """The mutes by `suite::case` after one case was muted, or with an empty reason unmuted."""
    others = {name: why for name, why in mutes.items() if name != str(key)}
    return others | {str(key): reason} if reason else others
