"""The lines that stay in the terminal."""

from evaltui.core.events import ProjectRead
from evaltui.tui.farewell import farewell
from tests.tui import scene
from tests.tui.fake_session import FakeSession


def test_totals_failures_and_what_to_do() -> None:
    session = FakeSession()
    session.emit(*scene.opened(scene.suites(48)))
    lines = farewell(session)
    assert lines[0] == ("embedded: 36 passed, 6 failed (3 regressed), 3 errors, 3 skipped, 3 stale")
    assert lines[1].startswith("  regressed gs-get-weather-003: `get_weather.city`: expected")
    assert "evaltui run evals/get_weather.golden.json::gs-get-weather-003" in lines[-2]
    assert lines[-1] == "results: /project/evals/results"


def test_never_more_than_twenty_lines() -> None:
    session = FakeSession()
    session.emit(*scene.opened(scene.suites(2000)))
    lines = farewell(session)
    assert len(lines) <= 20
    assert any("… and" in line for line in lines)
    assert max(map(len, lines)) <= 120


def test_nothing_to_say_about_nothing() -> None:
    session = FakeSession()
    session.emit(ProjectRead((), scene.registry(), ()))
    assert farewell(session) == []
