"""What a snapshot's source may do wrong, and what becomes of the run's time and memory then."""

import asyncio
import gzip
import sys
from pathlib import Path

import pytest

from evaltui.core.errors import UserError
from evaltui.runner import snapshot
from evaltui.runner.snapshot import capture_snapshot
from tests.agents.scripts import until_file, until_gone
from tests.agents.servers import always, answer, serving


def command(root: Path, body: str) -> str:
    (root / "snap.py").write_text(f"import os, subprocess, sys, time\n{body}\n")
    return f"{sys.executable} snap.py"


async def fault(source: str, root: Path) -> str:
    with pytest.raises(UserError) as caught:
        async with asyncio.timeout(20):
            await capture_snapshot(source, root)
    assert "{{snapshot:" in caught.value.hint
    return caught.value.what


async def test_a_file_a_command_and_a_server(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"a": 1}')
    assert await capture_snapshot("s.json", tmp_path) == {"a": 1}
    said = command(tmp_path, "print('{\"a\": 2}')")
    assert await capture_snapshot(said, tmp_path) == {"a": 2}
    async with serving(always(answer('{"a": 3}'))) as server:
        assert await capture_snapshot(server.url, tmp_path) == {"a": 3}


async def test_json_that_is_nested_too_deeply(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text("[" * 200_000)
    assert "nested too deeply" in await fault("s.json", tmp_path)


async def test_a_command_that_fails_says_why(tmp_path: Path) -> None:
    said = command(tmp_path, "sys.exit('no database')")
    assert "exit code 1: no database" in await fault(said, tmp_path)


CHILD = (
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "open('pids', 'w').write(f'{os.getpid()} {child.pid}\\n')\n"
)


async def test_a_child_that_keeps_the_output_is_not_waited_for(tmp_path: Path) -> None:
    said = command(tmp_path, f"{CHILD}print('[1]', flush=True)")
    async with asyncio.timeout(20):
        assert await capture_snapshot(said, tmp_path) == [1]
    await until_gone(*map(int, (tmp_path / "pids").read_text().split()))


async def test_at_its_limit_a_command_ends_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "LIMIT_S", 1.0)
    assert "no answer within 1 s" in await fault(
        command(tmp_path, f"{CHILD}time.sleep(600)"), tmp_path
    )
    await until_gone(*map(int, (tmp_path / "pids").read_text().split()))


async def test_who_cancels_it_waits_for_no_child(tmp_path: Path) -> None:
    said = command(tmp_path, f"{CHILD}time.sleep(600)")
    task = asyncio.create_task(capture_snapshot(said, tmp_path))
    pids = [int(pid) for pid in (await until_file(tmp_path / "pids")).split()]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        async with asyncio.timeout(5):
            await task
    await until_gone(*pids)


async def test_output_without_an_end_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "LIMIT_BYTES", 1 << 20)
    endless = command(tmp_path, "while True: os.write(1, b'[' * 65536)")
    assert "more than 1 MiB" in await fault(endless, tmp_path)
    async with serving(always(answer("[" * (2 << 20)))) as server:
        assert "longer than the 1 MiB" in await fault(server.url, tmp_path)


@pytest.mark.parametrize(
    ("encoding", "why"),
    [("gzip", "longer than the 64 MiB"), ("gzip, gzip", "packed as `gzip, gzip`")],
)
async def test_a_packed_answer_is_unpacked_up_to_the_limit(
    encoding: str, why: str, tmp_path: Path
) -> None:
    body = gzip.compress(b" " * (snapshot.LIMIT_BYTES + 1))
    for _ in encoding.split()[1:]:
        body = gzip.compress(body)
    async with serving(always(answer(body, extra=f"Content-Encoding: {encoding}\r\n"))) as server:
        assert why in await fault(server.url, tmp_path)


TOKEN = "quiet-value-4711"


async def test_no_fault_and_no_value_tells_what_came_in_through_a_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEAM", TOKEN)
    async with serving(always(answer({"said": TOKEN}, status="404 Not Found"))) as server:
        host = server.url.removeprefix("http://")
        said = await fault(f"http://me:pa55word@{host}/${{TEAM}}?token=abcdefg", tmp_path)
        assert TOKEN in server.asked[0].line
    assert "404" in said
    for secret in (TOKEN, "pa55word", "abcdefg"):
        assert secret not in said
    async with serving(always(answer({"said": TOKEN}))) as server:
        assert await capture_snapshot(f"{server.url}/${{TEAM}}", tmp_path) == {"said": "***"}
    script = command(tmp_path, f"sys.exit('no {TOKEN}')")
    assert "no ***" in await fault(f"sh -c '{script} ${{TEAM}}'", tmp_path)


async def test_no_fault_tells_the_secrets_of_its_command(tmp_path: Path) -> None:
    script = command(tmp_path, "sys.exit(f'no login with {sys.argv[1:]}')")
    said = await fault(f"{script} --password hunter22 --token=abcdefg x", tmp_path)
    assert "--password *** --token=*** x`: it ended with exit code 1: no login with" in said
    assert "hunter22" not in said and "abcdefg" not in said


async def test_a_variable_that_is_not_set_is_named(tmp_path: Path) -> None:
    assert "`EVALTUI_NO_SUCH`" in await fault("http://x/?token=${EVALTUI_NO_SUCH}", tmp_path)
