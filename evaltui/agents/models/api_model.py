"""A model behind an API: one request, streamed or not, becomes one reply."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

from msgspec.structs import replace

from evaltui.agents.models.dialect import Dialect
from evaltui.agents.models.model_faults import event_fault, status_fault
from evaltui.agents.models.model_options import ModelOptions
from evaltui.agents.models.offered_tools import OfferedTools, offer
from evaltui.agents.models.prices import PriceList
from evaltui.agents.models.reply_draft import Draft, Tokens
from evaltui.core.asked import AgentTraits
from evaltui.core.errors import AgentError, MissingSecretError, UserError
from evaltui.core.finite_json import NoNumber, decode_json
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.on_wait import OnWait, waiting_for_us
from evaltui.core.response import Usage
from evaltui.core.tool import ToolRegistry, short_hash
from evaltui.net.api_client import ApiClient
from evaltui.net.secret_mask import check_header_value

_FIXED = ("content-length", "transfer-encoding", "connection", "host")
_FRAME_TOKENS = 500
"""What an API may add of its own to say how tools are called."""
_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
_OWN_TOOLS = ("tools", "plugins", "web_search_options", "search_parameters")
"""What in `extra` lets an API use tools of its own, which are billed beside the tokens."""
COST_UNKNOWN = "what it cost is not known: the answer does not tell all that is billed"
NO_REASON = "the stream did not say why it ended"


class ApiModel(Model):
    """Chooses tools by asking an API. Every fault is an AgentError; secrets are masked in all."""

    def __init__(self, dialect: Dialect, options: ModelOptions) -> None:
        self._dialect = dialect
        self._options = options
        self._client = ApiClient(options.target, trust_env=options.trust_env)
        self._prices = PriceList(options.target.shown, options.price)
        self._path = dialect.path(options.target.path)
        self._headers: Mapping[str, str] | None = None
        self._registry: ToolRegistry | None = None
        self._offered: OfferedTools | None = None
        self._is_billed_beside = any(options.extra.get(name) for name in _OWN_TOOLS)
        """Whether tokens do not bound what an answer may cost."""
        self._sends_end_mark = False
        """Whether its streams end with `[DONE]`: of one that does, a stream without is cut."""
        self.name = f"{dialect.type}/{options.written_model}"
        self.fingerprint = short_hash(json.dumps(options.shaping, sort_keys=True, default=dict))
        self.traits = AgentTraits(
            is_free=options.is_free,
            may_tell_costs=True,
            states_price=options.price is not None,
        )

    def __repr__(self) -> str:
        return f"ApiModel({self.name})"

    @property
    def parameters(self) -> JsonObject:
        return self._options.shaping

    @property
    def files(self) -> frozenset[Path]:
        """The system prompt's file, if it has one."""
        return frozenset(path.absolute() for path in self._options.files)

    def hide(self, text: str) -> str:
        return self._options.secrets.mask.hide(text)

    async def close(self) -> None:
        await self._client.close()

    def body(self, request: ModelRequest) -> dict[str, Any]:
        """The JSON that is sent for `request`."""
        body = self._dialect.body(self._options, request, self._tools(request.registry))
        return body | dict(self._options.extra)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once. Raises AgentError, with what had arrived of the answer in its text."""
        tools = self._tools(request.registry)
        data = json.dumps(self.body(request), separators=(",", ":")).encode()
        draft = Draft(on_text=request.on_text)
        try:
            if self._headers is None:
                self._headers = _request_headers(self._dialect, self._options)
            await self._client.prepare(request.on_wait)
            draft.started = perf_counter()
            await self._exchange(data, draft, request.on_wait)
            duration_ms = (perf_counter() - draft.started) * 1000
            reply = draft.reply(tools.names.from_api, self._hide, request.turn)
        except AgentError as error:
            options = self._options
            raise options.secrets.mask.fault(
                error, options.retries, received=draft.received()
            ) from None
        with waiting_for_us(request.on_wait):  # the list of prices is read with the first answer
            usage = await self._usage(draft)
        is_cost_unknown = self._options.price is not None and (
            usage is None or usage.cost_usd is None
        )
        return ModelReply(
            text=reply.text,
            tool_calls=reply.tool_calls,
            usage=usage,
            first_token_ms=reply.first_token_ms,
            duration_ms=duration_ms,
            notes=(*tools.notes, *reply.notes, *((COST_UNKNOWN,) if is_cost_unknown else ())),
            provider_data=reply.provider_data,
        )

    async def most_usd(self, request: ModelRequest) -> float | None:
        """By the bytes that are sent, of which no tokenizer makes more than a token each, and the
        tokens that may be answered."""
        if self._is_billed_beside:
            return None
        body = self.body(request)
        tokens = [number for number in map(body.get, _LIMITS) if isinstance(number, int)]
        if not tokens:
            return None
        answers = body.get("n", 1)
        # As it is read: what is sent has escapes of six bytes for a letter of two.
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        sent = len(text.encode("utf-8", "surrogatepass")) + _FRAME_TOKENS
        written = sent if '"cache_control"' in text else 0
        worst = Tokens(
            sent,
            max(tokens) * (answers if isinstance(answers, int) else 1),
            cache_write=written,
            cache_write_1h=written,
        )
        return await self._prices.cost_usd((self._options.model,), worst)

    async def _exchange(self, data: bytes, draft: Draft, on_wait: OnWait | None) -> None:
        headers, options = self._headers or {}, self._options
        try:
            async with (
                asyncio.timeout(options.timeout_s),
                self._client.post(self._path, headers, data, on_wait) as answer,
            ):
                if answer.is_stream and not answer.is_refused:
                    async for name, text in answer.events():
                        self._hear(draft, name, text)
                    self._check_complete(draft)
                else:
                    body = options.secrets.mask.hide_body(await answer.read())
                    if answer.is_refused:
                        raise status_fault(answer.status, answer.headers, body, options.retries)
                    self._read_whole(body, draft)
        except TimeoutError:
            raise AgentError(
                f"no complete answer within {options.timeout_s:g} s. Raise `timeout`.",
                category="timeout",
                retryable=True,
                max_retries=options.retries,
            ) from None

    def _read_whole(self, body: bytes, draft: Draft) -> None:
        value = _parsed(body.decode("utf-8", "replace"), "the answer")
        if value.get("error"):
            raise event_fault(value["error"], self._options.retries)
        self._dialect.read_whole(value, draft)
        draft.first_token_ms = None  # it all came at once

    def _hear(self, draft: Draft, name: str, data: str) -> None:
        if not data.strip():
            return
        draft.events += 1
        if data.strip() == "[DONE]":
            draft.is_complete = draft.has_end_mark = True
            return
        what = f"event {draft.events} of the stream"
        event = _parsed(self._hide(data), what, is_piece=True)
        if event.get("error") or name == "error":
            raise event_fault(event.get("error") or event, self._options.retries)
        self._dialect.read_event(event, draft)

    def _check_complete(self, draft: Draft) -> None:
        is_short = self._sends_end_mark and not draft.has_end_mark
        self._sends_end_mark |= draft.has_end_mark
        if is_short or not draft.is_complete:
            after = f"after {draft.events} events" if draft.events else "without an event"
            raise AgentError(
                f"the stream ended {after}, before the answer was complete.",
                category="truncated",
                retryable=True,
            )
        if not draft.finish:
            draft.note(NO_REASON)

    async def _usage(self, draft: Draft) -> Usage | None:
        tokens = draft.tokens
        if tokens is None:
            return None
        models = (draft.model, self._options.model)
        is_silent = not tokens.output and bool(draft.pieces or draft.calls)
        if is_silent:
            tokens = replace(tokens, output=None, is_part=True)
        if draft.is_billed_beside:
            tokens = replace(tokens, is_part=True)
        if draft.is_billed_beside and not tokens.charged_usd:
            self._is_billed_beside = True
        cost = await self._prices.cost_usd(models, tokens)
        return Usage.reported(tokens.input, tokens.output, cost_usd=cost)

    def _tools(self, registry: ToolRegistry) -> OfferedTools:
        if self._offered is None or registry is not self._registry:
            self._offered = offer(registry, self._dialect.spell_tool)
            self._registry = registry
        return self._offered

    def _hide(self, text: str) -> str:
        return self._options.secrets.mask.hide_answer(text)


def _parsed(text: str, what: str, *, is_piece: bool = False) -> JsonObject:
    """Raises AgentError when `text` is no JSON object; retryable for a piece that breaks off."""
    try:
        value: Json = decode_json(text)
    except (ValueError, RecursionError) as error:
        shown = text.strip()[:200]
        if is_piece and shown.startswith(("{", "[")) and not isinstance(error, NoNumber):
            raise AgentError(
                f"{what} breaks off ({error}): {shown}…", category="truncated", retryable=True
            ) from None
        raise AgentError(
            f"{what} is not JSON ({error}): {shown or 'it is empty'}. Check `base_url`.",
            category="parse_error",
        ) from None
    if not isinstance(value, Mapping):
        raise AgentError(
            f"{what} is not a JSON object: {text.strip()[:200]}. Check `base_url`.",
            category="parse_error",
        )
    return value


def _request_headers(dialect: Dialect, options: ModelOptions) -> Mapping[str, str]:
    """All headers, keys filled in and noted as secrets.

    Raises AgentError of category `auth` when one is missing: with the first request and not
    earlier, because recordings are replayed without any key.
    """
    try:
        return _headers(dialect, options)
    except UserError as error:
        what = f"{error.what} {error.hint}".strip()
        raise AgentError(what, category="auth", is_unpaid=True) from None


def _headers(dialect: Dialect, options: ModelOptions) -> dict[str, str]:
    headers = {
        "User-Agent": "evaltui",
        "Accept": "text/event-stream" if options.stream else "application/json",
        "Accept-Encoding": "identity",  # a packed stream comes in lumps
        "Content-Type": "application/json",
    }
    secrets = options.secrets
    key = secrets.fill(options.key_template, "api_key", masks_literal=True)
    if not key and options.key_template and not options.has_own_key:
        raise MissingSecretError(
            "There is no API key.",
            f"Set `{dialect.key_variable}` in the environment or in .env.",
        )
    if key:
        check_header_value(key, "api_key")
        headers |= dialect.headers(key)
    elif options.target.authorization:
        headers["Authorization"] = options.target.authorization
    for name, value in secrets.headers(options.headers).items():
        for same in [own for own in headers if own.lower() == name.lower()]:
            del headers[same]
        if name.lower() not in _FIXED:
            headers[name] = value
    return headers
