"""What is sent: the contract's `{message}`, or a template from the configuration."""

import json
from collections.abc import Callable, Mapping
from typing import Final
from uuid import uuid4

from evaltui.core.agent import AgentRequest
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json

_ENCODE: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode

VALUES: Final[Mapping[str, Callable[[AgentRequest], Json]]] = {
    "$message": lambda request: request.message,
    "$case_id": lambda request: request.key.case,
    "$history": lambda request: [
        {"role": message.role, "content": message.content} for message in request.history
    ],
    "$messages": lambda request: [
        {"role": one.role, "content": one.content} for one in request.messages
    ],
    "$stubs": lambda request: request.stubs,
    "$conversation": lambda request: request.conversation or str(uuid4()),
    "$unique": lambda _: str(uuid4()),
}
"""What a template may name; `$conversation` is the same for all turns of a conversation, `$unique`
differs in every request, both for agents that keep sessions."""


CONTRACT_TEMPLATE: Final[Mapping[str, Json]] = {"message": "$message"}


def check_template(template: Json, where: str) -> None:
    """Raises UserError for a `$name` that nothing can fill."""
    if isinstance(template, str):
        if template.startswith("$") and not template.startswith("$$") and template not in VALUES:
            raise UserError(
                f"`{where}` is `{template}`, which names no value.",
                f"Use one of {', '.join(sorted(VALUES))}; write $$ for a plain dollar sign.",
            )
    elif isinstance(template, Mapping):
        for key, value in template.items():
            check_template(value, f"{where}.{key}")
    elif isinstance(template, list | tuple):
        for index, value in enumerate(template):
            check_template(value, f"{where}[{index}]")


def fill_template(template: Json, request: AgentRequest) -> Json:
    """`template` with every string that is exactly one of VALUES replaced."""
    if isinstance(template, str):
        value = VALUES.get(template)
        if value is not None:
            return value(request)
        return template[1:] if template.startswith("$$") else template
    if isinstance(template, Mapping):
        return {key: fill_template(value, request) for key, value in template.items()}
    if isinstance(template, list | tuple):
        return [fill_template(value, request) for value in template]
    return template


def json_body(template: Mapping[str, Json], request: AgentRequest) -> bytes:
    """The request body as compact JSON in UTF-8; lone surrogates are sent as escapes."""
    if template is CONTRACT_TEMPLATE:
        text = f'{{"message":{_ENCODE(request.message)}}}'
    else:
        text = _ENCODE(fill_template(template, request))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(fill_template(template, request)).encode("ascii")


def query_string(template: Mapping[str, Json], request: AgentRequest) -> str:
    """The template as a query for GET; values that are not text are sent as JSON."""
    from urllib.parse import quote

    filled = fill_template(template, request)
    assert isinstance(filled, Mapping)
    return "&".join(
        f"{quote(str(key), safe='')}="
        + quote(
            value if isinstance(value, str) else _ENCODE(value), safe="", errors="surrogatepass"
        )
        for key, value in filled.items()
    )
