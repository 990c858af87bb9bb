"""One case of a contract file: every field with its type, and what is said when it is wrong."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from evaltui.core.case import (
    Case,
    CaseBody,
    CaseKey,
    ContractCase,
    RubricCase,
    RubricDimension,
    Tier,
)
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import Severity
from evaltui.core.key_path import KeyPath, format_key
from evaltui.formats.complaint import Complaint
from evaltui.json_text.kind import kind_of

LONG_MESSAGE = 100_000
"""Characters from which a message is warned of: few agents accept so much."""
MAX_TURNS = 5
"""Where `maxTurns` is absent (contract requirement 4)."""

_TYPES: Mapping[str, type] = MappingProxyType(
    {
        "id": str,
        "description": str,
        "difficulty": str,
        "createdAt": str,
        "bugRef": str,
        "input": dict,
        "expect": dict,
        "stubs": dict,
        "maxTurns": int,
        "rubric": list,
        "referenceData": dict,
    }
)
_NEEDED = frozenset({"id", "input", "expect", "stubs", "maxTurns", "rubric"})
"""A case with a wrong type here cannot be judged; elsewhere it is only warned of."""
_WORDS: Mapping[type, str] = MappingProxyType(
    {str: "text", dict: "an object", int: "a whole number", list: "a list"}
)


def read_case(
    raw: Any, suite: str, tier: Tier, line: int, path: KeyPath
) -> tuple[Case, list[Complaint]]:
    """Read one item of the list of cases; `invalid` says why it cannot be judged.

    A case without a usable id goes by its key `path` in the file. Keys that the contract does not
    know are kept in `extra`. A field that is null is absent.
    """
    if type(raw) is not dict:
        what = f"The case is {kind_of(raw)}, not an object"
        case = Case(
            CaseKey(suite, format_key(path)), ContractCase(""), tier, line=line, invalid=what
        )
        return case, [Complaint((), what, "Write `{…}`.", code="wrong-type")]
    wrong: list[Complaint] = []
    known: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for name, value in raw.items():
        kind = _TYPES.get(name)
        if kind is None:
            extra[name] = value
        elif type(value) is kind:
            known[name] = value
        elif value is not None:
            _wrong_type(name, value, kind, known, extra, wrong)
    get = known.get
    id_ = get("id", "")
    if "rubric" in known and "expect" not in known:
        tier = Tier.RUBRIC
    message = _message(known, raw, wrong)
    if tier is not Tier.RUBRIC and "expect" not in known and raw.get("expect") is None:
        wrong.append(_missing("expect", extra, "Nothing would be judged; `{}` says so on purpose."))
    if not id_:
        if "id" in known or raw.get("id") is None:
            wrong.append(_missing("id", extra, "Results and baselines go by it."))
    elif not (id_.isascii() and id_.isprintable()) or "/" in id_ or "\\" in id_ or ".." in id_:
        wrong += _odd_id(id_)
    max_turns = get("maxTurns", MAX_TURNS)
    if max_turns < 1:
        wrong.append(
            Complaint(
                ("maxTurns",), f"`maxTurns` is {max_turns}", "Use 1 or more.", code="out-of-range"
            )
        )
    if extra:
        wrong += _misspelt(extra, raw)
    errors = [complaint.what for complaint in wrong if complaint.severity is Severity.ERROR]
    case = Case(
        key=CaseKey(suite, id_ or format_key(path)),
        body=_body(tier, message, max_turns, known, extra, wrong),
        tier=tier,
        description=get("description", ""),
        line=line,
        invalid="; ".join(errors),
        extra=extra,
    )
    return case, wrong


def _body(
    tier: Tier,
    message: str,
    max_turns: int,
    known: Mapping[str, Any],
    extra: dict[str, Any],
    wrong: list[Complaint],
) -> CaseBody:
    """A case with a rubric in a file of another tier is judged by its `expect` alone."""
    get = known.get
    common: dict[str, Any] = {
        "expect": get("expect"),
        "stubs": get("stubs"),
        "max_turns": max_turns,
        "difficulty": get("difficulty", ""),
        "created_at": get("createdAt", ""),
        "bug_ref": get("bugRef", ""),
    }
    dimensions = _rubric(known["rubric"], wrong) if "rubric" in known else ()
    if tier is Tier.RUBRIC:
        reference = get("referenceData")
        return RubricCase(message, dimensions=dimensions, reference_data=reference, **common)
    extra |= {name: known[name] for name in ("rubric", "referenceData") if name in known}
    return ContractCase(message, **common)


def shorten(text: str, limit: int = 80) -> str:
    """Text of any length and content on one line of a message."""
    shown = "".join(sign if sign.isprintable() else "·" for sign in text[:limit])
    return shown if len(text) <= limit else shown + "…"


def _wrong_type(
    name: str,
    value: Any,
    kind: type,
    known: dict[str, Any],
    extra: dict[str, Any],
    wrong: list[Complaint],
) -> None:
    if kind is int and type(value) is float and value.is_integer():
        known[name] = int(value)
        return
    needed = name in _NEEDED
    if not needed:
        extra[name] = value
    hint = f"Write {_WORDS[kind]}."
    if name == "input" and type(value) is str:
        hint = 'Write `"input": {"message": "…"}`.'
    wrong.append(
        Complaint(
            (name,),
            f"`{name}` is {kind_of(value)}, not {_WORDS[kind]}",
            hint,
            Severity.ERROR if needed else Severity.WARNING,
            "wrong-type",
        )
    )


def _message(known: dict[str, Any], raw: dict[str, Any], wrong: list[Complaint]) -> str:
    holder = known.get("input")
    if holder is None:
        if raw.get("input") is None:
            wrong.append(_missing("input", raw, 'Write `"input": {"message": "…"}`.'))
        return ""
    message = holder.get("message")
    if type(message) is str:
        if len(message) > LONG_MESSAGE:
            what = f"The message has {len(message):,} characters"
            hint = "Few agents accept that; shorten it if the case fails."
            wrong.append(
                Complaint(("input", "message"), what, hint, Severity.WARNING, "long-message")
            )
        return message
    if message is None:
        near = did_you_mean("message", [key for key in holder if key != "message"])
        hint = near or 'Write `"input": {"message": "…"}`.'
        wrong.append(Complaint(("input",), "`input.message` is missing", hint, code="missing"))
    else:
        what = f"`input.message` is {kind_of(message)}, not text"
        wrong.append(Complaint(("input", "message"), what, "Write text.", code="wrong-type"))
    return ""


def _missing(name: str, others: Mapping[str, Any], hint: str) -> Complaint:
    near = did_you_mean(name, [key for key in others if key not in _TYPES])
    suffix = near.replace("Did you mean", "Is it").replace("?", " misspelt?") if near else hint
    return Complaint((), f"The case has no `{name}`", suffix, code="missing")


def _odd_id(id_: str) -> list[Complaint]:
    if not id_.isprintable():
        what = "The id holds control characters"
        return [
            Complaint(("id",), what, "Use letters, digits and `-`.", Severity.WARNING, "odd-id")
        ]
    if "/" in id_ or "\\" in id_ or ".." in id_:
        what = f"The id `{shorten(id_)}` looks like a path"
        hint = "It is only a name here; letters, digits and `-` travel better."
        return [Complaint(("id",), what, hint, Severity.LINT, "odd-id")]
    return []


def _misspelt(extra: Mapping[str, Any], raw: Mapping[str, Any]) -> list[Complaint]:
    absent = [name for name in _TYPES if name not in raw]
    found: list[Complaint] = []
    for name in extra:
        hint = did_you_mean(name, absent) if name not in _TYPES else ""
        if hint:
            what = f"`{shorten(name)}` is no field of a case"
            found.append(Complaint((name,), what, hint, Severity.WARNING, "unknown-key"))
    return found


def _rubric(raw: list[Any], wrong: list[Complaint]) -> tuple[RubricDimension, ...]:
    dimensions: list[RubricDimension] = []
    for index, item in enumerate(raw):
        fields = item if type(item) is dict else {}
        name, score = fields.get("dimension"), fields.get("maxScore")
        criteria = fields.get("criteria", "")
        if type(name) is str and isinstance(score, int | float) and type(criteria) is str:
            dimensions.append(RubricDimension(name, score, criteria))
            continue
        what = "A dimension needs `dimension` (text), `maxScore` (number) and `criteria` (text)"
        wrong.append(
            Complaint(("rubric", index), what, "Complete it.", Severity.WARNING, "wrong-type")
        )
    return tuple(dimensions)
