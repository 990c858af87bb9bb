"""A model's reply while it comes in: text, calls and counts, from a stream or all at once."""

import json
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any

from msgspec import Struct, field

from evaltui.agents.models.endings import bad_ending
from evaltui.agents.models.surrogates import ends_in_half, whole_text
from evaltui.core.errors import AgentError
from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.model import ModelReply
from evaltui.core.response import ToolCall


class DraftCall(Struct):
    """One call; `arguments` is JSON in pieces, or already an object."""

    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)
    whole: JsonObject | None = None


class Tokens(Struct, frozen=True):
    """What the API counted, `None` where it did not; `input` includes what was read from or
    written to its cache."""

    input: int | None = None
    output: int | None = None
    cache_read: int = 0
    cache_write: int = 0
    cache_write_1h: int = 0
    """Of those written, the ones that are kept for an hour, which cost more."""
    charged_usd: float | None = None
    """What the API says that the answer did cost."""
    is_part: bool = False
    """Whether not all is told that is billed: a price of tokens does not say what it cost."""


class Draft(Struct):
    """Grows with every event; `finish` is empty until the API says why it stopped."""

    started: float = field(default_factory=perf_counter)
    on_text: Callable[[str], None] | None = None
    pieces: list[str] = field(default_factory=list)
    open_block: str = ""
    """Kind of the block that a stream is sending, where the API sends its answer in blocks."""
    calls: list[DraftCall] = field(default_factory=list)
    usage: JsonObject = field(default_factory=dict)
    """What the events of a stream told of it so far, where each tells another part."""
    tokens: Tokens | None = None
    is_billed_beside: bool = False
    """Whether the API used tools of its own, which are billed beside the tokens."""
    model: str = ""
    """As the API names it, which is often more exact than what was asked for."""
    finish: str = ""
    fault: AgentError | None = None
    """Why it is no answer: it was cut off, refused or filtered."""
    is_complete: bool = False
    has_end_mark: bool = False
    first_token_ms: float | None = None
    notes: list[str] = field(default_factory=list)
    events: int = 0
    provider_data: dict[str, Any] = field(default_factory=dict)
    """What the API wants back with the next turn, in the dialect's own form."""
    half: str = ""
    """A high surrogate that waits for its other half."""

    @property
    def text(self) -> str:
        return whole_text("".join(self.pieces) + self.half)

    def say(self, piece: str) -> None:
        """Add a piece of text and pass it on."""
        if not piece:
            return
        self.touch()
        piece = self.half + piece
        self.half = piece[-1] if ends_in_half(piece) else ""
        if piece := whole_text(piece[:-1] if self.half else piece):
            self.pieces.append(piece)
            if self.on_text is not None:
                self.on_text(piece)

    def end(self, reason: str, why: str = "") -> None:
        """The API says why it stopped; a bad ending stays one, whatever follows."""
        self.finish = reason
        self.fault = self.fault or bad_ending(reason, why)

    def touch(self) -> None:
        """Something of the answer arrived: the first time is the time to the first token."""
        if self.first_token_ms is None:
            self.first_token_ms = (perf_counter() - self.started) * 1000

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def received(self) -> str:
        """What came in before a fault, in words; empty when nothing did."""
        parts = []
        if text := self.text.strip():
            parts.append(f"the text `{text[:200]}…`")  # broken off: maybe in the midst of a secret
        if names := [f"`{call.name}`" for call in self.calls if call.name]:
            parts.append(f"{'a call' if len(names) == 1 else 'calls'} of {', '.join(names)}")
        return f" Received so far: {' and '.join(parts)}." if parts else ""

    def reply(
        self, own_name: Callable[[str], str], hide: Callable[[str], str], turn: int
    ) -> ModelReply:
        """The finished reply, without usage and duration.

        `own_name` turns the API's tool names into the registry's, `hide` masks secrets. Raises
        AgentError for a bad end and for calls without a name.
        """
        if self.fault is not None:
            raise self.fault
        calls: list[ToolCall] = []
        taken: set[str] = set()
        for index, call in enumerate(self.calls):
            if not call.name:
                raise AgentError(
                    f"tool call {index + 1} of the answer has no name.",
                    category="contract_violation",
                )
            id_ = call.id if call.id and call.id not in taken else f"call_{turn}_{index}"
            taken.add(id_)
            source: Json = call.whole
            if source is None or call.pieces:
                source = hide(whole_text("".join(call.pieces)))
            params, error = read_arguments(source)
            calls.append(ToolCall(own_name(call.name), params, error=error, id=id_))
        return ModelReply(
            text=hide(self.text),
            tool_calls=tuple(calls),
            first_token_ms=self.first_token_ms,
            notes=tuple(self.notes),
            provider_data=self.provider_data,
        )


def read_arguments(source: Json) -> tuple[JsonObject | None, str]:
    """Params and an error; one of them says something. No text at all means no arguments.

    Halves of surrogate pairs become U+FFFD, since they cannot be written as UTF-8.
    """
    value: Json = source
    if isinstance(source, str):
        if not source.strip():
            return {}, ""
        try:
            value = decode_json(source)
        except (ValueError, RecursionError) as error:
            return None, f"the arguments are not JSON ({_why(error)}): {_short(source)}"
        if isinstance(value, str):  # some servers encode the arguments twice
            with suppress(ValueError, RecursionError):
                value = decode_json(value)
    if isinstance(value, dict):
        return _clean(value), ""
    if value is None:
        return {}, ""
    return None, f"the arguments are not an object: {_short(json.dumps(value))}"


def _clean(value: JsonObject) -> JsonObject:
    text = json.dumps(value, ensure_ascii=False)
    whole = whole_text(text)
    if whole is text:
        return value
    cleaned: JsonObject = json.loads(whole)
    return cleaned


def _why(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _short(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"
