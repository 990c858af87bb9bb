"""Which case a waiver is for, and what a pack of eval files calls it: `FILE::ID`."""

import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from evaltui.core.errors import UserError
from evaltui.evidence.compared.side import read_side

REGRESSED = re.compile(r"case regressed: (.+)", re.DOTALL)


def case_of(waiver: Mapping[str, Any]) -> Any:
    """`None` where its two names of a case are not the same."""
    case, key = waiver.get("case_id"), waiver.get("regression_key")
    found = REGRESSED.fullmatch(key) if isinstance(key, str) else None
    if key is None:
        return case
    return found[1] if found is not None and case in (None, found[1]) else None


def named_by(case: str, ids: Iterable[str]) -> str | None:
    """Which of the ids is the case's, or the only one that ends with it."""
    known = {*ids}
    ends = [one for one in known if one.endswith(f"::{case}")]
    return case if case in known else ends[0] if len(ends) == 1 else None


def by_whole_id(waiver: Mapping[str, Any], baseline: Any) -> tuple[dict[str, Any], str]:
    """The waiver for the case of the baseline that is meant, and what is doubtful about it, else an
    empty text. `baseline`: its entry; whose pack is not at hand names no cases."""
    known, case, ids = dict(waiver), case_of(waiver), _cases_of(baseline)
    if not ids or not isinstance(case, str):
        return known, ""
    whole = named_by(case, ids)
    if whole is None:
        are_several = any(one.endswith(f"::{case}") for one in ids)
        found = "several cases of the baseline are" if are_several else "no case of the baseline is"
        return (
            known,
            f"{found} called `{case}`, so that nothing is waived: name one by its whole id",
        )
    if known["case_id"] is not None:
        known["case_id"] = whole
    if known["regression_key"] is not None:
        known["regression_key"] = f"case regressed: {whole}"
    return known, ""


def _cases_of(baseline: Any) -> Collection[str]:
    place = baseline.get("run_path") if isinstance(baseline, Mapping) else None
    if isinstance(place, str):
        with suppress(OSError, UserError):
            return read_side(Path(place)).cases or ()
    return ()
