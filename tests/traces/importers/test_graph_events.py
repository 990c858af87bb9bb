"""LangGraph's `astream_events` become the trace of a run, also where no model of LangChain ran."""

import json
from typing import Any

import pytest

from evaltui.core.trace import CALL_ID
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_FRAMEWORK, imported

USER = {"type": "human", "content": "weather?", "id": "u1"}
CALLS = [
    {"name": "w", "args": {"city": city}, "id": id_} for city, id_ in (("O", "a1"), ("R", "a2"))
]
ASKS = {"type": "ai", "content": "", "id": "m1", "tool_calls": CALLS}
ANSWER = {"type": "ai", "content": "O 12, R 14", "id": "m2"}


def event(kind: str, run: str, data: Any, *outer: str, name: str = "w", node: str = "") -> Any:
    about = {"metadata": {"langgraph_node": node}} if node else {}
    return {
        "event": f"on_{kind}",
        "name": name,
        "run_id": run,
        "parent_ids": list(outer),
        "data": data,
    } | about


def begins(*said: Any) -> Any:
    return event("chain_start", "g", {"input": {"messages": [*said]}}, name="LangGraph")


def ends(*said: Any) -> Any:
    return event("chain_end", "g", {"output": {"messages": [*said]}}, name="LangGraph")


def node(run: str, output: Any) -> Any:
    return event("chain_end", run, {"output": output}, "g", name=run, node=run)


def starts(run: str, city: str) -> Any:
    return event("tool_start", run, {"input": {"city": city, "state": {}}}, "g", "tools")


def tool_message(text: str, id_: str) -> Any:
    return {"type": "tool", "content": text, "name": "w", "tool_call_id": id_}


def result(run: str, output: Any) -> Any:
    return event("tool_end", run, {"output": output}, "g", "tools")


def told(*events: Any, losses: tuple[str, ...] = ()) -> list[Any]:
    """Of each event what it says or is called with; results with the call that they answer."""
    found = imported("\n".join(map(json.dumps, events)).encode(), BY_FRAMEWORK, "a.jsonl")
    assert tuple(one.detail for one in found.diagnostics) == losses
    (case,) = found.cases
    trace: Any = trace_body(case).trace
    calls = [one for one in trace if one.type == "tool_call"]
    asked = {one.attributes.get(CALL_ID): one.input["city"] for one in calls}
    return [
        (asked[one.attributes[CALL_ID]], one.error or one.output)
        if one.type == "tool_result"
        else one.input["city"]
        if isinstance(one.input, dict)
        else (one.actor, one.input or one.output)
        for one in trace
    ]


SAID, SAYS = ("user", "weather?"), ("assistant", "O 12, R 14")


@pytest.mark.parametrize("user", [USER, ["user", "weather?"]])
@pytest.mark.parametrize("answer", [ANSWER, {"type": "ai", "data": {"content": "O 12, R 14"}}])
def test_the_answer_of_a_node_without_a_model_is_told_once(user: Any, answer: Any) -> None:
    for output in (
        {"messages": [answer]},
        {"messages": answer},
        [{"update": {"messages": [answer]}}],
    ):
        node_end = node("reply", output)
        told_all = [begins(user), node_end, ends(USER, answer)]
        assert told(*told_all) == told(*told_all[:2]) == told(begins(user), ends(USER, answer))
        assert told(*told_all) == [SAID, SAYS]


def test_an_answer_that_repeats_the_question_is_told() -> None:
    assert told(begins(USER), ends(USER, {**USER, "type": "ai", "id": "m"}))[1:] == [
        ("assistant", "weather?")
    ]


@pytest.mark.parametrize("is_parallel", [True, False])
@pytest.mark.parametrize("wrap", [tool_message, lambda text, _: text])
def test_each_run_of_a_tool_is_a_call_with_its_own_result(wrap: Any, *, is_parallel: bool) -> None:
    one = [starts("r1", "O"), result("r1", wrap("O 12", "a1"))]
    two = [starts("r2", "R"), result("r2", wrap("R 14", "a2"))]
    runs = [one[0], *two, one[1]] if is_parallel else [*one, *two]
    found = told(begins(USER), *runs, ends(USER, ANSWER))
    answers = [("O", "O 12"), ("R", "R 14")]
    middle = ["O", "R", *answers[::-1]] if is_parallel else ["O", answers[0], "R", answers[1]]
    assert found == [SAID, *middle, SAYS]
    state = [USER, ASKS, tool_message("O 12", "a1"), tool_message("R 14", "a2"), ANSWER]
    assert told(begins(USER), *runs, ends(*state)) == found


def test_an_error_is_that_of_the_run_of_the_tool() -> None:
    runs = [starts("r1", "O"), starts("r2", "R"), event("tool_error", "r2", {"error": "down"}, "g")]
    found = told(begins(USER), *runs, result("r1", "O 12"), ends(USER, ANSWER))
    assert found[3:5] == [("R", "down"), ("O", "O 12")]


def test_calls_of_a_message_are_those_that_the_tools_run() -> None:
    messages = [tool_message("O 12", "a1"), tool_message("R 14", "a2")]
    ran = [starts("r2", "R"), starts("r1", "O"), result("r2", "R 14"), result("r1", "O 12")]
    plain = [node("agent", {"messages": [ASKS]}), *ran, node("tools", {"messages": messages})]
    found = told(begins(USER), *plain, ends(USER, ASKS, *messages, ANSWER))
    assert found == [SAID, "O", "R", ("R", "R 14"), ("O", "O 12"), SAYS]


def test_results_that_no_tool_of_langchain_gave_are_those_of_the_state() -> None:
    state = [USER, ASKS, tool_message("O 12", "a1"), tool_message("R 14", "a2"), ANSWER]
    assert told(begins(USER), ends(*state)) == [SAID, "O", "R", ("O", "O 12"), ("R", "R 14"), SAYS]


def test_what_models_and_tools_told_is_not_told_again() -> None:
    def model(run: str, message: Any, outer: str) -> Any:
        return event("chat_model_end", run, {"output": message}, "g", outer, name="model")

    messages = [tool_message("O 12", "a1"), tool_message("R 14", "a2")]
    run = [
        begins(USER),
        model("x", ASKS, "agent"),
        node("agent", {"messages": [ASKS]}),
        *(starts("r1", "O"), result("r1", messages[0])),
        *(starts("r2", "R"), result("r2", messages[1])),
        node("tools", {"messages": messages}),
        model("y", ANSWER, "writer"),
        node("writer", {"messages": [["ai", ANSWER["content"]]]}),
        event(
            "chain_end", "part", {"output": {"messages": [["ai", "no node"]]}}, "g", node="writer"
        ),
    ]
    before = [{**USER, "id": "u0"}, {**ANSWER, "id": "m0"}]
    state = [*before, USER, ASKS, *messages, {**ANSWER, "id": "m9"}]
    found = told(*run, ends(*state))
    assert found == [SAID, "O", "R", ("O", "O 12"), ("R", "R 14"), SAYS]


def test_what_is_no_message_and_an_answer_that_nothing_tells_are_missed() -> None:
    losses = ("an entry of `messages` is not an object", "what the agent answered")
    assert told(begins(USER), ends(USER, "content='b'"), losses=losses) == [SAID]
    assert told(begins(USER), losses=losses[1:]) == [SAID]


def asked(run: str, *said: Any) -> Any:
    data = {"input": {"messages": [[*said]]}}
    return event("chat_model_start", run, data, "g", "agent", name="model")


def answers(run: str, message: Any) -> Any:
    return event("chat_model_end", run, {"output": message}, "g", "agent", name="model")


RESULTS = [tool_message("O 12", "a1"), tool_message("R 14", "a2")]


@pytest.mark.parametrize("first", [[USER], ["user", "weather?"]])
def test_what_models_were_asked_tells_what_no_chain_does(first: Any) -> None:
    begin = asked("x", *first) if isinstance(first[0], dict) else asked("x", first)
    again = asked("y", USER, ASKS, *RESULTS)
    told_all = [SAID, "O", "R", ("O", "O 12"), ("R", "R 14"), SAYS]
    assert told(begin, answers("x", ASKS), again, answers("y", ANSWER)) == told_all
    tools = [starts("r1", "O"), result("r1", RESULTS[0]), starts("r2", "R")]
    ran = [*tools, result("r2", RESULTS[1])]
    assert told(begin, answers("x", ASKS), *ran, again, answers("y", ANSWER)) == told_all


def test_the_question_of_models_within_a_graph_is_not_told_again() -> None:
    inner = asked("x", {"type": "system", "content": "Rephrase."}, USER)
    assert told(begins(USER), inner, answers("x", ANSWER), ends(USER, ANSWER)) == [SAID, SAYS]


def test_a_stream_of_tools_alone_misses_what_the_user_said() -> None:
    losses = ("what the user said, which only events of chains and chat models tell",)
    assert told(starts("r1", "O"), result("r1", "O 12"), losses=losses) == ["O", ("O", "O 12")]


def older(kind: str, run: str, data: Any, name: str = "w", node: str = "") -> Any:
    """As version 1 has it: no event tells the runs around it."""
    return event(kind, run, data, name=name, node=node)


def generation(message: Any) -> Any:
    return {"output": {"type": "LLMResult", "generations": [[{"text": "", "message": message}]]}}


@pytest.mark.parametrize("as_lines", [True, False])
def test_version_1_is_read_as_one_run_with_its_messages_and_errors(*, as_lines: bool) -> None:
    failed = {**RESULTS[1], "status": "error", "content": "no R"}
    given = {"output": {"messages": [RESULTS[0], failed]}}
    run = [
        begins(USER),
        older("chat_model_end", "x", generation(ASKS), "model", "agent"),
        older("chain_end", "agent", {"output": {"messages": [ASKS]}}, "agent", "agent"),
        older("tool_start", "r1", {"input": {"city": "O"}}, node="tools"),
        older("tool_start", "r2", {"input": {"city": "R"}}, node="tools"),
        older("tool_end", "r1", {"output": RESULTS[0]}, node="tools"),
        older("tool_end", "r2", {"output": None}, node="tools"),
        older("chain_end", "tools", given, "tools", "tools"),
        older("chat_model_end", "y", generation(ANSWER), "model", "agent"),
        event("chain_end", "g", {"output": {"agent": {"messages": [ANSWER]}}}, name="LangGraph"),
    ]
    told_all = [SAID, "O", "R", ("O", "O 12"), ("R", "the tool reported an error"), SAYS]
    assert told(*(run if as_lines else [{"events": run}])) == told_all


def test_a_tool_that_gives_nothing_has_that_as_its_result() -> None:
    run = [starts("r1", "O"), result("r1", None)]
    assert told(begins(USER), *run, ends(USER, ANSWER)) == [SAID, "O", ("O", None), SAYS]
    assert told(begins(USER), *run) == [SAID, "O", ("O", None)]
