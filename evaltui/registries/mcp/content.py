"""An MCP server's answer to a call, as a result for a model."""

from typing import Any

from evaltui.core.json_or_text import json_or_text
from evaltui.core.json_value import Json


def result_of(answer: Any) -> tuple[bool, Json, str]:
    """Success, result and error of a `CallToolResult`.

    Structured content wins; texts are joined, and read as JSON when they are some; what is no
    text is named, not sent.
    """
    texts = [_text(block) for block in answer.content]
    text = "\n".join(texts)
    if answer.is_error:
        return False, {"error": text}, text or "the tool failed"
    if answer.structured_content is not None:
        return True, answer.structured_content, ""
    return True, _value(text), ""


def _text(block: Any) -> str:
    kind = getattr(block, "type", "")
    if kind == "text":
        return str(block.text)
    if kind == "resource":
        text = getattr(block.resource, "text", None)
        return str(text) if text is not None else f"[{block.resource.uri}]"
    if kind == "resource_link":
        return f"[{block.uri}]"
    return f"[{kind} {getattr(block, 'mime_type', '') or ''}]".replace(" ]", "]")


def _value(text: str) -> Json:
    return json_or_text(text) if text.lstrip().startswith(("{", "[")) else text
