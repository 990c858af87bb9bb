"""What OpenAI's APIs, and those that speak like them, tell of the tokens of an answer."""

from collections.abc import Mapping

from evaltui.agents.models.reply_draft import Tokens
from evaltui.core.json_value import Json, JsonObject

_DETAILS = ("completion_tokens_details", "output_tokens_details")
_CACHED = ("prompt_tokens_details", "input_tokens_details")


def told_tokens(asked: Json, answered: Json, usage: JsonObject) -> Tokens | None:
    """`asked` and `answered`: as the API calls them. `None` where neither they nor a total are
    told as numbers: what such an answer costs nobody knows.

    Some leave tokens of reasoning out of those of the answer, and bill them.
    """
    total = _count(usage.get("total_tokens"))
    put_in, put_out = _count(asked), _count(answered)
    if not (put_in or put_out or total):
        return None
    inner, beside = _of(usage, _DETAILS, "reasoning_tokens"), _count(usage.get("reasoning_tokens"))
    apart = inner if inner > put_out else 0 if total else beside
    return Tokens(
        input=put_in,
        output=max(put_out + apart, total - put_in),
        cache_read=_of(usage, _CACHED, "cached_tokens"),
    )


def _of(usage: JsonObject, names: tuple[str, ...], key: str) -> int:
    found = next((each for name in names if isinstance(each := usage.get(name), Mapping)), None)
    return _count(found.get(key)) if found is not None else 0


def _count(value: Json) -> int:
    """Of what is no number, or below zero: 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return max(0, int(value))
