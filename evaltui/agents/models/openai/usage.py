"""Token usage as OpenAI's APIs, and compatible ones, report it."""

from collections.abc import Mapping

from evaltui.agents.models.billing import are_odd, charged_usd
from evaltui.agents.models.reply_draft import Tokens
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.reported_number import tokens

_DETAILS = ("completion_tokens_details", "output_tokens_details")
_CACHED = ("prompt_tokens_details", "input_tokens_details")


def reported_tokens(asked: Json, answered: Json, usage: JsonObject) -> Tokens | None:
    """`asked` and `answered`: as the API calls them. `None` where neither they nor a total are
    told as numbers, and no cost: what such an answer costs nobody knows.

    Some leave tokens of reasoning out of those of the answer, and bill them.
    """
    reasoning = _of(usage, _DETAILS, "reasoning_tokens")
    values = (asked, answered, usage.get("total_tokens"), usage.get("reasoning_tokens"), reasoning)
    put_in, put_out, total, beside, inner = (tokens(value) or 0 for value in values)
    charged, is_odd = charged_usd(usage), are_odd(values)
    if not (put_in or put_out or total or is_odd) and charged is None:
        return None
    apart = inner if inner > put_out else 0 if total else beside
    tells_input = bool(put_in) or total > put_out
    tells_output = tokens(answered) is not None or total > put_in
    return Tokens(
        input=put_in if tells_input else None,
        output=max(put_out + apart, total - put_in) if tells_output else None,
        cache_read=tokens(_of(usage, _CACHED, "cached_tokens")) or 0,
        cache_write=tokens(_of(usage, _CACHED, "cache_write_tokens"))
        or tokens(usage.get("cache_creation_input_tokens"))
        or 0,
        charged_usd=charged,
        is_part=is_odd or not (tells_input and tells_output),
    )


def _of(usage: JsonObject, names: tuple[str, ...], key: str) -> Json:
    found = next((each for name in names if isinstance(each := usage.get(name), Mapping)), None)
    return found.get(key) if found is not None else None
