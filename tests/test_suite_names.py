"""A suite is called by its file wherever it is shown, also where its tool is called otherwise."""

import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.cli.main import run_command
from evaltui.core.case import Tier
from evaltui.core.suite import Suite
from tests.driver import driving
from tests.projects import ORDERS, make_project, write_suite
from tests.tui import scene
from tests.tui.fake_session import FakeSession


@pytest.mark.parametrize(
    ("file", "tier", "name", "short"),
    [
        ("evals/desk.golden.json", Tier.GOLDEN, "desk.golden", "desk"),
        ("desk.v2.labeled.json", Tier.LABELED, "desk.v2.labeled", "desk.v2"),
        ("evals/golden/desk.json", Tier.GOLDEN, "desk", "desk"),
    ],
)
def test_it_is_the_name_of_its_file(file: str, tier: Tier, name: str, short: str) -> None:
    suite = Suite(file, "counter", tier, (), "0" * 12)
    assert (suite.name, suite.short_name) == (name, short)


@pytest.mark.parametrize("reporter", ["console", "markdown", "github"])
def test_reports_of_a_renamed_file_name_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    reporter: str,
) -> None:
    monkeypatch.chdir(make_project(tmp_path))
    (tmp_path / "evals" / "find_order.golden.json").unlink()
    wrong = {**ORDERS[0], "expect": {"toolsCalled": ["play_music"]}}
    write_suite(tmp_path, "desk", [wrong], tool="find_order")
    run_command(["run", "--reporter", reporter])
    assert "desk.golden" in capsys.readouterr().out


def test_the_title_of_the_contract_stands_alone_where_file_and_tool_are_called_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(make_project(tmp_path))
    evals = tmp_path / "evals"
    (evals / "find_order.golden.json").rename(evals / "find-order.golden.json")
    run_command(["run"])
    assert "═══ find_order — golden evals ══" in capsys.readouterr().out


async def test_the_panes_name_the_file_and_find_by_it() -> None:
    made = [replace(suite, tool_name="counter") for suite in scene.suites(48)]
    session = FakeSession(on_open=list(scene.opened(made, at=time.time() - 240)))
    async with driving(session, size=(220, 50)) as driver:
        driver.sees("get_weather.golden")
        assert "  get_weather  " in driver.row("gs-get-weather-003")
        driver.misses("counter")
        await driver.press("/")
        await driver.write("get_weather.golden")
        await driver.press("enter")
        driver.sees("gs-get-weather-003")
