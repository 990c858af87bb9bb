"""The options of an HTTP agent, checked key by key before the first request."""

import os
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from evaltui.agents.http.answer_mapping import CONTRACT_MAPPING, AnswerMapping
from evaltui.agents.http.event_stream import StreamMapping, parse_rule
from evaltui.agents.http.json_path import parse_path
from evaltui.agents.http.request_template import CONTRACT_TEMPLATE, check_template
from evaltui.agents.profiles.http import AnswerPaths, HttpProfile
from evaltui.agents.profiles.reading import read_profile
from evaltui.core.json_value import Json
from evaltui.net.secret_mask import SecretMask, SecretResolver
from evaltui.net.target import Target, parse_target


class HttpOptions(Struct, frozen=True):
    """Checked options; headers hold real values and must never be shown."""

    __repr__ = object.__repr__  # the fields may hold secrets

    target: Target
    method: str
    headers: Mapping[str, str]
    persona_headers: Mapping[str, Mapping[str, str]]
    template: Mapping[str, Json]
    mapping: AnswerMapping
    stream: StreamMapping | None
    retries: int
    is_free: bool
    is_taken_free: bool
    """Whether it is free since its address is local, and nobody said so."""
    limit: int
    mask: SecretMask


def read_options(options: Mapping[str, Json], env: Mapping[str, str] | None = None) -> HttpOptions:
    """Raises UserError naming the option and what to write instead."""
    written = read_profile(HttpProfile, "http", options)
    secrets = SecretResolver(os.environ if env is None else env)
    target = parse_target(secrets.fill(written.url, "url"))
    secrets.mask.add_credentials(target)
    template = CONTRACT_TEMPLATE if written.request is None else written.request
    check_template(template, "request")
    secrets.note_body(template)
    events = written.events.given() if written.events else {}
    is_stream = bool(events) if written.stream is None else written.stream
    return HttpOptions(
        target=target,
        method=written.method,
        headers=secrets.headers(written.headers),
        persona_headers=secrets.headers_of_each(written.persona_headers),
        template=template,
        mapping=_mapping(written.response),
        stream=_stream(events) if is_stream else None,
        retries=written.retries,
        is_free=target.is_local if written.is_free is None else written.is_free,
        is_taken_free=target.is_local and written.is_free is None,
        limit=written.max_answer_bytes,
        mask=secrets.mask,
    )


_NOWHERE = dict.fromkeys(("input_tokens", "output_tokens", "cost_usd"), False)
"""What is read of them where a profile says `false`."""


def _mapping(table: AnswerPaths | None) -> AnswerMapping:
    given: dict[str, Any] = table.given() if table else {}
    is_plain = bool(given.pop("plain_text", False))
    texts = given.get("text")
    instead: list[str] = []
    if isinstance(texts, list):
        given["text"], *instead = texts
    paths: dict[str, Any] = {
        key: parse_path(value, f"response.{key}") if value else _NOWHERE.get(key)
        for key, value in given.items()
    }
    if not paths and not is_plain:
        return CONTRACT_MAPPING
    others = tuple(parse_path(one, "response.text") for one in instead)
    return AnswerMapping(**paths, text_instead=others, plain_text=is_plain)


def _stream(rules: Mapping[str, str]) -> StreamMapping:
    return StreamMapping(**{key: parse_rule(rule, f"events.{key}") for key, rule in rules.items()})
