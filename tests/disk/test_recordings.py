"""Cassettes on disk: one readable file a case, merged, whole, and inside its folder."""

import asyncio
import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, UserError
from evaltui.disk.recordings import RecordingFolder

CASE = CaseKey("evals/w.golden.json", "gs-1")
TOOLS = {"get_weather": "aaa bbb", "find": "ccc ddd"}


def entry(key: str, trial: int = 0, turn: int = 0, **more: Any) -> dict[str, Any]:
    asked = {
        "trial": trial,
        "turn": turn,
        "parameters": {"model": "m"},
        "messages": [{"role": "user", "content": "Wetter in Köln?"}],
        "tools": TOOLS,
    }
    return {"key": key, "request": asked | more, "reply": {"text": key}}


@pytest.fixture
def folder(tmp_path: Path) -> RecordingFolder:
    return RecordingFolder(tmp_path / "cassettes", tmp_path)


async def test_keeps_and_reads(folder: RecordingFolder) -> None:
    assert folder.read(CASE) == ()
    await folder.keep(CASE, entry("a"))
    assert folder.read(CASE) == (entry("a"),)
    assert folder.place(CASE) == "cassettes/evals/w.golden/gs-1.json"


async def test_the_file_is_readable_and_stable(folder: RecordingFolder) -> None:
    for one in (entry("c", trial=1), entry("b", turn=1), entry("a")):
        await folder.keep(CASE, one)
    text = folder.path(CASE).read_text("utf-8")
    assert "Wetter in Köln?" in text
    assert text.endswith("}\n")
    assert text.count("get_weather") == 1
    assert [found["key"] for found in json.loads(text)["entries"]] == ["a", "b", "c"]
    await folder.keep(CASE, entry("b", turn=1))
    assert folder.path(CASE).read_text("utf-8") == text


async def test_the_same_key_is_replaced(folder: RecordingFolder) -> None:
    await folder.keep(CASE, entry("a"))
    await folder.keep(CASE, entry("a") | {"reply": {"text": "new"}})
    assert [found["reply"] for found in folder.read(CASE)] == [{"text": "new"}]
    await folder.keep(CASE, entry("other"))
    await folder.keep(CASE, entry("b"), "a")
    assert [found["key"] for found in folder.read(CASE)] == ["b", "other"], "as it once was called"


async def test_many_at_once_lose_nothing(folder: RecordingFolder) -> None:
    await asyncio.gather(*(folder.keep(CASE, entry(f"{n:02}", trial=n)) for n in range(30)))
    assert len(folder.read(CASE)) == 30
    assert [path.name for path in folder.path(CASE).parent.iterdir()] == ["gs-1.json"]


def _keep_many(root: Path, agent: int) -> None:
    store = RecordingFolder(root / "cassettes", root)
    for at in range(40):
        asyncio.run(store.keep(CASE, entry(f"{agent}-{at}")))


def test_several_processes_lose_nothing(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        list(pool.map(_keep_many, [tmp_path] * 2, range(2)))
    kept = {one["key"] for one in RecordingFolder(tmp_path / "cassettes", tmp_path).read(CASE)}
    assert kept == {f"{agent}-{at}" for agent in range(2) for at in range(40)}


async def test_hand_written_changes_are_kept(folder: RecordingFolder) -> None:
    await folder.keep(CASE, entry("a"))
    path = folder.path(CASE)
    path.write_text(path.read_text("utf-8").replace('"text": "a"', '"text": "edited"'), "utf-8")
    await folder.keep(CASE, entry("b", trial=1))
    assert [found["reply"] for found in folder.read(CASE)] == [{"text": "edited"}, {"text": "b"}]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": 1}',
        "<<<<<<< HEAD\n",
        "\x00\xff",
        "[" * 10**5,
    ],
)
async def test_a_file_that_is_no_recording_is_set_aside_and_said(tmp_path: Path, text: str) -> None:
    problems: list[Problem] = []
    folder = RecordingFolder(tmp_path / "cassettes", tmp_path, problems.append)
    path = folder.path(CASE)
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    assert folder.read(CASE) == ()
    await folder.keep(CASE, entry("a"))
    assert folder.read(CASE) == (entry("a"),)
    (problem,) = problems
    assert (problem.file, problem.code) == (str(path), "set-aside")
    assert "gs-1.json.damaged" in problem.hint
    assert path.with_name("gs-1.json.damaged").read_text("utf-8") == text


async def test_a_recording_of_a_later_version_is_left_alone(folder: RecordingFolder) -> None:
    path = folder.path(CASE)
    path.parent.mkdir(parents=True)
    path.write_text('{"format": 2}', "utf-8")
    with pytest.raises(UserError, match="cassettes/evals"):
        folder.read(CASE)
    with pytest.raises(UserError, match="cassettes/evals"):
        await folder.keep(CASE, entry("a"))
    assert path.read_text("utf-8") == '{"format": 2}'


@pytest.mark.parametrize(
    "case",
    [
        CaseKey("../../etc", "passwd"),
        CaseKey("/etc", "../x"),
        CaseKey("a", ".."),
        CaseKey("", ""),
        CaseKey("a//b", "nul"),
        CaseKey("a", "x/" * 300),
        CaseKey("a", "\x00 : * ?"),
    ],
)
async def test_names_stay_in_the_folder(folder: RecordingFolder, case: CaseKey) -> None:
    await folder.keep(case, entry("a"))
    assert folder.read(case) == (entry("a"),)
    inside = folder.path(CASE).parents[2].resolve()
    assert folder.path(case).resolve().is_relative_to(inside)


async def test_similar_ids_do_not_share_a_file(folder: RecordingFolder) -> None:
    ids = ["a/b", "a_b", "a:b", "a b"]
    assert len({folder.path(CaseKey("s", id_)) for id_ in ids}) == len(ids)
