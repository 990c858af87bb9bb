"""Answers of model APIs as they stand on the wire, written by hand from their documentation."""

import json
from typing import Any


def sse(*events: Any, names: bool = False, done: bool = True) -> bytes:
    """A stream; `names` adds the `event:` lines that Anthropic sends."""
    lines = []
    for event in events:
        if names:
            lines.append(f"event: {event['type']}\n")
        text = event if isinstance(event, str) else json.dumps(event)
        lines.append(f"data: {text}\n\n")
    if done and not names:
        lines.append("data: [DONE]\n\n")
    return "".join(lines).encode()


def stream(body: bytes) -> bytes:
    """A response whose body ends with the connection's chunks, complete."""
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    )


def broken_stream(body: bytes) -> bytes:
    """The same, but the last chunk never comes."""
    return stream(body)[: -len(b"0\r\n\r\n")]


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def piece(index: int | None = None, id_: str = "", name: str = "", args: str = "") -> Any:
    """A piece of a call as chat completions stream it."""
    function = ({"name": name} if name else {}) | {"arguments": args}
    found: dict[str, Any] = {"function": function}
    if index is not None:
        found["index"] = index
    return found | ({"id": id_, "type": "function"} if id_ else {})


def openai_text(text: str) -> tuple[dict[str, Any], ...]:
    return (chunk(role="assistant", content=""), chunk(content=text), chunk("stop"))


def anthropic_text(text: str, stop: str = "end_turn") -> tuple[dict[str, Any], ...]:
    return (
        {"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 7}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": text},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    )
