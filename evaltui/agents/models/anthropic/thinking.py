"""Thinking, which the API wants back unchanged and in its place while tools are being used."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from evaltui.agents.models.reply_draft import Draft
from evaltui.core.json_value import JsonObject

_BLOCKS = "content"
_THINKING = ("thinking", "redacted_thinking")
_PIECES = {
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "text_delta": "text",
}


def keep_block(block: JsonObject, draft: Draft) -> None:
    """A block of the answer, or the start of one; of a call only its place is kept."""
    kept = {"type": "tool_use"} if block.get("type") == "tool_use" else dict(block)
    draft.provider_data.setdefault(_BLOCKS, []).append(kept)


def keep_delta(delta: JsonObject, draft: Draft) -> None:
    """More of the block that was started last: they come one after the other."""
    key = _PIECES.get(str(delta.get("type")))
    blocks: list[dict[str, Any]] = draft.provider_data.get(_BLOCKS, [])
    if key and blocks and isinstance(piece := delta.get(key), str):
        blocks[-1][key] = f"{blocks[-1].get(key) or ''}{piece}"


def finish_blocks(draft: Draft) -> None:
    """Nothing has to be kept of an answer without thinking."""
    blocks: list[dict[str, Any]] = draft.provider_data.get(_BLOCKS, [])
    if not any(block.get("type") in _THINKING for block in blocks):
        draft.provider_data.pop(_BLOCKS, None)


def in_their_places(
    provider_data: JsonObject, blocks: Sequence[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Blocks of a message, text and calls, with the thinking where it came.

    Its texts are sent as they came too: the API compares the whole answer with the signatures.
    """
    kept: Any = provider_data.get(_BLOCKS)
    if not kept:
        yield from blocks
        return
    calls = (block for block in blocks if block["type"] == "tool_use")
    for block in kept:
        if block.get("type") == "tool_use":
            yield from islice(calls, 1)
        elif block.get("type") != "text" or block.get("text"):
            yield dict(block)
    yield from calls
