"""Result files that a killed run did not come to write are written by the next process."""

import json
from pathlib import Path

import pytest

from evaltui.core.events import ProblemFound
from tests.projects import make_project
from tests.session.test_session import AGENT, all_keys, opened

RESULTS = Path("evals", "results")


def written(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root / RESULTS).glob("*.json")}


async def test_those_that_are_missing_are_written_and_no_others(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        (first,) = await session.run(all_keys(session)[:2])
        (second,) = await session.run(all_keys(session)[2:])
    before = written(tmp_path)
    assert len(before) == 2
    lost, kept = (tmp_path / RESULTS / Path(run.files[0]).name for run in (second, first))
    lost.unlink()
    kept.write_bytes(kept.read_bytes() + b" ")  # a file that is there is left as it is
    async with opened(tmp_path) as (session, ear):
        await session.write_missing_results(AGENT)
        assert ear.all(ProblemFound) == []
    after = written(tmp_path)
    assert after.keys() == before.keys()
    assert after[kept.name] == before[kept.name] + b" "
    again, then = json.loads(after[lost.name]), json.loads(before[lost.name])
    for name in ("runId", "summary", "toolName"):
        assert again[name] == then[name]
    assert [one["details"] for one in again["cases"]] == [one["details"] for one in then["cases"]]


async def test_what_never_ran_gets_no_file(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await session.write_missing_results(AGENT)
        assert written(tmp_path) == {}
        await session.run(all_keys(session)[2:])
        await session.write_missing_results(AGENT)
    assert len(written(tmp_path)) == 1


async def test_what_cannot_be_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async with opened(make_project(tmp_path)) as (session, ear):
        await session.run(all_keys(session))
        monkeypatch.setattr("evaltui.session.missing_results.write_results", full)
        await session.write_missing_results(AGENT)
        (told,) = ear.all(ProblemFound)
        assert isinstance(told, ProblemFound)
        assert told.problem.file == RESULTS.as_posix()
        assert "could not be written: No space left on device" in told.problem.what
