"""Recording and replaying: what is asked once is never asked again, and never mixed up."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.agents.recordings.recorded_agents import recorded
from evaltui.agents.recordings.recorded_answers import (
    read_reply,
    read_response,
    write_reply,
    write_response,
)
from evaltui.agents.recordings.recorder import Recorder, RecordingMode, RecordingStore
from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.json_value import JsonObject
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.response import AgentResponse, Execution, Message, ToolCall, Usage
from evaltui.core.tool import ToolDefinition, ToolRegistry, ToolStatus
from tests.agents.model_agents import TOOLS, WEATHER, request

AUTO, RECORD, REPLAY = RecordingMode.AUTO, RecordingMode.RECORD, RecordingMode.REPLAY


class Shelf:
    """A store in memory that keeps JSON text, as a file would."""

    def __init__(self) -> None:
        self.texts: dict[CaseKey, dict[str, str]] = {}

    def place(self, case: CaseKey) -> str:
        return f"cassettes/{case.case}.json"

    def read(self, case: CaseKey) -> Sequence[JsonObject]:
        return [json.loads(text) for text in self.texts.get(case, {}).values()]

    async def keep(self, case: CaseKey, entry: JsonObject, former_key: str = "") -> None:
        self.texts.get(case, {}).pop(former_key, None)
        self.texts.setdefault(case, {})[str(entry["key"])] = json.dumps(entry, default=dict)


class CountingModel(Model):
    """Calls the weather, then answers with a number that grows with every live call."""

    name, fingerprint = "counting", "f" * 12

    def __init__(self, **parameters: Any) -> None:
        self._parameters = {"type": "counting", **parameters}
        self.asked: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.asked.append(request)
        if request.turn == 0:
            call = ToolCall("get_weather", {"city": "Paris"}, id=f"id{len(self.asked)}")
            return ModelReply("", (call,), usage=Usage(10, 2, 0.5), duration_ms=120.0)
        return ModelReply(f"answer {len(self.asked)}", duration_ms=80.0, first_token_ms=9.0)

    @property
    def parameters(self) -> JsonObject:
        return self._parameters


class CountingAgent(Agent):
    name, fingerprint = "endpoint", "e" * 12
    traits = AgentTraits(reads_registry=False)

    def __init__(self) -> None:
        self.asked = 0

    async def respond(self, _: AgentRequest) -> AgentResponse:
        self.asked += 1
        call = ToolCall("t", {"a": None}, True, 3.0, result={"x": [1]})
        return AgentResponse(f"answer {self.asked}", (call,), duration_ms=50.0)


def loop(shelf: RecordingStore, mode: RecordingMode, model: CountingModel) -> Agent:
    return recorded(ToolLoop(model), Recorder(shelf, mode))


STUBS = {"get_weather": {"sky": "blue"}}


class OfOptions(CountingAgent):
    """An agent whose options, those that shape no answer too, made its fingerprint once."""

    def __init__(self, former: str = "") -> None:
        super().__init__()
        self.former_fingerprint = former


async def test_a_recording_of_when_all_options_counted_is_found_and_a_new_one_comes_first() -> None:
    shelf = Shelf()
    of_then = OfOptions()
    of_then.fingerprint = "a" * 12
    await recorded(of_then, Recorder(shelf, RECORD)).respond(request())
    agent = OfOptions("a" * 12)
    replayed = await recorded(agent, Recorder(shelf, REPLAY)).respond(request())
    assert (replayed.text, replayed.source, agent.asked) == ("answer 1", "replayed", 0)
    agent.asked = 7
    await recorded(agent, Recorder(shelf, RECORD)).respond(request())
    assert [len(texts) for texts in shelf.texts.values()] == [1], "in its place"
    for former in ("a" * 12, "b" * 12, ""):
        other = OfOptions(former)
        replayed = await recorded(other, Recorder(shelf, REPLAY)).respond(request())
        assert replayed.text == "answer 8", "whatever the options that shape no answer are now"
    with pytest.raises(AgentError, match="nothing is recorded"):
        await recorded(OfOptions("b" * 12), Recorder(Shelf(), REPLAY)).respond(request())


async def test_records_then_replays_without_asking() -> None:
    shelf, model = Shelf(), CountingModel()
    first = await loop(shelf, RECORD, model).respond(request(stubs=STUBS))
    assert first.source == "recorded"
    other = CountingModel()
    heard: list[str] = []
    again = await loop(shelf, REPLAY, other).respond(request(stubs=STUBS, on_text=heard.append))
    assert not other.asked
    assert again.source == "replayed"
    times = replace(first, duration_ms=again.duration_ms, first_token_ms=again.first_token_ms)
    assert replace(again, source="recorded") == times
    assert again.duration_ms == pytest.approx(200.0, abs=20)
    assert "".join(heard) == "answer 2"


async def test_recording_again_replaces() -> None:
    shelf, model = Shelf(), CountingModel()
    for _ in range(2):
        await loop(shelf, RECORD, model).respond(request(stubs=STUBS))
    assert len(model.asked) == 4
    again = await loop(shelf, REPLAY, CountingModel()).respond(request(stubs=STUBS))
    assert again.text == "answer 4"
    assert [len(texts) for texts in shelf.texts.values()] == [2]


async def test_auto_asks_only_for_what_is_missing() -> None:
    shelf, model = Shelf(), CountingModel()
    agent = loop(shelf, AUTO, model)
    first = await agent.respond(request(stubs=STUBS))
    again = await agent.respond(request(stubs=STUBS))
    assert (first.source, again.source) == ("recorded", "replayed")
    assert len(model.asked) == 2
    changed = await agent.respond(request(stubs={"get_weather": {"sky": "grey"}}))
    assert changed.source == "recorded"
    assert len(model.asked) == 3


async def test_repeats_never_share_an_entry() -> None:
    shelf, model = Shelf(), CountingModel()
    agent = loop(shelf, AUTO, model)
    texts = [(await agent.respond(request(stubs=STUBS, trial=trial))).text for trial in range(3)]
    assert len(set(texts)) == 3
    replaying = loop(shelf, REPLAY, CountingModel())
    for trial in (2, 0, 1):
        assert (await replaying.respond(request(stubs=STUBS, trial=trial))).text == texts[trial]


def registry(**changes: Any) -> ToolRegistry:
    tools = (replace(WEATHER, **changes), *list(TOOLS)[1:])
    return ToolRegistry({tool.name: tool for tool in tools})


@pytest.mark.parametrize(
    ("more", "parameters", "words"),
    [
        ({"message": "Weather in Rome?"}, {}, "message differs: was `Weather in Paris?`"),
        ({"registry": registry(description="New")}, {}, "tool get_weather.description differs"),
        ({"registry": registry(parameters={})}, {}, "tool get_weather.parameters differ"),
        ({"registry": ToolRegistry({"get_weather": WEATHER})}, {}, "tool calendar.find is gone"),
        (
            {"registry": ToolRegistry({**TOOLS.tools, "x": ToolDefinition("x")})},
            {},
            "tool x is new",
        ),
        (
            {"registry": ToolRegistry(dict(reversed(tuple(TOOLS.tools.items()))))},
            {},
            "the tools are in another order",
        ),
        ({"trial": 1}, {}, "it is trial 0, this is trial 1"),
        ({}, {"temperature": 0.5}, "`temperature` was not set, is `0.5`"),
        ({"history": (Message("user", "Hi"),)}, {}, "it has 1 messages, this has 2"),
        ({"said": Message("user", "Weather?", extra={"content": [{}]})}, {}, "is `[{}]`"),
    ],
)
async def test_a_miss_in_replay_is_loud(
    more: dict[str, Any], parameters: dict[str, Any], words: str
) -> None:
    shelf = Shelf()
    await loop(shelf, RECORD, CountingModel()).respond(request())
    model = CountingModel(**parameters)
    with pytest.raises(AgentError) as caught:
        await loop(shelf, REPLAY, model).respond(request(**more))
    assert not model.asked
    assert caught.value.category == "recording-miss"
    assert not caught.value.retryable
    assert words in caught.value.what
    assert "cassettes/gs-1.json" in caught.value.what
    assert next(iter(shelf.texts[request().key])) in caught.value.what


async def test_a_miss_without_any_recording() -> None:
    with pytest.raises(AgentError, match="holds no recording"):
        await loop(Shelf(), REPLAY, CountingModel()).respond(request())


async def test_the_nearest_is_the_one_with_the_fewest_differences() -> None:
    shelf = Shelf()
    recording = loop(shelf, RECORD, CountingModel())
    await recording.respond(request("Something else", registry=ToolRegistry()))
    await recording.respond(request("Weather in Paris?"))
    with pytest.raises(AgentError) as caught:
        await loop(shelf, REPLAY, CountingModel()).respond(request("Weather in Rome?"))
    assert "Weather in Paris?" in caught.value.what
    assert "Something else" not in caught.value.what


async def test_whole_agents_are_recorded_too() -> None:
    shelf, endpoint = Shelf(), CountingAgent()
    first = await recorded(endpoint, Recorder(shelf, AUTO)).respond(request())
    calls: list[ToolCall] = []
    again = await recorded(endpoint, Recorder(shelf, REPLAY)).respond(
        request(on_tool_call=calls.append)
    )
    assert endpoint.asked == 1
    assert replace(again, source="recorded") == first
    assert tuple(calls) == first.tool_calls
    with pytest.raises(AgentError, match="`stubs` was not set"):
        await recorded(endpoint, Recorder(shelf, REPLAY)).respond(request(stubs={}))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"description": "New"}, "tool get_weather.description differs"),
        ({"parameters": {}}, "tool get_weather.parameters differ"),
        ({"version": "9"}, "tool get_weather.version differs"),
        ({"status": ToolStatus.REMOVED}, "tool get_weather.status differs"),
    ],
)
async def test_tools_count_for_an_agent_that_may_have_them_from_anywhere(
    changes: dict[str, Any], words: str
) -> None:
    shelf, endpoint, apart = Shelf(), CountingAgent(), CountingAgent()
    await recorded(endpoint, Recorder(shelf, AUTO)).respond(request())
    in_other_order = ToolRegistry(dict(reversed(tuple(TOOLS.tools.items()))))
    await recorded(endpoint, Recorder(shelf, REPLAY)).respond(request(registry=in_other_order))
    other = request(registry=registry(**changes))
    with pytest.raises(AgentError, match=words):
        await recorded(endpoint, Recorder(shelf, REPLAY)).respond(other)
    assert (await recorded(endpoint, Recorder(shelf, AUTO)).respond(other)).text == "answer 2"
    apart.traits = replace(apart.traits, may_read_registry=False)
    shelf = Shelf()
    await recorded(apart, Recorder(shelf, AUTO)).respond(request())
    assert (await recorded(apart, Recorder(shelf, REPLAY)).respond(other)).text == "answer 1"


async def test_a_recording_that_tells_no_tools_is_not_of_these() -> None:
    """As 0.1.0 kept them for an agent that has its tools from elsewhere."""
    shelf, then, now = Shelf(), CountingAgent(), CountingAgent()
    then.traits = replace(then.traits, may_read_registry=False)
    await recorded(then, Recorder(shelf, AUTO)).respond(request())
    with pytest.raises(AgentError, match=f"has no tools, this has {len(list(TOOLS))}"):
        await recorded(now, Recorder(shelf, REPLAY)).respond(request())
    shelf, none = Shelf(), ToolRegistry()
    await recorded(then, Recorder(shelf, AUTO)).respond(request(registry=none))
    again = await recorded(now, Recorder(shelf, REPLAY)).respond(request(registry=none))
    assert again.source == "replayed", "where there are no tools it cannot be of others"


async def test_a_loop_that_executes_for_real_replays_as_a_whole() -> None:
    executed: list[str] = []

    async def execute(call: ToolCall) -> ToolCall:
        executed.append(call.name)
        return replace(call, success=True, result=1)

    shelf = Shelf()
    live = recorded(ToolLoop(CountingModel(), executor=execute), Recorder(shelf, AUTO))
    await live.respond(request())
    again = recorded(ToolLoop(CountingModel(), executor=execute), Recorder(shelf, REPLAY))
    assert (await again.respond(request())).source == "replayed"
    assert executed == ["get_weather"]


async def test_faults_are_not_recorded() -> None:
    class Broken(CountingModel):
        async def complete(self, request: ModelRequest) -> ModelReply:
            self.asked.append(request)
            raise AgentError("down", retryable=True)

    shelf = Shelf()
    with pytest.raises(AgentError, match="down") as caught:
        await loop(shelf, AUTO, Broken()).respond(request())
    assert caught.value.retryable
    assert not shelf.texts


def test_off_changes_nothing_and_replay_is_free() -> None:
    agent = ToolLoop(CountingModel())
    assert recorded(agent, Recorder(Shelf(), RecordingMode.OFF)) is agent
    replayed = recorded(agent, Recorder(Shelf(), REPLAY)).traits
    assert replayed.is_free and replayed.is_deterministic
    assert recorded(agent, Recorder(Shelf(), AUTO)).traits == agent.traits == AgentTraits()
    for mode in RecordingMode:
        same = recorded(agent, Recorder(Shelf(), mode))
        assert (same.name, same.fingerprint) == (agent.name, agent.fingerprint)
        assert same.traits.reads_registry


@pytest.mark.parametrize("reply", [None, {}, {"text": 5}, {"text": "a", "tool_calls": [{}]}, []])
async def test_a_reply_that_was_spoilt_by_hand(reply: Any) -> None:
    shelf = Shelf()
    await loop(shelf, RECORD, CountingModel()).respond(request())
    ((key, text),) = shelf.texts[request().key].items()
    shelf.texts[request().key][key] = json.dumps(json.loads(text) | {"reply": reply})
    with pytest.raises(AgentError, match="Record it again"):
        await loop(shelf, REPLAY, CountingModel()).respond(request())


TEXT = st.text(max_size=5)
PARAMS = st.none() | st.dictionaries(TEXT, st.none() | st.integers() | TEXT, max_size=2)
MS = st.none() | st.integers(0, 10**9).map(lambda n: n / 1000)
CALLS = st.lists(
    st.builds(ToolCall, TEXT, PARAMS, st.none() | st.booleans(), MS, st.none() | TEXT, TEXT, TEXT),
    max_size=3,
).map(tuple)
USAGE = st.none() | st.builds(
    Usage,
    st.none() | st.integers(0, 9**9),
    st.none() | st.integers(0, 9**9),
    st.none() | st.just(0.25),
    st.none() | st.just(90),
)
NOTES = st.lists(TEXT, max_size=2).map(tuple)


@given(TEXT, CALLS, USAGE, MS, NOTES)
def test_replies_survive(text: str, calls: Any, usage: Any, ms: Any, notes: Any) -> None:
    reply = ModelReply(text, calls, usage, ms, ms or 0.0, notes=notes, source="replayed")
    assert read_reply(json.loads(json.dumps(write_reply(reply)))) == reply


@given(st.tuples(TEXT, CALLS, USAGE, MS, NOTES, st.sampled_from(Execution)))
def test_responses_survive(parts: Any) -> None:
    text, calls, usage, ms, notes, execution = parts
    messages = (
        Message("user", text, extra={"id": text, "content": [{"type": text}, None]}),
        Message("tool", text, calls, text, text),
    )
    response = AgentResponse(
        text, calls, ms or 0.0, execution, messages, usage, 3, ms, notes=notes, source="replayed"
    )
    assert read_response(json.loads(json.dumps(write_response(response)))) == response


async def test_keys_do_not_depend_on_made_up_ids() -> None:
    shelf = Shelf()
    first, second = CountingModel(), CountingModel()
    second.asked = [None] * 10  # type: ignore[list-item]
    await loop(shelf, RECORD, first).respond(request(stubs=STUBS))
    await loop(shelf, RECORD, second).respond(request(stubs=STUBS))
    assert len(shelf.texts[request().key]) == 2
