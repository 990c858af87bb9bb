"""The options of an HTTP agent, checked key by key before the first request."""

import os
from collections.abc import Mapping

from msgspec import Struct

from evaltui.agents.http.answer_mapping import CONTRACT_MAPPING, AnswerMapping
from evaltui.agents.http.event_stream import StreamMapping, parse_rule
from evaltui.agents.http.json_path import parse_path
from evaltui.agents.http.request_template import CONTRACT_TEMPLATE, check_template
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.net import ANSWER_LIMIT
from evaltui.net.secret_mask import SecretMask, SecretResolver
from evaltui.net.target import Target, parse_target

_METHODS = ("POST", "PUT", "PATCH", "GET")
_KNOWN = (
    "url", "method", "headers", "request", "response", "stream", "events", "retries", "is_free",
    "max_answer_bytes",
)  # fmt: skip
_OPTIONAL_PATHS = ("input_tokens", "output_tokens", "cost_usd")


class HttpOptions(Struct, frozen=True):
    """Checked options; `headers` hold real values and must never be shown."""

    __repr__ = object.__repr__  # the fields may hold secrets

    target: Target
    method: str
    headers: Mapping[str, str]
    template: Mapping[str, Json]
    mapping: AnswerMapping
    stream: StreamMapping | None
    retries: int
    is_free: bool
    limit: int
    mask: SecretMask


def read_options(options: Mapping[str, Json], env: Mapping[str, str] | None = None) -> HttpOptions:
    """Raises UserError naming the option and what to write instead."""
    for key in options:
        if key not in _KNOWN:
            raise UserError(
                f"An `http` agent has no option `{key}`.", f"It knows: {', '.join(_KNOWN)}."
            )
    secrets = SecretResolver(os.environ if env is None else env)
    url = options.get("url")
    if not isinstance(url, str) or not url:
        raise UserError("An `http` agent needs a `url`.", "E.g. http://localhost:3000/chat.")
    target = parse_target(secrets.fill(url, "url"))
    secrets.mask.add_credentials(target)
    method = str(options.get("method", "POST")).upper()
    if method not in _METHODS:
        raise UserError(f"`method` is `{method}`.", f"Use one of {', '.join(_METHODS)}.")
    template = options.get("request", CONTRACT_TEMPLATE)
    if not isinstance(template, Mapping):
        raise UserError("`request` must be a table.", 'E.g. request = { prompt = "$message" }.')
    check_template(template, "request")
    is_free = options.get("is_free", target.is_local)
    if not isinstance(is_free, bool):
        raise UserError("`is_free` must be true or false.")
    return HttpOptions(
        target=target,
        method=method,
        headers=read_headers(options.get("headers", {}), secrets),
        template=template,
        mapping=_mapping(options.get("response", {})),
        stream=_stream(options),
        retries=_whole(options, "retries", 0, 0),
        is_free=is_free,
        limit=_whole(options, "max_answer_bytes", ANSWER_LIMIT, 1),
        mask=secrets.mask,
    )


def read_headers(table: Json, secrets: SecretResolver) -> Mapping[str, str]:
    """Names and values, `${NAME}` filled in. Raises UserError, without quoting a value."""
    if not isinstance(table, Mapping):
        raise UserError(
            "`headers` must be a table.", 'E.g. headers = { Authorization = "Bearer ${TOKEN}" }.'
        )
    texts: dict[str, str] = {}
    for name, template in table.items():
        if not isinstance(template, str):
            raise UserError(f"`headers.{name}` must be text.")
        texts[name] = template
    return secrets.headers(texts)


def _mapping(table: Json) -> AnswerMapping:
    if not isinstance(table, Mapping):
        raise UserError("`response` must be a table.", 'E.g. response = { text = "output.text" }.')
    known = list(AnswerMapping.__struct_fields__)
    if not table:
        return CONTRACT_MAPPING
    paths: dict[str, object] = {}
    for key, value in table.items():
        where = f"response.{key}"
        if key not in known:
            raise UserError(f"There is no `{where}`.", f"Known are: {', '.join(known)}.")
        if value is False and (key == "tool_calls" or key in _OPTIONAL_PATHS):
            paths[key] = None
        elif isinstance(value, str):
            paths[key] = parse_path(value, where)
        else:
            raise UserError(f"`{where}` must be a dot path.", "E.g. output.text.")
    return AnswerMapping(**paths)  # type: ignore[arg-type]


def _stream(options: Mapping[str, Json]) -> StreamMapping | None:
    events = options.get("events", {})
    if not isinstance(events, Mapping):
        raise UserError("`events` must be a table.", 'E.g. events = { text = "delta" }.')
    is_on = options.get("stream", bool(events))
    if not isinstance(is_on, bool):
        raise UserError("`stream` must be true or false.")
    if not is_on:
        return None
    rules = {}
    known = list(StreamMapping.__struct_fields__)
    for key, value in events.items():
        if key not in known or not isinstance(value, str):
            raise UserError(
                f"`events.{key}` is not a rule for events.",
                f"Known are {', '.join(known)}; each a dot path, or KEY=VALUE:PATH.",
            )
        rules[key] = parse_rule(value, f"events.{key}")
    return StreamMapping(**rules)


def _whole(options: Mapping[str, Json], key: str, default: int, least: int) -> int:
    value = options.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UserError(f"`{key}` must be a whole number from {least} on.")
    return value
