"""From what goes wrong to the screen: a broken file, an agent that is down."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import Severity
from evaltui.session import Session
from tests.evaluators.loaded import evaluator, write
from tests.projects import make_project
from tests.sample_project import Line, at_the_line

pytestmark = pytest.mark.slow

FIND = "evals/find_order.golden.json"
MUSIC = "evals/play_music.golden.json"
ANSWER = b'{"text": "done", "tool_calls": []}'
KEPT = "find_order.golden.json:1:41 Not valid JSON"


@asynccontextmanager
async def answering(port: int = 0) -> AsyncIterator[int]:
    """An agent on this machine that always says the same; its port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
        says = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
        writer.write(says + b"Content-Length: %d\r\n\r\n" % len(ANSWER) + ANSWER)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", port)
    async with server:
        yield server.sockets[0].getsockname()[1]


def asks(root: Path, port: int) -> Path:
    (root / "evaltui.toml").write_text(
        f'agent = "a"\n[agents.a]\ntype = "http"\nis_free = true\nurl = "http://127.0.0.1:{port}"\n'
    )
    return root


def mistakes(session: Session) -> list[str]:
    return [one.what for one in session.store.problems.shown if one.severity is not Severity.LINT]


async def test_an_agent_that_is_down_is_one_problem_until_it_answers(tmp_path: Path) -> None:
    async with answering() as port:
        pass
    async with at_the_line(asks(make_project(tmp_path), port)) as line:
        said = f"connection refused by 127.0.0.1:{port}, 3 cases"
        await line.shows(f"agent down: {said}")
        (what,) = mistakes(line.session)
        assert what.replace("`", "") == f"a: {said}"
        await line.driver.press("4")
        await line.shows("a`: connection refused by")
        line.driver.misses("No problems")
        async with answering(port):
            await line.driver.press("E")
            await line.runs()
        await line.until(lambda: not mistakes(line.session))
        line.driver.misses("agent down")


@pytest.mark.parametrize("width", [160, 120, 100, 80, 60])
async def test_a_file_saved_broken_is_named_in_the_header_with_its_place(
    tmp_path: Path, width: int
) -> None:
    async with at_the_line(make_project(tmp_path)) as line:
        await line.driver.resize(width, 30)
        whole = line.read(FIND)
        line.save(FIND, '{"metadata": {"toolName": "find_order"}, cases: []}')
        await line.until(lambda: "find_order.golden.json:1:42" in header(line))
        if width >= 120:
            assert ", last good version in force" in header(line)
        assert "✓3" in header(line)
        line.save(FIND, whole)
        await line.until(lambda: ":1:42" not in header(line))


async def test_of_several_torn_files_the_one_just_saved_is_named_and_all_are_counted(
    tmp_path: Path,
) -> None:
    async with at_the_line(make_project(tmp_path)) as line:
        whole = line.read(MUSIC)
        line.save(FIND, "[")
        await line.until(lambda: "find_order.golden.json:1" in header(line))
        await line.reread()  # saves that come at once are one
        line.save(MUSIC, "[")
        await line.until(lambda: "play_music.golden.json:1" in header(line))
        assert " +1  " in header(line)
        line.driver.misses("changes no result", "find_order.golden.json:1")
        line.save(FIND, "[[")
        await line.until(lambda: "find_order.golden.json:1" in header(line))
        line.save(MUSIC, whole)
        await line.until(lambda: len(mistakes(line.session)) == 1)
        assert "find_order.golden.json:1" in header(line)


@pytest.mark.parametrize("width", [160, 100, 80, 60])
async def test_mistakes_in_a_file_that_can_be_read_are_counted_alike_everywhere(
    tmp_path: Path, width: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with at_the_line(make_project(tmp_path)) as line:
        await line.driver.resize(width, 40)
        first, second, *_ = json.loads(line.read(FIND))["cases"]
        said = json.loads(line.read(FIND))
        second["expect"] = {"toolsCaled": ["find_order"], "responseNonEmpty": True}
        said["cases"] = [first, second, first, {"id": "gs-find-order-009"}]
        line.save(FIND, json.dumps(said))
        await line.until(lambda: "⚠ " in header(line))
        await line.looked_into()
        many = len(line.session.store.problems.shown)
        assert many > 2
        assert f" +{many - 1}  " in header(line) or f"⚠ {many} problems" in header(line)
        assert "last good version" not in header(line), "it can be read"
        line.driver.sees(f"4 shows {many} problems")
        await line.driver.press("4")
        line.driver.sees(f"4 Problems {many}")
        listed = [text for text in line.driver.lines if re.match(r"^ +✗ error .*:1:", text)]
        assert not any("Case gs-" in text[: width // 2] for text in listed), "its place says it"
        await line.driver.press("L")
        line.driver.sees(f"{many} problems now")
    capsys.readouterr()
    run_command(["check", "-C", str(tmp_path)])
    counts = re.findall(r"(\d+) (?:error|warning|lint)", capsys.readouterr().out)
    assert sum(map(int, counts)) == many


@pytest.mark.parametrize("width", [160, 100, 80])
async def test_what_only_may_mislead_is_in_the_header_too_behind_what_is_an_error(
    tmp_path: Path, width: int
) -> None:
    root = make_project(tmp_path)
    async with at_the_line(root) as line:
        await line.driver.resize(width, 30)
        settings = line.read("evaltui.toml") if (root / "evaltui.toml").exists() else ""
        line.save("evaltui.toml", f'{settings}\n[mute]\n"no-such-case" = "flaky"\n')
        await line.until(lambda: "⚠ evaltui.toml:" in header(line) or "⚠ 1 prob" in header(line))
        line.save(FIND, "[")
        await line.until(lambda: "⚠ find_order.golden.json:1" in header(line))
        assert "evaltui.toml" not in header(line), "errors come first"


async def test_evaluators_saved_broken_are_named_in_the_header_at_their_own_line(
    tmp_path: Path,
) -> None:
    root = make_project(tmp_path)
    good = evaluator("return passed('')")
    write(root, "checks/mine.py", good)
    settings = root / "evaltui.toml"
    known = settings.read_text() if settings.exists() else ""
    settings.write_text(f'evaluators = ["./checks/mine.py"]\n{known}')
    async with at_the_line(root) as line:
        await line.driver.resize(160, 30)
        line.save("checks/mine.py", f"{good}def f(:\n")
        number = good.count("\n") + 1
        await line.until(lambda: f"mine.py:{number} SyntaxError: invalid syntax" in header(line))
        assert ", last good version in force" in header(line)
        line.driver.misses("changes no result")
        (found,) = (
            one for one in line.session.store.problems.reported if one.file == "checks/mine.py"
        )
        assert (found.line, found.key) == (number, "")


async def test_beside_a_torn_file_stands_no_run_that_is_over(tmp_path: Path) -> None:
    async with at_the_line(make_project(tmp_path)) as line:
        await line.driver.press("a")
        await line.runs()
        await line.until(lambda: "3 ran" in header(line))
        line.save(FIND, "[")
        await line.until(lambda: "find_order.golden.json:1" in header(line))
        line.driver.misses("run #")


def header(line: Line) -> str:
    return line.driver.lines[0]
