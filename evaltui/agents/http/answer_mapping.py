"""What comes back: the contract's `{response, toolCalls}`, or other shapes by dot paths."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeVar

from msgspec import Struct

from evaltui.agents.http.json_path import MISSING, Missing, Path, first_at, parse_path, values_at
from evaltui.agents.reported_usage import reported_usage
from evaltui.core.errors import AgentError
from evaltui.core.finite_json import decode_external, decode_json
from evaltui.core.json_value import Json
from evaltui.core.reported_number import tokens, usd
from evaltui.core.response import ToolCall, Usage

Number = TypeVar("Number", int, float)

_KEY = {
    key: parse_path(key)
    for key in ("response", "toolCalls", "name", "params", "success", "durationMs", "result")
}


class AnswerMapping(Struct, frozen=True):
    """Dot paths into the answer; those of a call start at the call."""

    text: Path = _KEY["response"]
    text_instead: tuple[Path, ...] = ()
    """Where the text stands when nothing is at `text`; the first that is there counts."""
    messages: Path | None = None
    """Where the whole conversation stands, when none of these is there."""
    plain_text: bool = False
    """Whether an answer that is no object, in JSON or not, is the text itself."""
    tool_calls: Path | None = _KEY["toolCalls"]
    """`None`: the agent reports none but those in its messages, and the mapping says so."""
    name: Path = _KEY["name"]
    params: Path = _KEY["params"]
    success: Path = _KEY["success"]
    duration: Path = _KEY["durationMs"]
    result: Path = _KEY["result"]
    input_tokens: Path | Literal[False] | None = None
    """As the next two: `None` where the contract has it, `False` nowhere."""
    output_tokens: Path | Literal[False] | None = None
    cost_usd: Path | Literal[False] | None = None

    @property
    def may_tell_costs(self) -> bool:
        """Whether an answer can say what it cost."""
        return self.cost_usd is not False


def parse_json(body: bytes, kind: str) -> Json:
    """Body to value; `kind` is the content type, for the message. Raises AgentError."""
    try:
        value: Json = decode_external(body)
    except (ValueError, RecursionError) as error:
        raise AgentError(_not_json(body, kind, error), category="parse_error") from error
    return value


def parse_answer(body: bytes, kind: str, mapping: AnswerMapping) -> Json:
    """As `parse_json`; what is no JSON is a text where the mapping takes one."""
    try:
        value = parse_json(body, kind)
    except AgentError:
        if mapping.plain_text and (text := body.decode("utf-8", "replace")).strip():
            return text
        raise
    # Counted first, which is quick; a key may also be written with escapes.
    if mapping is CONTRACT_MAPPING:
        twice = [written for written in _WRITTEN_ONCE if body.count(written) > 1]
        if twice or b"\\u" in body:
            _refuse_repeated(body)
    return value


def read_answer(value: Json, mapping: AnswerMapping) -> tuple[str, tuple[ToolCall, ...]]:
    """Text and calls of one answer. Raises AgentError naming what is missing or of a wrong type."""
    if mapping.plain_text and isinstance(value, str):
        return value, ()
    if not isinstance(value, dict):
        raise _wrong("the answer", value, "a JSON object")
    if mapping is CONTRACT_MAPPING and (answer := _plain_answer(value)):
        return answer
    return _text(value, mapping), read_calls(value, mapping)


def read_calls(value: Mapping[str, Json], mapping: AnswerMapping) -> tuple[ToolCall, ...]:
    """Those at the place that the mapping names. Raises AgentError."""
    path = mapping.tool_calls
    if path is None:
        return ()
    found = values_at(value, path)
    if found is None and mapping is not CONTRACT_MAPPING:
        return ()
    if found is MISSING:
        if _may_be_absent(value, path):
            return ()
        raise _missing(f"`{path}`", value)
    if not isinstance(found, list):
        raise _wrong(f"`{path}`", found, "a list")
    return tuple(
        read_call(call, mapping, f"{path}[{index}]" if not path.is_many else f"{path} #{index + 1}")
        for index, call in enumerate(found)
    )


def _text(value: Json, mapping: AnswerMapping) -> str:
    """The text; all of them where the path leads to several, none where it holds null."""
    path = mapping.text
    if mapping.text_instead and first_at(value, path) is MISSING:
        others = (one for one in mapping.text_instead if first_at(value, one) is not MISSING)
        path = next(others, path)
    if path.is_many and isinstance(found := values_at(value, path), list):
        texts = [each for each in found if each is not None]
        if all(isinstance(each, str) for each in texts):
            return "".join(map(str, texts))
    text = first_at(value, path)
    if text is None and mapping is not CONTRACT_MAPPING:
        return ""  # chat completions have null beside calls
    if text is MISSING:
        assert isinstance(value, dict)
        raise _missing(f"`{path}`", value)
    if isinstance(text, list) and text and mapping is not CONTRACT_MAPPING:
        from evaltui.agents.told_calls import content_text

        if blocks := content_text(text, "\n"):  # as EvalStudio does
            return blocks
    if not isinstance(text, str):
        raise _wrong(f"`{path}`", text, "text", value)
    return text


def _may_be_absent(value: Json, path: Path) -> bool:
    """Chat completions leave `tool_calls` out of a message that has none; of other answers one
    that does not say is no proof that nothing was called."""
    *before, last = path.steps or ("",)
    parent = first_at(value, Path(tuple(before), path.text))
    return last == "tool_calls" and bool(before) and isinstance(parent, dict)


def read_call(call: Json, mapping: AnswerMapping, where: str) -> ToolCall:
    """One call; what the agent left out stays `None`. Raises AgentError."""
    if not isinstance(call, dict):
        raise _wrong(f"`{where}`", call, "an object")
    name = first_at(call, mapping.name)
    if name is MISSING:
        raise _missing(f"`{where}.{mapping.name}`", call)
    if not isinstance(name, str):
        raise _wrong(f"`{where}.{mapping.name}`", name, "text")
    params = _params(first_at(call, mapping.params), mapping, where)
    success = first_at(call, mapping.success)
    if success is MISSING or success is None:
        success = None
    elif not isinstance(success, bool):
        raise _wrong(f"`{where}.{mapping.success}`", success, "true or false")
    duration = first_at(call, mapping.duration)
    if duration is MISSING or duration is None:
        duration = None
    elif isinstance(duration, bool) or not isinstance(duration, int | float):
        raise _wrong(f"`{where}.{mapping.duration}`", duration, "a number of milliseconds")
    result = first_at(call, mapping.result)
    id_ = call.get("id")
    return ToolCall(
        name=name,
        params=params,
        success=success,
        duration_ms=duration,
        result=None if isinstance(result, Missing) else result,
        id=id_ if isinstance(id_, str) else "",
    )


def read_usage(value: Json, mapping: AnswerMapping) -> Usage | None:
    """Tokens and cost, if these are numbers: each where the mapping names it, else where the
    contract has it."""
    usual = reported_usage(value)
    paths = (mapping.input_tokens, mapping.output_tokens, mapping.cost_usd)
    if paths == (None, None, None):
        return usual
    if usual is None and not any(paths):
        return None
    told = usual or Usage()
    put_in, put_out, cost = paths
    tokens_in = told.input_tokens if put_in is None else _at(value, put_in, tokens)
    tokens_out = told.output_tokens if put_out is None else _at(value, put_out, tokens)
    total = told.told_total if put_in is put_out is None else None
    cost_usd = told.cost_usd if cost is None else _at(value, cost, usd)
    return Usage.reported(tokens_in, tokens_out, total, cost_usd)


def _at(
    value: Json, path: Path | Literal[False], read: Callable[[object], Number | None]
) -> Number | None:
    return read(first_at(value, path)) if path else None


def _params(params: object, mapping: AnswerMapping, where: str) -> Mapping[str, Json] | None:
    if params is MISSING or params is None:
        return None
    if isinstance(params, str) and mapping is not CONTRACT_MAPPING:
        text = params or "{}"
        try:  # many APIs send the arguments as JSON in a string
            params = decode_json(text)
        except (ValueError, RecursionError) as error:
            raise AgentError(
                f"`{where}.{mapping.params}` is text that is not JSON: {text[:200]}",
                category="parse_error",
            ) from error
    if not isinstance(params, dict):
        raise _wrong(f"`{where}.{mapping.params}`", params, "an object")
    return params


def _missing(where: str, value: Mapping[str, Json]) -> AgentError:
    return AgentError(
        f"the answer has no {where}; it has {_keys(value)}. "
        'Answer {"response": text, "toolCalls": [...]}, or map the fields under `response`.',
        category="contract_violation",
    )


def _wrong(where: str, value: object, wanted: str, answer: Json = None) -> AgentError:
    """`answer`: the whole, where that says more."""
    shown = json.dumps(value, ensure_ascii=False, default=str)
    shown = shown if len(shown) <= 80 else f"{shown[:80]}…"
    has = f" The answer has {_keys(answer)}." if isinstance(answer, dict) else ""
    return AgentError(f"{where} must be {wanted}, not {shown}.{has}", category="type_error")


def _keys(answer: Mapping[str, Json]) -> str:
    shown = ", ".join(f"`{key}`" for key in list(answer)[:8])
    return f"{shown} …" if len(answer) > 8 else shown or "nothing"


def _not_json(body: bytes, kind: str, error: Exception) -> str:
    start = body[:800].decode("utf-8", "replace").strip()
    if not start:
        return "the answer is empty. Answer JSON with `response` and `toolCalls`."
    looks_html = "html" in kind.lower() or start[:15].lower().startswith(("<!doctype", "<html"))
    what = "HTML" if looks_html else "not JSON" if start[0] not in "{[" else "broken JSON"
    why = "" if looks_html else f" ({error})"
    end = "Check that the URL is the agent's endpoint." if looks_html else "Answer one JSON object."
    return f"the answer is {what}{why}: {start[:200]} — {end}"


CONTRACT_MAPPING = AnswerMapping()


_READ_ONCE = ("response", "toolCalls")
_WRITTEN_ONCE = tuple(b'"%b"' % key.encode() for key in _READ_ONCE)


def _refuse_repeated(body: bytes) -> None:
    """Raises AgentError where the answer has twice what is read of it: which of both is meant
    nobody knows."""
    own: Sequence[tuple[str, Json]] = ()

    def note(pairs: Sequence[tuple[str, Json]]) -> None:
        nonlocal own
        own = pairs  # the last that is complete is the answer itself

    decode_json(body, note)
    times = Counter(key for key, _ in own)
    for key in _READ_ONCE:
        if times[key] > 1:
            what = f"the answer has `{key}` twice. Answer with each key once."
            raise AgentError(what, category="contract_violation")


def _plain_answer(value: Mapping[str, Json]) -> tuple[str, tuple[ToolCall, ...]] | None:
    """A faultless answer in the contract's own shape, read quickly; `None`: read it with care."""
    text, found = value.get("response"), value.get("toolCalls")
    if not isinstance(text, str) or not isinstance(found, list):
        return None
    calls: list[ToolCall] = []
    for call in found:
        if not isinstance(call, dict):
            return None
        name, params = call.get("name"), call.get("params")
        success, duration = call.get("success"), call.get("durationMs")
        if (
            not isinstance(name, str)
            or not isinstance(params, dict)
            or not isinstance(success, bool)
            or type(duration) not in _NUMBERS
        ):
            return None
        calls.append(ToolCall(name, params, success, duration, call.get("result")))
    return text, tuple(calls)


_NUMBERS = (int, float)
