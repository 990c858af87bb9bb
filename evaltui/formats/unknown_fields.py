"""Fields of a case, and of what stands in it, that do nothing: misspelt ones, those of another kind
of case, and settings of the whole project."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from evaltui.core.did_you_mean import closest
from evaltui.core.errors import UNKNOWN_KEY, Severity
from evaltui.formats.complaint import Complaint, shorten

_SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        one.replace("_", ""): one
        for one in ("timeout_ms", "trials", "concurrency", "max_cost_usd", "multiset_tools")
    }
)
"""What somebody may want otherwise for one case, by its name in small letters without `_`."""

_JUDGING: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {
        "expect": (dict,),
        "evaluators": (list, dict),
        "rubric": (list, dict),
        "successCriteria": (str,),
        "failureCriteria": (str,),
    }
)
"""Fields that judge, with what is written into them: without them a case would pass regardless."""


class Fields(Struct, frozen=True):
    """What may stand in one kind of case, or in one of its objects."""

    of: str
    """As in `a scenario`."""
    known: Collection[str]
    others: str = ""
    """The kind of case whose fields may be mistaken for its own, as in `eval cases`."""
    foreign: Mapping[str, str] = MappingProxyType({})
    """The fields of those that act there, each with what to write here."""


def unknown_fields(
    extra: Iterable[str], raw: Mapping[str, Any], fields: Fields
) -> Iterator[Complaint]:
    """A complaint about each of `extra` that looks like a known field, acts in another kind of case
    or is a setting: an error where a check would be lost, else a warning. Others are remarks."""
    for name in extra:
        if name in fields.known or raw.get(name) is None:
            continue
        near, what, hint = name, f"`{shorten(name)}` is not a field of {fields.of}", ""
        if name in fields.foreign:
            verb = "judges" if name in _JUDGING else "does"
            what = f"`{name}` is a field of {fields.others}; in {fields.of} it {verb} nothing"
            hint = fields.foreign[name]
        elif found := closest(name, fields.known):
            near, hint = found, f"Did you mean `{found}`?"
            if raw.get(found) is not None:
                hint += " That is there too, and only that counts."
        elif setting := _SETTINGS.get(name.replace("_", "").lower(), ""):
            what += ": it is a setting, and the same for all cases"
            hint = f"Write `{setting}` into the settings, e.g. `evaltui.toml`."
        if hint:
            is_check = bool(raw[name]) and isinstance(raw[name], _JUDGING.get(near, ()))
            severity = Severity.ERROR if is_check else Severity.WARNING
            yield Complaint((name,), what, hint, severity, UNKNOWN_KEY)
