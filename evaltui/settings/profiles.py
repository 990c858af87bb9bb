"""Which agents run: profiles by name, an endpoint's URL, or the embedded one."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from evaltui.core.agent_name import is_embedded, settings_name
from evaltui.core.config import AgentProfile
from evaltui.core.did_you_mean import did_you_mean

if TYPE_CHECKING:
    from evaltui.settings.model import Profile

EMBEDDED = AgentProfile()
_URL = re.compile(r"https?://", re.IGNORECASE)


def make_profiles(tables: "Mapping[str, Profile]") -> dict[str, AgentProfile]:
    """`[agents.NAME]`; without `type` it is an http agent when it has a `url`."""
    profiles: dict[str, AgentProfile] = {}
    for name, table in tables.items():
        options = table.model_extra or {}
        type_ = table.type or ("http" if "url" in options else name)
        profiles[name] = AgentProfile(
            name, type_, options, table.max_cost_usd, table.max_requests_per_minute
        )
    return profiles


def choose(wanted: str, profiles: Mapping[str, AgentProfile]) -> AgentProfile | str:
    """The profile for a name, `embedded` or a URL; a hint in words when there is none."""
    if wanted in profiles:
        return profiles[wanted]
    if is_embedded(wanted):
        return profiles.get(settings_name(wanted), EMBEDDED)
    if _URL.match(wanted):
        return endpoint(wanted)
    known = [*profiles, EMBEDDED.name]
    listed = ", ".join(f"`{name}`" for name in known)
    return did_you_mean(wanted, known) or f"Name one of {listed}, or give a URL."


def endpoint(url: str) -> AgentProfile:
    """An http agent in the contract's shape; its name leaves out what may be secret in the URL."""
    return AgentProfile(shown_url(url), "http", {"url": url})


def shown_url(url: str) -> str:
    """The URL without user, password, query and fragment."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "http"
    return urlunsplit((parts.scheme, host, parts.path, "", "")) or "http"


def is_url(text: str) -> bool:
    return _URL.match(text) is not None


def unique(profiles: Iterable[AgentProfile]) -> tuple[AgentProfile, ...]:
    """Each name once: results and baselines go by it."""
    return tuple({profile.name: profile for profile in profiles}.values())
