"""Programs as agents: real processes, also those that crash, hang, flood or leave others."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents import make_agent
from evaltui.agents.command import CommandAgent, make
from evaltui.core.agent import AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError, UserError
from evaltui.core.response import AgentResponse, Execution, Message, ToolCall
from evaltui.core.tool import ToolDefinition, ToolRegistry
from tests.agents.requests import request
from tests.agents.scripts import is_alive, program, until_file, until_gone

ECHO = """
asked = json.load(sys.stdin)
json.dump({"response": asked["message"].upper(), "toolCalls": [
    {"name": "look", "params": {"q": asked["case_id"]}, "success": True, "durationMs": 2}
]}, sys.stdout)
"""


def agent(root: Path, command: Any, env: dict[str, str] | None = None, **more: Any) -> CommandAgent:
    return make("mine", {"command": command, **more}, root=root, env=env or {})


async def ask(
    root: Path, body: str, asked: AgentRequest | None = None, **more: Any
) -> AgentResponse:
    made = agent(root, program(root, body), **more)
    try:
        return await made.respond(asked or request())
    finally:
        await made.close()


async def fault(root: Path, body: str, **more: Any) -> AgentError:
    with pytest.raises(AgentError) as caught:
        await ask(root, body, **more)
    return caught.value


async def test_the_contract_over_stdin_and_stdout(tmp_path: Path) -> None:
    answer = await ask(tmp_path, ECHO)
    assert answer.text == "WEATHER?"
    assert answer.tool_calls == (ToolCall("look", {"q": "gs-1"}, True, 2),)
    assert answer.execution is Execution.REAL
    assert answer.duration_ms > 0


async def test_history_and_stubs_are_sent(tmp_path: Path) -> None:
    body = "json.dump({'response': json.dumps(json.load(sys.stdin)), 'toolCalls': []}, sys.stdout)"
    asked = request("Now?", history=(Message("user", "é 😀"),), stubs={"look": {"n": 1}})
    answer = await ask(tmp_path, body, asked)
    sent = json.loads(answer.text)
    assert sent["history"] == [{"role": "user", "content": "é 😀"}]
    assert sent["stubs"] == {"look": {"n": 1}}
    assert answer.notes


async def test_json_lines_are_streamed_together(tmp_path: Path) -> None:
    body = """
for piece in ("Sun", "ny"):
    print(json.dumps({"delta": piece}))
print(json.dumps({"toolCall": {"name": "look", "params": {}, "success": False}}))
"""
    heard: list[str] = []
    answer = await ask(tmp_path, body, request(on_text=heard.append))
    assert answer.text == "Sunny"
    assert heard == ["Sun", "ny"]
    assert answer.tool_calls == (ToolCall("look", {}, False),)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("sys.exit('no key in vault')", "exit code 1: no key in vault"),
        ("os.kill(os.getpid(), 9)", "signal SIGKILL"),
        ("", "wrote nothing to stdout"),
        ("print('Hello there')", "text that is not JSON: Hello there"),
        ('print(\'{"response": "x"\')', "broken JSON"),
        ("print('[1, 2]')", "not JSON: [1, 2]"),
        ("print(json.dumps({'response': 'x'}))", "no `toolCalls`"),
        ("print(json.dumps({'error': 'quota'}))", "reports an error: quota"),
    ],
)
async def test_broken_programs_say_what_is_wrong(tmp_path: Path, body: str, words: str) -> None:
    assert words in (await fault(tmp_path, body)).what


async def test_secrets_of_the_environment_are_masked(tmp_path: Path) -> None:
    body = "sys.exit(os.environ['API_KEY'] + ' was refused')"
    error = await _fault_with_key(tmp_path, body)
    assert "*** was refused" in error.what
    assert "very-secret" not in error.what


async def test_no_half_of_a_secret_stands_where_what_it_wrote_is_cut(tmp_path: Path) -> None:
    for behind in ("y" * 590, "y" * 4088):
        error = await _fault_with_key(tmp_path, f"sys.exit(os.environ['API_KEY'] + '{behind}')")
        assert "yyy" in error.what
        assert not any(piece in error.what for piece in ("very", "secret", "cret-1", "et-1"))


async def _fault_with_key(root: Path, body: str) -> AgentError:
    options: dict[str, Any] = {"command": program(root, body), "env": {"API_KEY": "${MY_KEY}"}}
    made = make("mine", options, root=root, env={"MY_KEY": "sk-very-secret-1"})
    with pytest.raises(AgentError) as caught:
        await made.respond(request())
    await made.close()
    return caught.value


async def test_a_secret_in_the_answer_is_masked(tmp_path: Path) -> None:
    body = """print(json.dumps({"response": os.environ["API_KEY"], "toolCalls": []}))"""
    options: dict[str, Any] = {"command": program(tmp_path, body), "env": {"API_KEY": "${MY_KEY}"}}
    made = make("mine", options, root=tmp_path, env={"MY_KEY": "sk-very-secret-1"})
    assert (await made.respond(request())).text == "***"
    await made.close()


async def test_a_flood_is_stopped_at_the_limit(tmp_path: Path) -> None:
    body = "while True: sys.stdout.write('x' * 65536)"
    async with asyncio.timeout(20):
        error = await fault(tmp_path, body, max_answer_bytes=1_000_000)
    assert "more than" in error.what and "max_answer_bytes" in error.what


async def test_a_flood_of_stderr_is_harmless(tmp_path: Path) -> None:
    body = "sys.stderr.write('x' * 5_000_000 + ' the end')\n" + ECHO
    assert (await ask(tmp_path, body)).text == "WEATHER?"
    error = await fault(tmp_path, "sys.stderr.write('x' * 5_000_000 + ' the end')\nsys.exit(2)")
    assert error.what.endswith("the end") and len(error.what) < 2000


async def test_a_program_that_never_reads_its_input_is_fine(tmp_path: Path) -> None:
    body = """print(json.dumps({"response": "ok", "toolCalls": []}))"""
    assert (await ask(tmp_path, body, request("x" * 3_000_000))).text == "ok"


FAMILY = """
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open("pids", "w") as file:
    file.write(f"{os.getpid()} {child.pid}\\n")
"""


async def test_cancelling_kills_the_whole_group(tmp_path: Path) -> None:
    made = agent(tmp_path, program(tmp_path, FAMILY + "time.sleep(600)"))
    task = asyncio.create_task(made.respond(request()))
    pids = [int(pid) for pid in (await until_file(tmp_path / "pids")).split()]
    assert all(is_alive(pid) for pid in pids)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until_gone(*pids)
    await made.close()


async def test_what_a_program_leaves_behind_is_ended(tmp_path: Path) -> None:
    async with asyncio.timeout(20):
        answer = await ask(tmp_path, FAMILY + ECHO)
    assert answer.text == "WEATHER?"
    await until_gone(*(int(pid) for pid in (tmp_path / "pids").read_text().split()))


SERVE = """
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    if asked["message"] == "crash": sys.exit("boom")
    if asked["message"] == "hang": time.sleep(600)
    if asked["message"] == "chatter": print("loading...")
    text = f"{os.getpid()} {number} {asked['message']}"
    print(json.dumps({"response": text, "toolCalls": []}), flush=True)
"""


async def test_a_kept_process_answers_again_and_again(tmp_path: Path) -> None:
    made = agent(tmp_path, program(tmp_path, SERVE), mode="jsonl")
    first = (await made.respond(request("a"))).text.split()
    second = (await made.respond(request("b"))).text.split()
    assert first[0] == second[0]
    assert (first[1:], second[1:]) == (["0", "a"], ["1", "b"])
    await made.close()
    await until_gone(int(first[0]))


async def test_open_requests_have_a_process_each(tmp_path: Path) -> None:
    made = agent(tmp_path, program(tmp_path, SERVE), mode="jsonl")
    answers = await asyncio.gather(*(made.respond(request(str(n))) for n in range(4)))
    assert sorted(answer.text.split()[2] for answer in answers) == ["0", "1", "2", "3"]
    assert len({answer.text.split()[0] for answer in answers}) == 4
    await made.close()


@pytest.mark.parametrize(("message", "words"), [("crash", "boom"), ("chatter", "loading...")])
async def test_a_kept_process_that_breaks_costs_one_case(
    tmp_path: Path, message: str, words: str
) -> None:
    made = agent(tmp_path, program(tmp_path, SERVE), mode="jsonl")
    before = (await made.respond(request("a"))).text.split()[0]
    with pytest.raises(AgentError) as caught:
        await made.respond(request(message))
    assert words in caught.value.what
    after = (await made.respond(request("b"))).text.split()
    assert after[0] != before and after[1:] == ["0", "b"]
    await made.close()


async def test_a_kept_process_that_hangs_is_replaced(tmp_path: Path) -> None:
    made = agent(tmp_path, program(tmp_path, SERVE), mode="jsonl")
    pid = int((await made.respond(request("a"))).text.split()[0])
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await made.respond(request("hang"))
    await until_gone(pid)
    assert (await made.respond(request("b"))).text.endswith("b")
    await made.close()


async def test_an_adapter_is_told_the_conversation_so_far(tmp_path: Path) -> None:
    body = """
asked = json.load(sys.stdin)
json.dump({"assistant_output": json.dumps(asked["metadata"])}, sys.stdout)
"""
    said = (Message("user", "Hi"), Message("assistant", "Hello"))
    answer = await ask(tmp_path, body, request("Now?", history=said), dialect="adapter")
    told = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    assert json.loads(answer.text) == {"history": told}


async def test_the_adapter_contract_of_repair_loops(tmp_path: Path) -> None:
    body = """
asked = json.load(sys.stdin)
assert asked["mode"] == "propose" and asked["attempt"] == 0
json.dump({"assistant_output": json.dumps(asked), "tool_calls": [
    {"tool": "look", "arguments": {"q": 1}}, {"name": "gone", "input": {}}
]}, sys.stdout)
"""
    tool = ToolDefinition("look", parameters={"type": "object", "required": ["q"]})
    asked = AgentRequest(
        CaseKey("s", "c"), "w", ToolRegistry({"look": tool}), stubs={"look": {"hits": 3}}
    )
    answer = await ask(tmp_path, body, asked, dialect="adapter")
    sent = json.loads(answer.text)
    assert sent["tool_contracts"] == {"look": {"required_args": ["q"], "forbidden_args": []}}
    assert sent["metadata"] == {"tool_responses": {"look": {"hits": 3}}}
    assert (sent["case_id"], sent["input"]) == ("c", "w")
    look, gone = answer.tool_calls
    assert (look.params, look.success, look.result) == ({"q": 1}, True, {"hits": 3})
    assert (gone.success, gone.error) == (False, 'no stub for "gone"')
    assert answer.execution is Execution.STUBS


@pytest.mark.parametrize(
    ("body", "text"),
    [("", ""), ("print('72F')", "72F\n"), ("print('[1]')", "[1]"), ("print('{}')", "")],
)
async def test_an_adapter_may_write_plain_text(tmp_path: Path, body: str, text: str) -> None:
    answer = await ask(tmp_path, body, dialect="adapter")
    assert (answer.text, answer.execution) == (text, Execution.ROUTING)


async def test_an_adapter_that_fails_is_an_error(tmp_path: Path) -> None:
    error = await fault(tmp_path, "sys.stderr.write('why')\nsys.exit(7)", dialect="adapter")
    assert "exit code 7: why" in error.what


async def test_a_command_is_split_without_a_shell(tmp_path: Path) -> None:
    body = "json.dump({'response': ' '.join(sys.argv[1:]), 'toolCalls': []}, sys.stdout)"
    words = program(tmp_path, body)
    made = agent(tmp_path, f"'{words[0]}' '{words[1]}' 'a b' $HOME '*' ; touch gone")
    assert (await made.respond(request())).text == "a b $HOME * ; touch gone"
    assert not (tmp_path / "gone").exists()
    await made.close()


async def test_a_missing_program_is_named(tmp_path: Path) -> None:
    made = agent(tmp_path, "no-such-program-anywhere --now")
    with pytest.raises(AgentError, match="`no-such-program-anywhere` was not found"):
        await made.respond(request())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "`command` is missing"),
        ({"command": "'open"}, "cannot be split"),
        ({"command": [sys.executable, 3]}, "`command[1]` is a number"),
        ({"command": "x", "mode": "daemon"}, "`mode` is `daemon`"),
        ({"command": "x", "mode": "jsonl", "dialect": "adapter"}, "each attempt"),
        ({"command": "x", "cwd": "nowhere"}, "not a folder"),
        ({"command": "x", "comand": "y"}, "Did you mean `command`"),
        ({"command": "x ${NOT_SET_ANYWHERE}"}, "NOT_SET_ANYWHERE"),
    ],
)
def test_wrong_options_are_named(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError) as caught:
        make_agent("command", "mine", options, root=tmp_path)
    assert words in str(caught.value)


async def test_a_line_that_carries_another_questions_id_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    for id_ in (asked['request_id'] - 1, asked['request_id']):\n"
        "        print(json.dumps({'response': f\"{asked['message']} {id_}\", 'toolCalls': [],\n"
        "                          'request_id': id_}), flush=True)\n"
    )
    options: dict[str, Any] = {"command": [sys.executable, "mine.py"], "mode": "jsonl"}
    made = make("mine", options, root=tmp_path, env={})
    for number, message in enumerate("abc", 1):
        assert (await made.respond(request(message))).text == f"{message} {number}"
    await made.close()
