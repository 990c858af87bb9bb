"""Why a waiver of a registry does not hold: it was written by hand, and not as it is meant."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.inert_text import ACTING

KEYS = (
    *("waiver_id", "baseline_name", "case_id", "judge_id", "regression_key", "reason"),
    *("approved_by", "created_at", "expires_at"),
)
"""All that a waiver says, each of it a text or `null`."""


def flaw_of(waiver: Mapping[str, Any]) -> str:
    """Empty where there is none. What stands under a key that is none would be left out, and the
    rest of it waive more than is meant."""
    if other := next((key for key in waiver if key not in KEYS), None):
        hint = did_you_mean(other, KEYS)
        return f"`{other}` is not a field of a waiver" + (f". {hint}" if hint else "")
    for key, value in waiver.items():
        if not isinstance(value, str | None):
            return f"`{key}` is not a text"
    if is_blank(waiver.get("approved_by") or ""):
        return "`approved_by` names nobody"
    ends = waiver.get("expires_at")
    is_clear = ends is None or moment_of(ends) is not None
    return "" if is_clear else f"`expires_at` is not a time: `{ends}`"


def flaws_in_words(waivers: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A sentence for each that does not hold."""
    for waiver in waivers:
        if flaw := flaw_of(waiver):
            case = waiver.get("case_id") or waiver.get("regression_key")
            yield f"the waiver for `{case}` waives nothing: {flaw}"


def is_blank(text: str) -> bool:
    """Whether nothing of it can be seen."""
    return not re.sub(rf"[{ACTING}\s\u200c\ufe00-\ufe0f]", "", text)


def moment_of(text: str) -> datetime | None:
    """Without an offset it is in UTC; a date without a time holds until its end."""
    with suppress(ValueError, OverflowError):
        day = date.fromisoformat(text) + timedelta(days=1)
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
