"""A file that begins to belong to an agent is heard of while watching, as one that changed is."""

import json
import sys
from pathlib import Path

import pytest

from tests.projects import make_project
from tests.session.test_session import all_keys, opened, watched

ANSWER = """
import pathlib
try:
    from opt import ORDER
except ImportError:
    ORDER = "find_order"
HERE = pathlib.Path(__file__).parent
def answer(message):
    said = [path.read_text() for path in sorted(HERE.glob("prompts/**/*.md"))]
    name = "play_music" if "song" in message else (said or [ORDER])[-1]
    return {"response": "done", "toolCalls": [{"name": name, "success": True, "params": {}}]}
"""
PROGRAM = """
import json, sys
from agent import answer
json.dump(answer(json.load(sys.stdin)["message"]), sys.stdout)
"""
OTHER = {"opt": "ORDER = 'cancel_order'", "prompt": "cancel_order"}


@pytest.fixture(params=["python", "command", "module"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Eval files are looked for in their folder only, so that no other one is watched for them."""
    root = make_project(tmp_path)
    (root / "mine").mkdir()
    (root / "mine" / "agent.py").write_text(ANSWER)
    (root / "mine" / "program.py").write_text(PROGRAM)
    program = f'type = "command"\ncommand = ["{sys.executable}"'
    what = {
        "python": 'type = "python"\nfunction = "mine/agent.py:answer"',
        "command": f'{program}, "mine/program.py"]',
        "module": f'{program}, "-m", "program"]\ncwd = "mine"',
    }[request.param]
    (root / "evaltui.toml").write_text(
        f'agent = "it"\nevals = ["evals/*.json"]\n[agents.it]\n{what}\n'
        'is_free = true\nfiles = ["mine/prompts/**/*.md"]\n'
    )
    return root


@pytest.mark.parametrize(
    ("there", "new", "kind"),
    [
        ((), "opt.py", "opt"),
        ((), "opt/__init__.py", "opt"),
        (("opt.py",), "opt/__init__.py", "opt"),
        (("prompts/a.md",), "prompts/b.md", "prompt"),
        ((), "prompts/b.md", "prompt"),
        ((), "prompts/deep/er/b.md", "prompt"),
    ],
)
async def test_a_file_that_begins_to_belong_to_it_reruns_its_cases(
    root: Path, there: tuple[str, ...], new: str, kind: str
) -> None:
    for name in there:
        write(root / "mine" / name, "ORDER = 'find_order'" if kind == "opt" else "find_order")
    async with watched(root) as (session, ear):
        write(root / "mine" / new, OTHER[kind])
        await ear.until(lambda: bool(ear.runs()))
        assert {*ear.started()[-1].cases} == {*all_keys(session)}
        results = [row.result for row in session.store.board("it").rows.values()]
        assert sorted(one.status for one in results if one) == ["failed", "failed", "passed"]


@pytest.mark.parametrize("there", [(), pytest.param(("prompts/a.md",), marks=pytest.mark.slow)])
async def test_a_folder_that_was_made_before_is_watched(root: Path, there: tuple[str, ...]) -> None:
    for name in there:
        write(root / "mine" / name, "find_order")
    folder = root / "mine" / "prompts" / "deep" if there else root / "mine" / "prompts"
    async with watched(root) as (session, ear):
        folder.mkdir(parents=True)
        ask_otherwise(root)
        await ear.until(lambda: len(ear.runs()) == 1)
        write(folder / "b.md", "cancel_order")
        await ear.until(lambda: len(ear.runs()) == 2)
        assert {*ear.started()[-1].cases} == {*all_keys(session)}


async def test_a_file_that_does_not_reruns_nothing(root: Path) -> None:
    async with watched(root) as (session, ear):
        agent = session._queues.by_name["it"].agent
        write(root / "mine" / "prompts" / "a.txt", "nothing")
        write(root / "mine" / "other.py", "nothing")
        ask_otherwise(root)
        await ear.until(lambda: bool(ear.runs()))
        assert [key.suite for key in ear.started()[-1].cases] == ["evals/play_music.golden.json"]
        assert session._queues.by_name["it"].agent is agent


async def test_what_is_awaited_is_no_file_of_the_agent(root: Path) -> None:
    async with opened(root) as (session, _):
        agent = session._queues.by_name["it"].agent
        mine = root / "mine"
        assert {mine / "opt.py", mine / "prompts"} <= agent.awaited
        assert not agent.awaited & agent.files
        assert not [path for path in agent.awaited if path.name in ("json.py", "pathlib.py")]


def ask_otherwise(root: Path) -> None:
    suite = root / "evals" / "play_music.golden.json"
    written = json.loads(suite.read_text())
    written["cases"][0]["input"]["message"] += " please"
    write(suite, json.dumps(written))


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
