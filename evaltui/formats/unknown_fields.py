"""Fields of a case that do nothing: misspelt ones, and settings of the whole project."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UNKNOWN_KEY, Severity
from evaltui.formats.complaint import Complaint, shorten

_SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        one.replace("_", ""): one
        for one in ("timeout_ms", "trials", "concurrency", "max_cost_usd", "multiset_tools")
    }
)
"""What somebody may want otherwise for one case, by its name in small letters without `_`."""


def unknown_fields(
    extra: Iterable[str], raw: Mapping[str, Any], known: Collection[str], of: str
) -> Iterator[Complaint]:
    """A warning for each of `extra` that looks like a known field that is not there, or like a
    setting; `of`: what they stand in, as in `a scenario`. Others are remarks."""
    absent = [name for name in known if name not in raw]
    for name in extra:
        what = f"`{shorten(name)}` is not a field of {of}"
        setting = _SETTINGS.get(name.replace("_", "").lower(), "")
        hint = did_you_mean(name, absent) if name not in known else ""
        if setting and not hint:
            what += ": it is a setting, and the same for all cases"
            hint = f"Write `{setting}` into the settings, e.g. `evaltui.toml`."
        if hint:
            yield Complaint((name,), what, hint, Severity.WARNING, UNKNOWN_KEY)
