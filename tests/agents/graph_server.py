"""A stand-in for a LangGraph server, written from its wire format: threads, runs, messages."""

import asyncio
import json
from typing import Any

from tests.agents.servers import Asked, answer


class Graph:
    """Answers `/runs/wait` with the whole thread; `new` are the messages that a run adds."""

    def __init__(self, *new: dict[str, Any], **state: Any) -> None:
        self.new, self.state = list(new), state
        self.keeps_ids = True

    async def __call__(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        method, path, _ = asked.line.split()
        body = asked.json
        if method != "POST" or not path.endswith("/runs/wait"):
            writer.write(answer({"detail": "Not Found"}, status="404 Not Found"))
            return
        if body["assistant_id"] != "agent":
            writer.write(answer({"detail": "Assistant not found"}, status="404 Not Found"))
            return
        types = {"user": "human", "assistant": "ai", "tool": "tool", "system": "system"}
        thread = [
            {**{k: v for k, v in each.items() if k != "role"}, "type": types[each["role"]]}
            for each in body["input"]["messages"]
        ]
        if not self.keeps_ids:
            for at, each in enumerate(thread):
                each["id"] = f"server-{at}"
        writer.write(answer(json.dumps({**self.state, "messages": thread + self.new})))


def ai(
    content: Any, *calls: dict[str, Any], tokens: tuple[int, ...] | None = None
) -> dict[str, Any]:
    message: dict[str, Any] = {
        "type": "ai",
        "content": content,
        "tool_calls": list(calls),
        "id": None,
    }
    if tokens:
        names = ("input_tokens", "output_tokens", "total_tokens")
        message["usage_metadata"] = dict(zip(names, tokens, strict=False))
    return message


def call(name: str, id_: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "args": arguments, "id": id_, "type": "tool_call"}


def result(id_: str, content: Any, status: str = "success", name: str = "") -> dict[str, Any]:
    return {"type": "tool", "content": content, "tool_call_id": id_, "status": status, "name": name}
