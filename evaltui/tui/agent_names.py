"""What agents are called on the screen: short, and never two of them alike."""

from collections import Counter
from collections.abc import Iterable

from evaltui.core.agent_name import settings_name


def short_names(agents: Iterable[str]) -> dict[str, str]:
    """By full name. A profile of the embedded agent is its profile, a URL goes without scheme."""
    names = tuple(agents)
    shorts = {name: _short(name) for name in names}
    often = Counter(shorts.values())
    return {name: short if often[short] == 1 else name for name, short in shorts.items()}


def _short(name: str) -> str:
    scheme, found, rest = name.partition("://")
    if found and scheme.isalpha():
        return rest.rstrip("/") or name
    return settings_name(name)
