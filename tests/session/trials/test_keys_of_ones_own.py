"""A key that shapes neither what is asked nor what is judged makes no other case of one."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.case import Case
from evaltui.core.fingerprint import case_fingerprint, former_fingerprint
from evaltui.core.statistics.trials import Trials, TwoSides
from tests.session.test_session import opened
from tests.session.trials.test_further_trials import edit, failing
from tests.simulated_agent import World, simulate, simulated_project

FILE = "evals/find_order.golden.json"
KEYS = [{"group": "storm"}, {"tags": ["slow"]}, {"owner": "ada"}]


def write(root: Path, **keys: object) -> None:
    written = json.loads((root / FILE).read_text())
    written["cases"][0] |= keys
    (root / FILE).write_text(json.dumps(written))


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of an agent that costs money."""
    root = simulated_project(tmp_path, 1)
    settings = (root / "evaltui.toml").read_text()
    paid = settings.replace('type = "simulated"', 'type = "simulated"\ncost_usd = 0.01')
    (root / "evaltui.toml").write_text(paid)
    monkeypatch.chdir(root)
    return root


def pinned() -> None:
    for command in ["run"], ["baseline", "pin"], ["run", "--trials", "8"]:
        assert run_command(command) == 0


def _as_it_told_it(case: Case) -> str:
    return former_fingerprint(case) or case_fingerprint(case)


@contextmanager
def earlier_version() -> Iterator[None]:
    """To which each key was a part of the case."""
    with pytest.MonkeyPatch.context() as then:
        place = "evaltui.project.suite_file"
        then.setattr(
            f"{place}.case_fingerprint",
            lambda one: former_fingerprint(one) or case_fingerprint(one),
        )
        then.setattr(f"{place}.former_fingerprint", lambda _: "")
        yield


async def known(root: Path) -> tuple[bool, TwoSides]:
    """Whether the case is due, and its trials."""
    async with opened(root) as (session, _):
        await session.evidence("mine").load()
        (row,) = session.store.board("mine").rows.values()
        assert row.proof is not None
        return row.is_due, row.proof.sides


@pytest.mark.parametrize("keys", KEYS)
def test_written_into_a_case_it_makes_nothing_due_and_evidence_goes_on(
    root: Path, world: World, keys: dict[str, object]
) -> None:
    pinned()
    write(root, **keys)
    assert asyncio.run(known(root)) == (False, TwoSides(Trials(8, 0)))
    world.rate = failing("gs-000")
    run_command(["run"])
    assert asyncio.run(known(root)) == (False, TwoSides(Trials(8, 1)))


@pytest.mark.parametrize("keys", KEYS)
def test_a_report_says_nothing_of_its_expectation(
    root: Path, world: World, capsys: pytest.CaptureFixture[str], keys: dict[str, object]
) -> None:
    pinned()
    write(root, **keys)
    edit(root)
    world.rate = failing("gs-000")
    capsys.readouterr()
    assert run_command(["run", "--trials", "4", "--fail-on", "proven"]) == 1
    said = capsys.readouterr().out
    assert "8/8 → 0/4, e = 111: regressed" in said and "what is expected of it" not in said


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.usefixtures("world")
def test_what_an_earlier_version_pinned_with_such_a_key_keeps_its_trials(
    root: Path, keys: dict[str, object]
) -> None:
    write(root, **keys)
    with earlier_version():
        pinned()
    run_command(["run"])
    assert asyncio.run(known(root)) == (False, TwoSides(Trials(9, 0)))
    run_command(["baseline", "pin"])
    run_command(["run"])
    assert asyncio.run(known(root)) == (False, TwoSides(Trials(10, 0)))


@pytest.mark.parametrize("keys", KEYS)
def test_so_does_a_fall_that_it_saw(
    root: Path, world: World, capsys: pytest.CaptureFixture[str], keys: dict[str, object]
) -> None:
    write(root, **keys)
    with earlier_version():
        pinned()
        edit(root)
        world.rate = failing("gs-000")
        run_command(["run"])
    world.asked.clear()
    capsys.readouterr()
    assert asyncio.run(known(root)) == (False, TwoSides(Trials(8, 0), Trials(0, 1)))
    assert world.asked == []
    assert run_command(["run", "--trials", "3", "--fail-on", "proven"]) == 1
    said = capsys.readouterr().out
    assert "8/8 → 0/4, e = 111: regressed" in said and "what is expected of it" not in said
    write(root, more="of it")  # what is known by now is known by the new print
    assert run_command(["run", "--fail-on", "proven"]) == 1
