"""Short fingerprints of values, cases and tools: equal exactly when nothing that counts differs."""

import re
from collections.abc import Callable, Mapping
from functools import cache

from msgspec.json import Encoder

from evaltui.core.case import Case, Tier
from evaltui.core.json_value import Json
from evaltui.core.tool import ToolDefinition, ToolStatus, short_hash, short_hash_of


def fingerprint(value: Json) -> str:
    """12 hex digits of a JSON value; the order of keys does not count."""
    return short_hash_of(_canonical(value))


def _canonical(value: Json) -> bytes:
    """The text that has always been hashed: as `json` writes it, at a tenth of its time."""
    try:
        text = _ENCODER.encode(value)
    except UnicodeEncodeError:  # half a surrogate pair
        text = b""
    if not text or _TINY in text or _EXPONENT.search(text):
        return _encoder()(value).encode("utf-8", "surrogatepass")
    return text


def case_fingerprint(case: Case) -> str:
    """12 hex digits of what decides a case's verdict, however the file is laid out.

    Its description, keys that the contract does not know and other remarks do not count, except for
    a regression case, which is never to be edited at all (contract requirement 55, B6). Place and
    id do not count: ids name it.
    """
    return _print_of(case, case.extra if case.tier is Tier.REGRESSION else {})


def former_fingerprint(case: Case) -> str:
    """What versions told whose results may still be there, to whom keys that the contract does not
    know were a part of the case; empty where it is no other than that of now."""
    is_other = bool(case.extra) and case.tier is not Tier.REGRESSION
    return _print_of(case, case.extra) if is_other else ""


def is_print_of(text: str, case: Case) -> bool:
    """Whether a result with this print is one of the case as it is now."""
    return bool(text) and (text == case_fingerprint(case) or text == former_fingerprint(case))


def _print_of(case: Case, extra: Mapping[str, Json]) -> str:
    body = case.body
    parts: dict[str, Json] = {
        "tier": case.tier.value,
        "message": body.message,
        "expect": body.expect,
        "stubs": body.stubs,
        "maxTurns": body.max_turns,
        "invalid": case.invalid,
        "extra": extra,
    }
    if body.evaluators:
        parts["evaluators"] = [[use.type, use.config] for use in body.evaluators]
    parts |= body.own_parts()
    if case.tier is Tier.REGRESSION:
        parts["remarks"] = [case.description, body.difficulty, body.created_at, body.bug_ref]
    return fingerprint(parts)


def answer_fingerprint(case: Case) -> str:
    """12 hex digits of what the agent is given of a case; a case that is not asked is apart."""
    body = case.body
    parts: list[Json] = [body.message, body.stubs, body.max_turns, bool(case.invalid)]
    if case.invalid:
        parts.append(case.invalid)  # it is the reason that is shown
    return fingerprint([*parts, *body.own_question()])


def tool_fingerprints(tool: ToolDefinition) -> dict[str, str]:
    """12 hex digits by `<tool>.<field>`, for every field that can move an agent's choice.

    A field that could not be read counts by the expression written there.
    """
    unread = {each.field: each.expression for each in tool.unresolved}
    values: dict[str, Json] = {
        "description": tool.description,
        "parameters": tool.parameters,
        "version": tool.version,
        "status": tool.status.value,
    }
    return {
        f"{tool.name}.{name}": fingerprint(
            {"unread": unread[name]} if name in unread else {"value": value}
        )
        for name, value in values.items()
    }


def shown_print(name: str, prints: Mapping[str, str]) -> str:
    """8 hex digits of what an agent is shown of a tool: its name, description and parameters.

    `prints` as `tool_fingerprints` makes them, of this tool or of others too. Empty for a tool that
    is not there or was removed.
    """
    seen = [prints.get(f"{name}.{field}", "") for field in ("description", "parameters")]
    if not any(seen) or prints.get(f"{name}.status") == removed_print():
        return ""
    return short_hash(" ".join((name, *seen)))[:SHOWN_LENGTH]


def tool_fingerprint(tool: ToolDefinition) -> str:
    """12 hex digits of all of a tool that can move an agent's choice."""
    return short_hash("\n".join(f"{key}={text}" for key, text in tool_fingerprints(tool).items()))


@cache
def removed_print() -> str:
    """That of the status of a tool that no agent is shown any more."""
    return fingerprint({"value": ToolStatus.REMOVED.value})


@cache
def _encoder() -> Callable[[Json], str]:
    from json import JSONEncoder  # the first frame has no need of it

    return JSONEncoder(
        ensure_ascii=False, check_circular=False, sort_keys=True, separators=(",", ":")
    ).encode


_ENCODER = Encoder(order="sorted")
_TINY, _EXPONENT = b"0.0000", re.compile(rb"e[-0-9]")
"""In numbers that `json` writes otherwise, as `1e-05` and `1e+16`, and in texts that look alike."""
SHOWN_LENGTH = 8
