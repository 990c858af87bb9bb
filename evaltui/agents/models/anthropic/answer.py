"""Answers of Anthropic's messages, whole or as events."""

from collections.abc import Mapping

from evaltui.agents.models.anthropic.thinking import finish_blocks, keep_block, keep_delta
from evaltui.agents.models.billing import are_odd, bills_beside, charged_usd
from evaltui.agents.models.reply_draft import Draft, DraftCall, Tokens
from evaltui.core.errors import AgentError
from evaltui.core.json_value import JsonObject, object_of
from evaltui.core.reported_number import tokens


def read_whole(answer: JsonObject, draft: Draft) -> None:
    """Raises AgentError when it has no content."""
    content = answer.get("content")
    if not isinstance(content, list):
        keys = ", ".join(f"`{key}`" for key in list(answer)[:8]) or "nothing"
        raise AgentError(
            f"the answer has no `content`; it has {keys}. Check `base_url`.",
            category="contract_violation",
        )
    _take_message(answer, draft)
    _take_usage(object_of(answer.get("usage")), draft)
    for block in content:
        if isinstance(block, Mapping):
            _take_block(block, draft)
    _take_stop(answer, draft)
    finish_blocks(draft)
    draft.is_complete = True


def read_event(event: JsonObject, draft: Draft) -> None:
    """One event of the stream; unknown kinds are skipped, as the API's versioning asks."""
    match event.get("type"):
        case "message_start":
            message = object_of(event.get("message"))
            _take_message(message, draft)
            # How much it will say is not known yet: what stands there is no count of it.
            _take_usage({**object_of(message.get("usage")), "output_tokens": None}, draft)
        case "content_block_start":
            _take_block(object_of(event.get("content_block")), draft)
        case "content_block_delta":
            _take_delta(object_of(event.get("delta")), draft)
        case "message_delta":
            _take_usage(object_of(event.get("usage")), draft)
            _take_stop(object_of(event.get("delta")), draft)
        case "message_stop":
            finish_blocks(draft)
            draft.is_complete = True
        case _:
            pass


def _take_message(message: JsonObject, draft: Draft) -> None:
    if isinstance(model := message.get("model"), str) and model:
        draft.model = model


def _take_block(block: JsonObject, draft: Draft) -> None:
    kind = block.get("type")
    draft.open_block = str(kind or "")
    keep_block(block, draft)
    if kind == "text" and isinstance(text := block.get("text"), str):
        draft.say(text)
    elif kind == "tool_use":
        draft.touch()
        id_, name, whole = block.get("id"), block.get("name"), block.get("input")
        call = DraftCall(
            id=id_ if isinstance(id_, str) else "", name=name if isinstance(name, str) else ""
        )
        if isinstance(whole, Mapping):
            call.whole = whole
        elif whole is not None:
            call.pieces.append(str(whole))
        draft.calls.append(call)


def _take_delta(delta: JsonObject, draft: Draft) -> None:
    """Blocks are sent one after the other, so that a piece of input belongs to the last call."""
    kind = delta.get("type")
    keep_delta(delta, draft)
    if kind == "text_delta" and isinstance(text := delta.get("text"), str):
        draft.say(text)
    elif kind == "input_json_delta" and isinstance(piece := delta.get("partial_json"), str):
        if draft.open_block not in ("", "tool_use"):
            return  # of a tool of the API's own, which nobody here is asked to call
        if not draft.calls:
            raise AgentError(
                "the stream sends the input of a tool call that it did not start.",
                category="contract_violation",
            )
        draft.calls[-1].pieces.append(piece)
    elif kind == "thinking_delta":
        draft.touch()


def _take_stop(message: JsonObject, draft: Draft) -> None:
    reason = message.get("stop_reason")
    details = object_of(message.get("stop_details"))
    why = details.get("explanation") or details.get("category")
    if isinstance(reason, str) and reason:
        draft.end(reason, why if isinstance(why, str) else "")


def _take_usage(usage: JsonObject, draft: Draft) -> None:
    """Counts are cumulative; a later event replaces only what it names."""
    named = {key: value for key, value in usage.items() if value is not None}
    if named:
        draft.usage = {**draft.usage, **named}
        draft.tokens = reported_tokens(draft.usage)
        draft.is_billed_beside = bills_beside(draft.usage)


_PLAIN = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_KEPT = ("ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")


def reported_tokens(usage: JsonObject) -> Tokens:
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
        input=put_in if put_in and not are_odd(values) else None,
        output=tokens(answered),
        cache_read=read,
        cache_write=written,
        cache_write_1h=hour,
        charged_usd=charged_usd(usage),
        is_part=are_odd((*values, answered)) or not put_in or tokens(answered) is None,
    )
