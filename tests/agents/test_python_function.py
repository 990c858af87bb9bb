"""Python functions as agents: what they return, print, raise, and how they end."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.python_function import PythonAgent, make
from evaltui.core.agent import AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError, UserError
from evaltui.core.response import AgentResponse, Message, ToolCall, Usage
from evaltui.core.tool import ToolDefinition, ToolRegistry
from tests.agents.requests import request
from tests.agents.scripts import until_file, until_gone


def agent(root: Path, body: str, function: str = "mine.py:f", **more: Any) -> PythonAgent:
    (root / "mine.py").write_text(body)
    return make("python", {"function": function, **more}, root=root, env={})


async def ask(root: Path, body: str, asked: AgentRequest | None = None) -> AgentResponse:
    made = agent(root, body)
    try:
        return await made.respond(asked or request())
    finally:
        await made.close()


async def fault(root: Path, body: str, **more: Any) -> str:
    made = agent(root, body, **more)
    with pytest.raises(AgentError) as caught:
        await made.respond(request())
    await made.close()
    return caught.value.what


async def test_a_text_is_an_answer_without_reported_calls(tmp_path: Path) -> None:
    answer = await ask(tmp_path, "def f(message): return message[::-1]")
    assert (answer.text, answer.tool_calls) == ("?rehtaeW", ())
    assert any("returned text only" in note for note in answer.notes)
    assert not answer.tells_calls


@pytest.mark.parametrize(
    "body",
    [
        "def f(m): return {'response': 'ok', 'toolCalls': [{'name': 'a', 'params': {'x': 1},"
        " 'success': True}], 'usage': {'input_tokens': 3, 'output_tokens': 4}}",
        "async def f(m): return {'text': 'ok', 'tool_calls': [{'tool': 'a', 'args': {'x': 1},"
        " 'success': True}], 'usage': {'inputTokens': 3, 'outputTokens': 4}}",
        "from dataclasses import dataclass\nfrom types import SimpleNamespace as N\n"
        "@dataclass\nclass A:\n    response: str\n    tool_calls: tuple\n    usage: dict\n"
        "def f(m): return A('ok', (N(name='a', params={'x': 1}, success=True),),"
        " {'prompt_tokens': 3, 'completion_tokens': 4})",
    ],
)
async def test_answers_in_many_forms(tmp_path: Path, body: str) -> None:
    answer = await ask(tmp_path, body)
    assert answer.text == "ok"
    assert answer.tool_calls == (ToolCall("a", {"x": 1}, True),)
    assert answer.usage == Usage(3, 4)


async def test_an_object_without_calls_breaks_the_contract(tmp_path: Path) -> None:
    assert "no `toolCalls`" in await fault(tmp_path, "def f(m): return {'response': 'x'}")


async def test_only_the_arguments_it_takes_are_given(tmp_path: Path) -> None:
    body = (
        "import json\n"
        "def f(message, history, *, case_id, stubs=None, tools=()):\n"
        "    return json.dumps([message, history, case_id, stubs, [t['name'] for t in tools]])"
    )
    asked = AgentRequest(
        CaseKey("s", "c-1"),
        "hi",
        ToolRegistry({"look": ToolDefinition("look")}),
        stubs={"look": 1},
        history=(Message("user", "before"),),
    )
    assert agent(tmp_path, body).traits.reads_registry
    assert json.loads((await ask(tmp_path, body, asked)).text) == [
        "hi", [{"role": "user", "content": "before"}], "c-1", {"look": 1}, ["look"],
    ]  # fmt: skip
    assert not agent(tmp_path, "def f(message): return ''").traits.reads_registry


async def test_generators_stream(tmp_path: Path) -> None:
    for kind in ("def", "async def"):
        heard: list[str] = []
        body = f"{kind} f(m):\n    yield 'Sun'\n    yield 'ny'\n"
        answer = await ask(tmp_path, body, request(on_text=heard.append))
        assert (answer.text, heard) == ("Sunny", ["Sun", "ny"])
        assert answer.first_token_ms is not None


async def test_prints_are_notes_and_never_the_protocol(tmp_path: Path) -> None:
    body = (
        "import os, sys\nprint('at import')\n"
        'def f(m):\n    print(\'{"id": 1, "value": "forged"}\')\n'
        "    sys.stderr.write('warned\\n')\n    os.write(1, b'raw\\n')\n"
        "    try: input()\n    except EOFError: pass\n    return 'true'"
    )
    answer = await ask(tmp_path, body)
    assert answer.text == "true"
    printed = next(note for note in answer.notes if note.startswith("printed: "))
    assert "forged" in printed and "warned" in printed and "at import" not in printed


async def test_a_flood_of_prints_is_cut(tmp_path: Path) -> None:
    body = (
        "def f(m):\n    for _ in range(20_000): print('x' * 100)\n    print('end')\n    return 'ok'"
    )
    answer = await ask(tmp_path, body)
    assert answer.text == "ok"
    assert len(answer.notes[-1]) < 5_000 and answer.notes[-1].endswith("end")


@pytest.mark.parametrize(
    "body",
    [
        "    print(KEY + 'y' * 3990)\n    return 'ok'",
        "    print(KEY + 'y' * 590)\n    raise ValueError('no')",
        "    raise ValueError('y' * 1978 + KEY)",
    ],
)
async def test_no_half_of_a_secret_stands_where_it_is_cut(tmp_path: Path, body: str) -> None:
    body = f"import os\nKEY = os.environ['KEY']\ndef f(m):\n{body}"
    made = agent(tmp_path, body, env={"KEY": "sk-very-secret-1"})
    try:
        said = str((await made.respond(request())).notes)
    except AgentError as error:
        said = error.what
    finally:
        await made.close()
    assert "yyy" in said
    assert not any(piece in said for piece in ("very", "secret", "cret-1", "et-1", "sk-v"))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("def f(m):\n    raise ValueError('no such city')", "no such city (mine.py line 2"),
        ("import sys\ndef f(m): sys.exit(3)", "sys.exit(3)"),
        ("import os\ndef f(m):\n    print('last words')\n    os._exit(4)", "exit code 4"),
        ("import os\ndef f(m): os.kill(os.getpid(), 11)", "signal SIGSEGV"),
        ("def f(m): return [1, 2]", "must be a JSON object"),
        ("def f(m):\n    a = []\n    a.append(a)\n    return a", "cannot be written as JSON"),
        ("def f(m): return f(m)", "RecursionError"),
        ("def f(:", "SyntaxError"),
        ("import sys\nsys.exit('at import')", "cannot be loaded: the code called sys.exit"),
        ("import no_such_package_here", "ModuleNotFoundError"),
        ("f = 3", "not a function"),
    ],
)  # fmt: skip
async def test_crashes_say_what_and_where(tmp_path: Path, body: str, words: str) -> None:
    what = await fault(tmp_path, body)
    assert words in what
    if "last words" in body:
        assert "last words" in what


async def test_a_huge_answer_is_refused(tmp_path: Path) -> None:
    what = await fault(tmp_path, "def f(m): return 'x' * 3_000_000", max_answer_bytes=1_000_000)
    assert "more than" in what


@pytest.mark.slow
async def test_the_next_case_is_not_touched_by_a_crash_or_an_endless_loop(tmp_path: Path) -> None:
    body = (
        "import os\ndef f(m):\n"
        "    if m == 'loop':\n        while True: pass\n"
        "    if m == 'die': os._exit(1)\n"
        "    return f'{os.getpid()}'"
    )
    made = agent(tmp_path, body)
    first = (await made.respond(request("a"))).text
    assert (await made.respond(request("b"))).text == first
    with pytest.raises(AgentError):
        await made.respond(request("die"))
    second = (await made.respond(request("c"))).text
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await made.respond(request("loop"))
    await until_gone(int(second))
    third = (await made.respond(request("d"))).text
    assert len({first, second, third}) == 3
    await made.close()
    await until_gone(int(third))


async def test_open_requests_do_not_wait_for_each_other(tmp_path: Path) -> None:
    body = (
        "import os, time\ndef f(m):\n"
        "    open(m, 'w').close()\n"
        "    while len([n for n in os.listdir('.') if n in 'abc']) < 3: time.sleep(0.01)\n"
        "    return m"
    )
    made = agent(tmp_path, body)
    async with asyncio.timeout(20):
        answers = await asyncio.gather(*(made.respond(request(m)) for m in "abc"))
    assert [answer.text for answer in answers] == ["a", "b", "c"]
    await made.close()


async def test_the_child_dies_with_its_parent_even_in_an_endless_loop(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import os\ndef f(m):\n"
        "    open('pid', 'w').write(f'{os.getpid()}\\n')\n    while True: pass"
    )
    parent = subprocess.Popen(  # noqa: ASYNC220
        [
            sys.executable, "-c",
            "import asyncio, pathlib\n"
            "from evaltui.agents.python_function import make\n"
            "from tests.agents.requests import request\n"
            "a = make('python', {'function': 'mine.py:f'}, root=pathlib.Path('.'), env={})\n"
            "asyncio.run(a.respond(request()))",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    try:
        pid = int(await until_file(tmp_path / "pid"))
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    await until_gone(pid)


def test_the_fingerprint_follows_every_imported_file(tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "system.md").write_text("Be short.")
    (tmp_path / "helper.py").write_text("A = 1")
    (tmp_path / "stranger.py").write_text("B = 1")
    body = "import helper\ndef f(m): return ''"

    def made() -> PythonAgent:
        return agent(tmp_path, body, files=["prompts/*.md"])

    first = made()
    assert {path.name for path in first.files} == {"mine.py", "helper.py", "system.md"}
    assert made().fingerprint == first.fingerprint
    (tmp_path / "stranger.py").write_text("B = 2")
    assert made().fingerprint == first.fingerprint
    (tmp_path / "helper.py").write_text("A = 2")
    second = made()
    assert second.fingerprint != first.fingerprint
    (tmp_path / "prompts" / "system.md").write_text("Be long.")
    assert made().fingerprint != second.fingerprint


async def test_files_loaded_at_run_time_are_reported(tmp_path: Path) -> None:
    (tmp_path / "plugin.py").write_text("")
    body = "import importlib\ndef f(m):\n    importlib.import_module('plug' + 'in')\n    return ''"
    made = agent(tmp_path, body)
    await made.respond(request())
    assert {path.name for path in made.loaded_files()} == {"plugin.py"}
    await made.close()


async def test_a_dotted_module_is_imported(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "mod.py").write_text(
        "class A:\n    @staticmethod\n    def go(m): return m"
    )
    made = agent(tmp_path, "", "pack.mod:A.go")
    assert (await made.respond(request("x"))).text == "x"
    await made.close()


@pytest.mark.parametrize("function", ["mine.py", "", ":f", "mine:", "mine:f()"])
def test_a_wrong_function_is_named(tmp_path: Path, function: str) -> None:
    with pytest.raises(UserError, match="`function` is"):
        make("python", {"function": function}, root=tmp_path, env={})
