"""Verdicts of evaluators that nobody agrees to any more stand, and say so."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import copytree

import pytest
from msgspec.structs import replace

from evaltui.core.events import CasesStale
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.session import Session
from evaltui.settings.load import load_config
from tests.evaluators.loaded import evaluator, write
from tests.projects import make_project, write_suite
from tests.session.running.test_rejudging import orders
from tests.session.test_evaluators import LONG_ENOUGH
from tests.session.test_session import Ear

SUITE = "evals/find_order.golden.json"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    root = make_project(tmp_path)
    (root / "evals" / "play_music.golden.json").unlink()
    (root / "evaltui.toml").write_text('registry = "tools.json"\nevaluators = ["./length.py"]\n')
    write(root, "length.py", evaluator(LONG_ENOUGH.strip().replace("LEAST", "2"), "long_enough"))
    suite(root)
    return root


def suite(root: Path, **expect: object) -> None:
    one, other = orders(2, **expect)
    write_suite(root, "find_order", [{**one, "evaluators": [{"type": "long_enough"}]}, other])


async def run_trusted(root: Path) -> list[CaseResult]:
    """What `evaltui run --trust` does; the results of the first suite."""
    session = Session(replace(load_config(root).config, is_trusted=True))
    await session.open()
    keys = [case.key for one in session.project.suites for case in one.cases]
    (finished,) = await session.run(keys)
    await session.close()
    return [*finished.suites[0].cases]


@asynccontextmanager
async def watching(root: Path) -> AsyncIterator[tuple[Session, Ear]]:
    """As the dashboard opens it: nobody has agreed."""
    session, ear = Session(load_config(root).config), Ear()
    session.add_sink(ear)
    await session.open()
    watch = asyncio.create_task(session.watch())
    try:
        await ear.until(lambda: bool(ear.all(CasesStale)))
        yield session, ear
    finally:
        await session.close()
        await watch


def verdicts_of(session: Session) -> list[tuple[CaseStatus | None, tuple[str, ...]]]:
    """Of each row its verdict, and why that is not sure."""
    (agent,) = session.agents
    rows = session.store.board(agent).rows.values()
    return [
        (row.result.status if row.result else None, row.due.reasons if row.due else ())
        for row in rows
    ]


async def test_the_verdict_stands_and_says_that_it_is_not_trusted(root: Path) -> None:
    await run_trusted(root)
    async with watching(root) as (session, ear):
        passed = CaseStatus.PASSED
        untrusted = ("evaluator long_enough is not trusted: ctrl+t",)
        await ear.until(lambda: verdicts_of(session) == [(passed, untrusted), (passed, ())])
        assert not ear.started(), "nothing was judged without it"
        session.agree(session.grants())
        await ear.until(lambda: verdicts_of(session) == [(passed, ()), (passed, ())])
        assert session.is_trusted and not ear.started(), "nor is it a new one once it is there"


async def test_in_a_copy_of_the_project_nothing_is_judged_again_either(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    await run_trusted(root)
    copied = copytree(root, tmp_path_factory.mktemp("elsewhere") / "copy")
    async with watching(copied) as (session, ear):
        session.agree(session.grants())
        passed = CaseStatus.PASSED
        await ear.until(lambda: verdicts_of(session) == [(passed, ()), (passed, ())])
        assert session.is_trusted and not ear.started()


async def test_a_changed_expectation_waits_for_it(root: Path) -> None:
    await run_trusted(root)
    async with watching(root) as (session, ear):
        suite(root, responseContains=["nobody says this"])
        await ear.until(lambda: bool(ear.runs()))
        (run,) = ear.started()
        assert [key.case for key in run.cases] == ["c-1"]
        (first, reasons), (second, _) = verdicts_of(session)
        assert (first, second) == (CaseStatus.PASSED, CaseStatus.FAILED)
        assert reasons == ("evaluator long_enough is not trusted: ctrl+t", "case changed")
        session.agree(session.grants())
        await ear.until(lambda: len(ear.runs()) == 2)
        assert verdicts_of(session)[0] == (CaseStatus.FAILED, ())


async def test_what_could_not_be_loaded_is_not_said_to_be_missing_in_the_settings(
    root: Path,
) -> None:
    (root / "length.py").write_text("def f(:\n")
    result, _ = await run_trusted(root)
    assert result.status is CaseStatus.ERROR
    assert "could not be loaded" in result.error and "Name it in" not in result.error


async def test_a_scenario_waits_for_one_that_judged_it_unasked(root: Path) -> None:
    (root / SUITE).unlink()
    text = evaluator(LONG_ENOUGH.strip().replace("LEAST", "2"), "long_enough", auto=True)
    write(root, "length.py", text)
    path = root / "evals" / "a.scenario.json"

    def scenario(most: int) -> None:
        uses = [{"type": "response-length", "config": {"max": most}}]
        one = {"name": "A", "persona": {"lines": ["Look up order SO-1"]}, "evaluators": uses}
        path.write_text(json.dumps([one]))

    scenario(400)
    (result,) = await run_trusted(root)
    assert "long_enough" in {verdict.check for verdict in result.verdicts}
    async with watching(root) as (session, ear):
        (agent,) = session.agents
        row = session.store.board(agent).rows[result.key]
        scenario(500)
        await ear.until(lambda: row.due is not None and "case changed" in row.due.reasons)
        session.agree(session.grants())
        await ear.until(lambda: bool(ear.runs()))
        assert len(ear.started()) == 1, "only once it may judge"
        assert row.result is not None
        assert "long_enough" in {verdict.check for verdict in row.result.verdicts}
