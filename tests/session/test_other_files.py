"""Of an agent whose files are not all known any file of the project may be one."""

import sys
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.events import RunEnd
from evaltui.core.staleness import OTHER_FILES, UNKNOWN_FILES, Degree
from evaltui.session import Session
from tests.evaluators.loaded import evaluator
from tests.projects import make_project, with_description, write_tools
from tests.session.test_session import all_keys, opened, watched

DEEP = """
import json, pathlib, sys
message = json.load(sys.stdin)["message"]
def answer():
    name = "play_music" if "song" in message else "find_order"
    call = {"name": name, "success": True, "params": {}}
    json.dump({"response": "done", "toolCalls": [call]}, sys.stdout)
"""
WRITES = "pathlib.Path('memory.md').open('a').write('x')"
HERE = f"""command = ["sh", "-c", "'{sys.executable}' -c \\"$CODE\\""]
env = {{ CODE = "import deep; deep.answer()" }}
"""


def settings(root: Path, more: str = "is_free = true") -> None:
    text = f'agent = "mine"\n[agents.mine]\ntype = "command"\n{more}\n{HERE}'
    (root / "evaltui.toml").write_text(text)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(make_project(tmp_path))
    (tmp_path / "deep.py").write_text(DEEP)
    settings(tmp_path)
    return tmp_path


def stale(session: Session) -> set[tuple[Degree, tuple[str, ...]]]:
    cases = session._queues.by_name["mine"].due.cases
    return {(case.degree, case.reasons) for case in cases}


POSSIBLY = {(Degree.POSSIBLY, (OTHER_FILES,))}


async def test_after_an_edit_of_any_of_them_results_are_possibly_outdated(root: Path) -> None:
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        assert stale(session) == set()
    async with opened(root) as (session, _):
        assert stale(session) == set()
    (root / "deep.py").write_text(DEEP + "# other")
    async with opened(root) as (session, _):
        assert stale(session) == POSSIBLY
        assert len(session._queues.by_name["mine"].due.cases) == len(all_keys(session))
        await session.run(all_keys(session))
        assert stale(session) == set()


async def test_data_that_an_evaluator_reads_too_are_not_left_out(root: Path) -> None:
    (root / "limits.json").write_text("3")
    (root / "check.py").write_text(
        f'MOST = open("limits.json").read()\n{evaluator("return passed(MOST)")}'
    )
    written = (root / "evaltui.toml").read_text()
    (root / "evaltui.toml").write_text(f'evaluators = ["./check.py"]\n{written}')
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    (root / "check.py").write_text((root / "check.py").read_text() + "# other")
    async with opened(root) as (session, _):
        assert stale(session) == set(), "an evaluator is no part of an agent"
    (root / "limits.json").write_text("4")
    async with opened(root) as (session, _):
        assert stale(session) == POSSIBLY


async def test_who_says_that_all_are_named_is_taken_at_their_word(root: Path) -> None:
    settings(root, "names_all_files = true")
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    (root / "deep.py").write_text(DEEP + "# other")
    async with opened(root) as (session, _):
        assert stale(session) == set()
    settings(root)
    async with opened(root) as (session, _):
        assert stale(session) == {(Degree.POSSIBLY, (UNKNOWN_FILES,))}, "it is no other agent"


@pytest.mark.parametrize("name", ["lib/there.md", "lib/new.md"])
async def test_a_save_of_one_marks_and_runs_nothing(root: Path, name: str) -> None:
    """Eval files are looked for in their folder only, so that no other one is watched for them."""
    written = (root / "evaltui.toml").read_text()
    (root / "evaltui.toml").write_text(f'evals = ["evals/*.json"]\n{written}')
    (root / "lib").mkdir()
    (root / "lib" / "there.md").write_text("one")
    async with watched(root) as (session, ear):
        (root / name).write_text("other")
        await ear.until(lambda: stale(session) == POSSIBLY)
        await ear.until(lambda: edit_a_case(root) and bool(ear.runs()))
        assert [len(started.cases) for started in ear.started()] == [1], "what that save affects"


async def test_what_a_program_writes_into_the_project_runs_nothing(root: Path) -> None:
    (root / "deep.py").write_text(DEEP + WRITES)
    async with watched(root) as (session, ear):
        await ear.until(lambda: stale(session) == POSSIBLY)
        await ear.until(lambda: edit_a_case(root) and bool(ear.runs()))
        assert [len(started.cases) for started in ear.started()] == [1]
        assert (root / "memory.md").read_text() == "x" * (len(all_keys(session)) + 1)


async def test_nor_does_it_stop_the_run(root: Path) -> None:
    async with watched(root) as (session, ear):
        (root / "deep.py").write_text(f"{DEEP}{WRITES}\nimport time\ntime.sleep(0.3)")
        await ear.until(lambda: stale(session) == POSSIBLY)
        write_tools(root, with_description("find_order", "Finds an order."))
        await ear.until(lambda: bool(ear.runs()))
        assert [(run.end, len(run.suites)) for run in ear.runs()] == [(RunEnd.COMPLETED, 2)]


def edit_a_case(root: Path) -> bool:
    """Save it with another message, once."""
    suite = root / "evals" / "find_order.golden.json"
    text = suite.read_text()
    if "Now look up" not in text:
        assert "Look up" in text
        suite.write_text(text.replace("Look up", "Now look up", 1))
    return True


def test_after_an_edit_of_any_of_them_no_recording_is_replayed(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["run", "--trust", "--cassettes", "auto"]) == 0
    assert run_command(["run", "--cassettes", "replay"]) == 0
    (root / "deep.py").write_text(DEEP.replace("find_order", "cancel_order"))
    capsys.readouterr()
    assert run_command(["run", "--cassettes", "replay"]) == 1
    assert "`otherFiles` was" in capsys.readouterr().out
    assert run_command(["run", "--cassettes", "auto"]) == 1, "it is asked, and chooses wrongly"
    (root / "deep.py").write_text(DEEP)
    assert run_command(["run", "--cassettes", "replay"]) == 0, "its own answers are there still"
