"""The start of a Python agent is none of the case's time, and no case's fault."""

import asyncio
import os
from pathlib import Path

import pytest

from evaltui.core.errors import AgentError
from evaltui.core.result import CaseStatus
from tests.agents.requests import request
from tests.agents.test_python_function import agent, ask
from tests.runner.fakes import job, run_one


async def test_loading_takes_no_time_of_the_case(tmp_path: Path) -> None:
    body = "import time\ntime.sleep(1)\ndef f(m): return 'ok'"
    made = agent(tmp_path, body)
    result = await run_one(made, job(), timeout_s=0.5)
    await made.close()
    assert result.status is CaseStatus.PASSED
    assert result.duration_ms < 500


async def test_a_start_has_a_limit_of_its_own(tmp_path: Path) -> None:
    body = "import time\ntime.sleep(600)\ndef f(m): return 'ok'"
    made = agent(tmp_path, body, start_timeout=0.5)
    result = await run_one(made, job())
    await made.close()
    assert result.status is CaseStatus.ERROR
    assert result.category == "start"
    assert "was not loaded within 0.5 s" in result.error


async def test_packages_are_compiled_once_and_the_projects_own_files_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    for folder in ("site-packages", "own"):
        (tmp_path / folder).mkdir()
    (tmp_path / "site-packages" / "bought.py").write_text("A = 1")
    (tmp_path / "own" / "__init__.py").write_text("")
    (tmp_path / "own" / "part.py").write_text("B = 1")
    body = (
        "import sys\nsys.path.append('site-packages')\n"
        "import bought\nfrom own.part import B\ndef f(m): return f'{B}'"
    )
    assert (await ask(tmp_path, body)).text == "1"
    assert compiled(tmp_path) == {"bought"}
    # A save within the second, of the same size, is seen.
    stat = (tmp_path / "own" / "part.py").stat()
    (tmp_path / "own" / "part.py").write_text("B = 2")
    os.utime(tmp_path / "own" / "part.py", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert (await ask(tmp_path, body)).text == "2"


def compiled(root: Path) -> set[str]:
    return {path.name.partition(".")[0] for path in root.rglob("*.pyc")}


NOTED = (
    "def f(m):\n    error = RuntimeError('the database is gone')\n"
    "    error.__notes__ = ['During task agent']\n    raise error"
)
GROUP = (
    "class ManyErrors(Exception):\n    exceptions = (ValueError('one'), KeyError('two'))\n"
    "def f(m): raise ManyErrors('both')"
)
LONG = "def f(m): raise ValueError('first line' + chr(10) + 'second line' + chr(10))"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (NOTED, "RuntimeError: the database is gone — During task agent (mine.py line 4, in f)"),
        (GROUP, "ManyErrors: both | ValueError: one | KeyError: 'two' (mine.py line 3, in f)"),
        (LONG, "ValueError: first line\nsecond line (mine.py line 1, in f)"),
        ("def f(m): raise ValueError", "ValueError (mine.py line 1, in f)"),
    ],
)
async def test_an_exception_keeps_its_text(tmp_path: Path, body: str, said: str) -> None:
    made = agent(tmp_path, body)
    with pytest.raises(AgentError) as caught:
        await made.respond(request())
    await made.close()
    assert said in caught.value.what


@pytest.mark.slow
async def test_a_copy_of_the_process_that_comes_back_shifts_no_answer(tmp_path: Path) -> None:
    body = "import os, time\ndef f(m):\n    if os.fork() == 0: time.sleep(0.2)\n    return m"
    made = agent(tmp_path, body)
    for message in "abcd":
        assert (await made.respond(request(message))).text == message
        await asyncio.sleep(0.3)  # until the copy comes back
    await made.close()


async def test_an_answer_to_an_earlier_question_is_passed_over(tmp_path: Path) -> None:
    # What a question left running writes the wire's own lines, late.
    body = (
        "import sys\n"
        "frame = sys._getframe(0)\n"
        "while 'wire' not in frame.f_locals: frame = frame.f_back\n"
        "wire = frame.f_locals['wire']\n"
        "def f(m):\n"
        "    if m == 'first': return m\n"
        "    wire.say({'id': 1, 'value': 'late'})\n"
        "    return m\n"
    )
    made = agent(tmp_path, body)
    assert (await made.respond(request("first"))).text == "first"
    assert (await made.respond(request("second"))).text == "second"
    await made.close()


async def test_one_start_serves_the_cases_that_follow(tmp_path: Path) -> None:
    body = "import os\ndef f(m): return str(os.getpid())"
    made = agent(tmp_path, body)
    first = await made.respond(request("a"))
    assert (await made.respond(request("b"))).text == first.text
    await made.close()
