"""What is kept of runs, and for how many of them."""

from pathlib import Path

import pytest

from evaltui.core.config import Config
from evaltui.core.errors import Problem, Severity
from evaltui.disk.journal.journal_reading import Recovered
from evaltui.session import record as module
from evaltui.session.damage_reports import DamageReports
from evaltui.session.event_bus import EventBus
from evaltui.store.store import Store
from tests.projects import make_project
from tests.session.test_session import all_keys, opened


async def test_so_many_journals_are_kept_as_the_settings_say(tmp_path: Path) -> None:
    make_project(tmp_path)
    for _ in range(3):
        async with opened(tmp_path, keep_runs=1) as (session, _):
            await session.run(all_keys(session)[:1])
    assert len([*(tmp_path / ".evaltui" / "runs").glob("*.jsonl")]) == 1


@pytest.mark.parametrize("damaged", [(), (3,)])
def test_what_is_lost_of_a_run_that_was_killed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: tuple[int, ...]
) -> None:
    lost = Recovered(tmp_path / "run.jsonl", None, (), damaged=damaged)
    monkeypatch.setattr(module, "recover", lambda *_: [lost])
    monkeypatch.setattr(module, "settle", lambda one: one.path)
    bus, told = EventBus(Store()), list[Problem]()
    damage = DamageReports(bus)
    monkeypatch.setattr(damage, "report", told.append)
    module.Record(tmp_path, bus, damage).recover_lost()
    assert [(one.line, one.severity) for one in told] == [(n, Severity.WARNING) for n in damaged]


def test_nothing_is_asked_of_it_before_it_is_opened(tmp_path: Path) -> None:
    bus = EventBus(Store())
    record = module.Record(tmp_path, bus, DamageReports(bus))
    for name in ("history", "journal", "other_runs"):
        with pytest.raises(RuntimeError, match="not open"):
            getattr(record, name)
    assert record.begin_command() is record.begin_command()
    record.close()


def test_once_it_is_opened_the_runs_of_others_are_heard_of(tmp_path: Path) -> None:
    bus = EventBus(Store())
    record = module.Record(tmp_path, bus, DamageReports(bus))
    assert record.open(Config(tmp_path)) is record.journal
    assert [*record.other_runs.news()] == []
    record.close()
