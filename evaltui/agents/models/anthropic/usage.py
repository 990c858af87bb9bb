"""Token usage as Anthropic's messages report it."""

from collections.abc import Mapping

from evaltui.agents.models.billing import are_odd, charged_usd
from evaltui.agents.models.reply_draft import Tokens
from evaltui.core.json_value import JsonObject
from evaltui.core.told_number import tokens

_PLAIN = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_KEPT = ("ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")


def told_tokens(usage: JsonObject) -> Tokens:
    """All that was told by the end of the answer; what was written to the cache counts also where
    it is told only by how long it is kept."""
    creation = usage.get("cache_creation")
    creation = creation if isinstance(creation, Mapping) else {}
    answered = usage.get("output_tokens")
    values = [usage.get(key) for key in _PLAIN] + [creation.get(key) for key in _KEPT]
    plain, read, written, minutes, hour = (tokens(value) or 0 for value in values)
    written = max(written, minutes + hour)
    put_in = plain + read + written
    return Tokens(
        input=put_in,
        output=tokens(answered) or 0,
        cache_read=read,
        cache_write=written,
        cache_write_1h=hour,
        charged_usd=charged_usd(usage),
        is_part=are_odd((*values, answered)) or not put_in or tokens(answered) is None,
    )
