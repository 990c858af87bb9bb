"""What agent frameworks return is understood as it is; the shapes are theirs, written by hand."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.returned import as_answer
from evaltui.core.errors import AgentError
from evaltui.core.response import ToolCall, Usage
from tests.agents.requests import request
from tests.agents.test_python_function import agent, ask, fault

N = "from types import SimpleNamespace as N\n"
PYDANTIC_AI = """
class R:
    output = OUTPUT
    def new_messages(self):
        call = lambda name, args, id: N(part_kind='tool-call', tool_name=name, args=args,
                                        tool_call_id=id)
        return [
            N(parts=[N(part_kind='user-prompt', content='hi')]),
            N(parts=[call('look', '{"city": "Paris"}', '1'), call('look', {'city': 'Rome'}, '2')]),
            N(parts=[N(part_kind='tool-return', tool_name='look', content={'sky': 'blue'},
                       tool_call_id='1'),
                     N(part_kind=RETRY, tool_name='look', content='no such city',
                       tool_call_id='2', outcome='retried')]),
            N(parts=[call('final_result', '{}', '3')]),
        ]
    def usage(self): return N(input_tokens=3, output_tokens=4)
def f(m): return R()
"""
AGENTS_SDK = """
def f(m):
    call = lambda args, id: N(type='tool_call_item', raw_item=N(
        type='function_call', name='look', arguments=args, call_id=id))
    done = lambda out, id: N(type='tool_call_output_item', output=out, raw_item={'call_id': id})
    return N(
        final_output='Sunny.',
        new_items=[call('{"city": "Paris"}', '1'), call('{"city": "Rome"}', '2'),
                   done({'sky': 'blue'}, '1'),
                   done('An error occurred while running the tool. Error: x', '2'),
                   N(type='message_output_item', raw_item=N())],
        context_wrapper=N(usage=N(input_tokens=3, output_tokens=4)),
    )
"""
LANGGRAPH = """
class M:
    def __init__(self, **fields): self.fields = fields
    def model_dump(self): return self.fields
def f(m):
    return {'messages': [
        M(type='human', content='before'), M(type='ai', content='no', tool_calls=[]),
        M(type='human', content=m),
        M(type='ai', content='', tool_calls=[
            {'name': 'look', 'args': {'city': 'Paris'}, 'id': '1'},
            {'name': 'look', 'args': {'city': 'Rome'}, 'id': '2'}]),
        M(type='tool', content='{"sky": "blue"}', tool_call_id='1', status='success'),
        M(type='tool', content='no such city', tool_call_id='2', status='error'),
        M(type='ai', content='Sunny.', tool_calls=[],
          usage_metadata={'input_tokens': 3, 'output_tokens': 4}),
    ]}
"""


def made_by_pydantic_ai(output: str, retry: str = "retry-prompt") -> str:
    """`retry`: the kind of the part that says so; version 2 has one kind for both."""
    return PYDANTIC_AI.replace("OUTPUT", output).replace("RETRY", repr(retry))


PARIS, ROME = {"city": "Paris"}, {"city": "Rome"}


@pytest.mark.parametrize(
    "body",
    [
        made_by_pydantic_ai("'Sunny.'"),
        made_by_pydantic_ai("'Sunny.'", retry="tool-return"),
        AGENTS_SDK,
        LANGGRAPH,
        LANGGRAPH.replace("status='error'", "tool_call_error=True"),
    ],
    ids=["pydantic-ai", "pydantic-ai 2", "openai-agents", "langgraph", "agno"],
)
async def test_calls_results_text_and_tokens(tmp_path: Path, body: str) -> None:
    answer = await ask(tmp_path, N + body)
    assert answer.text == "Sunny."
    first, second = answer.tool_calls
    assert first == ToolCall("look", PARIS, True, result={"sky": "blue"})
    assert (second.name, second.params, second.success) == ("look", ROME, False)
    assert answer.usage == Usage(3, 4)


OWN_NAMES = """
class R:
    output, _output_tool_name = N(city='Paris'), 'report'
    def new_messages(self):
        call = lambda name, args, id: N(part_kind='tool-call', tool_name=name, args=args,
                                        tool_call_id=id)
        done = lambda kind, said, id: N(part_kind=kind, content=said, tool_call_id=id)
        return [
            N(parts=[call('alpha', {'x': -1}, 'call_0')]),
            N(parts=[done('retry-prompt', 'below nothing', 'call_0')]),
            N(parts=[call('final_results_of_match', {}, 'call_0')]),
            N(parts=[done('tool-return', '3-1', 'call_0')]),
            N(parts=[call('final_result_of_two', {}, 'call_0'), call('report', {}, 'call_1')]),
            N(parts=[done('tool-return', 'Final result processed.', 'call_1')]),
        ]
    usage = N(input_tokens=3, output_tokens=4)
def f(m): return R()
"""


async def test_calls_count_one_by_one_and_those_of_output_are_known_by_their_whole_names(
    tmp_path: Path,
) -> None:
    """A model may number its calls anew in each turn, and a tool be called nearly like the output
    tool of pydantic-ai."""
    answer = await ask(tmp_path, N + OWN_NAMES)
    first, second = answer.tool_calls
    assert (first.name, first.params, first.success) == ("alpha", {"x": -1}, False)
    assert (second.name, second.success, second.result) == ("final_results_of_match", True, "3-1")


RUN_BY_PROVIDER = [
    """
class R:
    output = 'Sunny.'
    def new_messages(self):
        call = lambda name, args, id: N(part_kind='builtin-tool-call', tool_name=name, args=args,
                                        tool_call_id=id)
        done = lambda said, id, outcome: N(part_kind='builtin-tool-return', content=said,
                                           tool_call_id=id, outcome=outcome)
        return [N(parts=[call('web_search', {'query': 'sky'}, 'w'), done('blue', 'w', 'success'),
                         call('look', '{"city": "Rome"}', 'm'), done('no', 'm', 'failed'),
                         N(part_kind='text', content='Sunny.')])]
def f(m): return R()
""",
    """
class Action:
    def model_dump(self): return {'query': 'sky'}
def f(m):
    call = lambda **raw: N(type='tool_call_item', raw_item=N(**raw))
    return N(final_output='Sunny.', new_items=[
        call(type='web_search_call', id='w', status='completed', action=Action(), output='blue'),
        call(type='mcp_call', id='m', name='look', arguments='{"city": "Rome"}', error='no',
             status='completed')])
""",
]


@pytest.mark.parametrize("body", RUN_BY_PROVIDER, ids=["pydantic-ai", "openai-agents"])
async def test_calls_of_tools_that_the_provider_runs_count_in_each_framework(
    tmp_path: Path, body: str
) -> None:
    searched, looked = (await ask(tmp_path, N + body)).tool_calls
    assert searched == ToolCall("web_search", {"query": "sky"}, True, result="blue")
    assert (looked.name, looked.params, looked.success) == ("look", ROME, False)


@pytest.mark.parametrize(
    ("raw", "name", "params", "success"),
    [
        ("type='code_interpreter_call', code='1', status='failed'",
         "code_interpreter", {"code": "1"}, False),
        ("type='file_search_call', queries=['a'], status='in_progress'",
         "file_search", {"queries": ["a"]}, None),
        ("type='computer_call', call_id='c', action={'type': 'wait'}, status='completed'",
         "computer", {"type": "wait"}, None),
    ],
)  # fmt: skip
async def test_how_a_tool_of_openais_own_ended_is_told_where_its_item_says_it(
    tmp_path: Path, raw: str, name: str, params: dict[str, Any], success: bool | None
) -> None:
    body = f"""
def f(m):
    call = N(type='tool_call_item', raw_item=dict({raw}))
    none = N(type='tool_call_item', raw_item=N(type='function_call', name=''))
    return N(final_output='Sunny.', new_items=[call, none])
"""
    (call,) = (await ask(tmp_path, N + body)).tool_calls
    assert (call.name, call.params, call.success) == (name, params, success)


async def test_usage_that_is_a_value_is_not_called(tmp_path: Path) -> None:
    """As in pydantic-ai since it warns of `result.usage()`."""
    method = "def usage(self): return N(input_tokens=3, output_tokens=4)"
    value = (
        "class Usage:\n        input_tokens, output_tokens = 3, 4\n"
        "        def __call__(self): raise DeprecationWarning('usage is a property')\n"
        "    usage = Usage()"
    )
    body = made_by_pydantic_ai("'Sunny.'")
    assert method in body
    assert (await ask(tmp_path, N + body.replace(method, value))).usage == Usage(3, 4)


async def test_a_cost_beside_the_messages_of_a_graph_is_read(tmp_path: Path) -> None:
    body = LANGGRAPH.replace("return {", "return {'usage': {'cost_usd': 0.01}, ")
    assert (await ask(tmp_path, N + body)).usage == Usage(3, 4, 0.01)


async def test_structured_output_is_json(tmp_path: Path) -> None:
    answer = await ask(tmp_path, N + made_by_pydantic_ai("N(city='Paris', number=3)"))
    assert answer.text == '{"city": "Paris", "number": 3}'


NOT_TEXT = {
    "a message": "{'response': {'role': 'assistant', 'blocks': []}, 'tool_calls': []}",
    "a list": "{'response': [{'type': 'text', 'text': 'Hi'}], 'tool_calls': []}",
    "nothing": "{'text': None, 'output': [], 'id': 'resp_1', 'tool_calls': []}",
}


@pytest.mark.parametrize("value", NOT_TEXT.values(), ids=NOT_TEXT)
@pytest.mark.parametrize("start", ["def", "async def"])
async def test_a_response_that_is_no_text_is_an_error_that_says_what_came(
    value: str, start: str, tmp_path: Path
) -> None:
    body = f"class AgentOutput:\n    def model_dump(self): return {value}\n"
    what = await fault(tmp_path, f"{body}{start} f(m): return AgentOutput()")
    assert "`response` must be text, not" in what
    assert "The answer has " in what
    assert "The function returned `mine.AgentOutput`." in what


@pytest.mark.parametrize("raised", ["KeyError('x')", "SystemExit(3)", "ValueError('x')"])
async def test_a_result_that_cannot_be_written_ends_nothing(raised: str, tmp_path: Path) -> None:
    body = f"""
class Bad:
    def dict(self): raise {raised}
asked = []
def f(m):
    asked.append(m)
    return Bad() if m == 'bad' else ' '.join(asked)
"""
    made = agent(tmp_path, body)
    try:
        with pytest.raises(AgentError, match="cannot be written as JSON"):
            await made.respond(request("bad"))
        assert (await made.respond(request("good"))).text == "bad good"
    finally:
        await made.close()


async def test_a_lone_message_of_a_model(tmp_path: Path) -> None:
    body = (
        "def f(m): return {'type': 'ai', 'content': 'Let me look.', 'tool_calls': "
        "[{'name': 'look', 'args': {'city': 'Paris'}, 'id': '1'}], 'additional_kwargs': {}}"
    )
    answer = await ask(tmp_path, body)
    assert answer.text == "Let me look."
    assert answer.tool_calls == (ToolCall("look", PARIS),)


async def test_calls_and_results_in_blocks_of_a_message(tmp_path: Path) -> None:
    body = (
        "def f(m): return {'messages': [{'role': 'user', 'content': m},"
        " {'role': 'assistant', 'content': ["
        "{'type': 'mcp_tool_use', 'id': '1', 'name': 'look', 'input': {'city': 'Paris'}},"
        "{'type': 'mcp_tool_result', 'tool_use_id': '1', 'is_error': False, 'content': '18'},"
        "{'type': 'text', 'text': 'It is 18.'}]}]}"
    )
    answer = await ask(tmp_path, body)
    assert answer.text == "It is 18."
    assert answer.tool_calls == (ToolCall("look", PARIS, True, result="18"),)


async def test_the_steps_of_an_executor(tmp_path: Path) -> None:
    body = (
        f"{N}def f(m): return {{'input': m, 'output': 'Sunny.', 'intermediate_steps': "
        "[(N(tool='look', tool_input={'city': 'Paris'}, log=''), 'blue')]}"
    )
    answer = await ask(tmp_path, body)
    assert answer.text == "Sunny."
    assert answer.tool_calls == (ToolCall("look", PARIS, True, result="blue"),)


CUT_PYDANTIC_AI = made_by_pydantic_ai("'It'").replace(
    "N(parts=[call('final_result', '{}', '3')])",
    "N(kind='response', parts=[], finish_reason=REASON)",
)
CUT_AGENTS_SDK = AGENTS_SDK.replace(
    "type='message_output_item', raw_item=N()",
    "type='message_output_item', raw_item=N(status=REASON)",
)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("def f(m): return {'type': 'ai', 'content': 'It', "
         "'response_metadata': {'finish_reason': 'length'}}", "cut off"),
        ("def f(m): return {'type': 'ai', 'content': '', "
         "'additional_kwargs': {'refusal': 'I cannot help'}}", "I cannot help"),
        ("def f(m): return {'response': 'It', 'finish_reason': 'length'}", "cut off"),
        (CUT_PYDANTIC_AI.replace("REASON", "'length'"), "cut off"),
        (CUT_PYDANTIC_AI.replace("REASON", "'content_filter'"), "filtered"),
        (CUT_AGENTS_SDK.replace("REASON", "'incomplete'"), "cut off"),
    ],
)  # fmt: skip
async def test_an_answer_that_was_cut_off_or_refused_is_none(
    tmp_path: Path, body: str, word: str
) -> None:
    assert word in await fault(tmp_path, N + body)


@pytest.mark.parametrize(
    "body",
    [
        CUT_PYDANTIC_AI.replace("REASON", "'stop'"),
        CUT_AGENTS_SDK.replace("REASON", "'completed'"),
    ],
)
async def test_one_that_came_to_its_end_is_an_answer(tmp_path: Path, body: str) -> None:
    assert len((await ask(tmp_path, N + body)).tool_calls) == 2


async def test_arguments_that_are_not_json_are_not_known(tmp_path: Path) -> None:
    body = AGENTS_SDK.replace("""'{"city": "Paris"}'""", "'{bad'")
    first, second = (await ask(tmp_path, N + body)).tool_calls
    assert (first.name, first.params) == ("look", None)
    assert second.params == ROME


async def test_texts_of_several_blocks_are_put_together(tmp_path: Path) -> None:
    body = (
        "def f(m): return {'type': 'ai', 'content': [{'type': 'text', 'text': 'It is 1'}, "
        "{'type': 'text', 'text': '8 degrees'}]}"
    )
    assert (await ask(tmp_path, body)).text == "It is 18 degrees"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text", "text"),
        ({"response": "a", "messages": [1]}, {"response": "a", "messages": [1]}),
        ({"answer": "a", "calls": [{"tool": "t", "arguments": '{"x": 1}'}]},
         {"response": "a", "toolCalls": [{"name": "t", "params": {"x": 1}}]}),
        ({"answer": "a", "calls": [{"function": {"name": "t", "arguments": "{}"}}]},
         {"response": "a", "toolCalls": [
             {"function": {"name": "t", "arguments": "{}"}, "name": "t", "params": {}}]}),
        ([1, 2], [1, 2]),
    ],
)  # fmt: skip
def test_other_forms(value: Any, expected: Any) -> None:
    assert as_answer(value) == expected


def test_messages_without_an_answer() -> None:
    with pytest.raises(AgentError, match="no message of its own"):
        as_answer({"messages": [{"type": "human", "content": "hi"}]})


async def test_a_function_may_run_a_loop_of_its_own(tmp_path: Path) -> None:
    body = (
        "import asyncio\nasync def g(m): return m\n"
        "def f(m):\n"
        "    if m == 'run': return asyncio.run(g(m))\n"
        "    return asyncio.get_event_loop().run_until_complete(g(m))"
    )
    made = agent(tmp_path, body)
    for message in ("run", "get", "run", "get"):
        assert (await made.respond(request(message))).text == message
    await made.close()


@pytest.mark.parametrize(
    "messages",
    [
        [{"_role": "assistant", "_content": [{"text": "Sunny."}]}],
        [{"role": "assistant", "content": [{"tool_call": {"tool_name": "look"}}]}],
        ["Sunny."],
    ],
)
def test_messages_of_another_shape_are_never_an_answer_without_calls(messages: Any) -> None:
    with pytest.raises(AgentError, match="Return `response` and `toolCalls`"):
        as_answer({"messages": messages})
