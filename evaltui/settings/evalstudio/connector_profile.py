"""A connector of an EvalStudio workspace as a profile of an agent."""

from typing import Any

_ANSWERS = ("message.content", "content", "response")
"""Where the answer of an HTTP connector may stand; the first that is there counts."""


def profile_of(connector: Any, of_personas: dict[str, dict[str, str]]) -> dict[str, Any]:
    """`[agents.NAME]` for a connector."""
    config = connector.config.given() if connector.config is not None else {}
    headers: dict[str, Any] = {"headers": dict(connector.headers)} if connector.headers else {}
    headers |= {"persona_headers": of_personas} if of_personas else {}
    if connector.type == "http":
        return {
            "type": "http",
            "url": connector.base_url + config.get("path", ""),
            "method": config.get("method", "POST"),
            **headers,
            "request": {"messages": "$messages"},
            "response": {
                "text": [*_ANSWERS],
                "messages": "messages",
                "plain_text": True,
                "tool_calls": False,
            },
        }
    options = {key: config[key] for key in ("assistant_id", "configurable") if key in config}
    options |= {"base_url": connector.base_url, "thread": True}
    return {"type": "langgraph", **headers, **options}
