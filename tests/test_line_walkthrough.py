"""The walk-through of evaluators, from the file of one to the table of results: in the dashboard,
on the command line, over the API and in a browser, each held against the others."""

import asyncio
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("textual_serve", reason="needs evaltui[serve]")

from evaltui.cli.main import run_command
from tests.api.browser import TOKEN, Browser, browsing, served
from tests.api.served import events_in, serving
from tests.sample_project import at_the_line
from tests.test_line_keys import go_to
from tests.walkthrough import COLD, SCENARIOS, WELCOME, make_walkthrough

pytestmark = pytest.mark.slow

Row = tuple[str, str, float | None, str]
"""Name, result (of a metric `measured`), score or value, reason."""
Tables = dict[str, list[Row]]
"""Of each scenario, in the order of its rows."""
MISSED = "Response does not contain a greeting. Expected one of: hello, welcome, good morning"
CRITERIA = ("Criteria", "passed", None, "The appointment is booked.")
EXPECTED: Tables = {
    WELCOME: [
        CRITERIA,
        ("Greeting Check", "passed", None, 'Found greeting: "welcome"'),
        ("Tool Call Count", "measured", 0.0, "No tool calls in this turn"),
    ],
    COLD: [
        CRITERIA,
        ("Greeting Check", "failed", None, MISSED),
        ("Tool Call Count", "measured", 1.0, "1 tool call(s): book"),
    ],
}
TAB = "[Verdicts]"
languages = pytest.mark.parametrize(
    "language",
    [
        "Python",
        pytest.param(
            "JavaScript",
            marks=[
                pytest.mark.slow,
                pytest.mark.skipif(shutil.which("node") is None, reason="needs Node"),
            ],
        ),
    ],
)


def rows_of_run(run: dict[str, Any]) -> list[Row]:
    """Of a run as EvalStudio writes it; a judge of criteria has no row there."""
    output = run["output"]
    is_met = output["evaluation"]["successMet"]
    criteria = ("failed", "passed")[is_met]
    rows: list[Row] = [("Criteria", criteria, None, output["evaluation"]["reasoning"])]
    for one in output["evaluatorResults"]:
        is_metric = one["kind"] == "metric"
        result = "measured" if is_metric else ("failed", "passed")[one["success"]]
        rows.append((one["label"], result, one.get("value"), one["reason"]))
    assert run["result"]["success"] == all(row[1] != "failed" for row in rows)
    return rows


def rows_of_verdicts(verdicts: list[dict[str, Any]]) -> list[Row]:
    def result(one: dict[str, Any]) -> str:
        return "measured" if one["kind"] == "metric" else str(one["status"])

    return [(one["label"], result(one), one["value"], one["reason"]) for one in verdicts]


def rows_on_screen(lines: list[str]) -> list[Row]:
    """Of the Verdicts tab, by the headings of its two tables."""
    pane = [line.rpartition("│")[2].rstrip(" ▁▂▃▄▅▆▇█") for line in lines if "│" in line]
    rows: list[Row] = []
    heading: list[str] = []
    for line in pane:
        cells = [cell for cell in re.split(r" {2,}", line.lstrip(" ▸▾")) if cell]
        if cells[-1:] == ["Reason"]:
            heading = cells
        elif heading and len(cells) >= len(heading):
            said = dict(zip(heading, cells, strict=False))
            is_metric = heading[0] == "Metric"
            result = "measured" if is_metric else said["Result"].split()[-1]
            value = said.get("Value" if is_metric else "Score", "-")
            rows.append((cells[0], result, None if value == "-" else float(value), said["Reason"]))
    assert rows, "\n".join(lines)
    return rows


class CommandLine:
    """Commands as a person types them."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._root, self._capsys = root, capsys

    async def run(self, *words: str) -> tuple[int, str]:
        """Its exit code and what it prints."""
        code = await asyncio.to_thread(run_command, [*words, "-C", str(self._root)])
        return code, self._capsys.readouterr().out

    async def tables(self) -> Tables:
        """Of `run`, `scenario run` and `runs show`, which say the same."""
        code, printed = await self.run("run", "--json")
        assert code == 1, printed
        events = [json.loads(line) for line in printed.splitlines()]
        results = [one["result"] for one in events if one["event"] == "CaseFinished"]
        by_run = {one["key"][1]: rows_of_verdicts(one["verdicts"]) for one in results}
        code, printed = await self.run("scenario", "run", str(self._root / SCENARIOS), "--json")
        assert code == 1, printed
        held = {one["scenario"]["case"]: one for one in json.loads(printed)}
        kept = {name: await self._kept(one["id"]) for name, one in held.items()}
        assert by_run == {name: rows_of_run(one) for name, one in held.items()} == kept
        return by_run

    async def _kept(self, id_: str) -> list[Row]:
        _, printed = await self.run("runs", "show", id_, "--json")
        rows = rows_of_run(json.loads(printed))
        _, told = await self.run("runs", "show", id_)
        assert all(row[3] in " ".join(told.split()) for row in rows), told
        return rows


async def over_the_api(client: httpx.AsyncClient) -> Tables:
    """The events of a run and the run itself, which say the same."""
    types = (await client.get("/api/evaluator-types")).json()
    assert [one["label"] for one in types if not one["builtin"]] == ["Greeting Check"]
    started = await client.post("/api/runs", json={"paths": SCENARIOS})
    assert started.status_code == 202, started.text
    (row,) = started.json()["runs"]
    told = events_in((await client.get(f"/api/runs/{row['id']}/events")).text)
    results = [one["result"] for one in told if one["event"] == "CaseFinished"]
    by_events = {one["key"][1]: rows_of_verdicts(one["verdicts"]) for one in results}
    run = (await client.get(f"/api/runs/{row['id']}")).json()
    assert (run["status"], run["summary"]["failed"]) == ("completed", 1)
    assert by_events == {one["id"]: rows_of_run(one["run"]) for one in run["cases"]}
    return by_events


async def in_the_dashboard(root: Path) -> Tables:
    """Its first run, in the Verdicts tab of each scenario."""
    found: Tables = {}
    async with at_the_line(root) as line:
        await line.driver.resize(360, 45)
        for name in EXPECTED:
            await go_to(line, name)
            while TAB not in line.driver.text:
                await line.driver.press("right_square_bracket")
            found[name] = rows_on_screen(line.driver.lines)
    return found


def in_a_browser(browser: Browser, url: str, so_far: int) -> Tables:
    """All scenarios run again by a key, and looked at as in the dashboard.

    `so_far`: runs of the project before this one.
    """
    browser.open(f"{url}?token={TOKEN}")
    browser.shows(WELCOME)
    browser.shows("● WATCH")
    browser.press("a")
    browser.shows("2 ran")
    browser.shows(f"run #{so_far + 1}")
    found: Tables = {}
    for name in EXPECTED:
        browser.press("2")
        browser.press("/")
        browser.shows("Esc take back")
        for key in (*name, "\ue007"):  # Enter
            browser.press(key)
        browser.shows(f"Detail {name}")
        while TAB not in (screen := browser.screen):
            (tab,) = re.findall(r"\[(?:Diff|Calls|Conversation)\]", screen)
            browser.press("]")
            browser.shows_no_more(tab)
        browser.shows("Tool Call Count")
        found[name] = rows_on_screen(browser.screen.splitlines())
    browser.press("q")
    browser.has_ended()
    return found


@languages
async def test_each_way_shows_the_same_table(
    tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_walkthrough(tmp_path, language)
    dashboard = await in_the_dashboard(root)
    commands = await CommandLine(root, capsys).tables()
    async with serving(root) as client:
        api = await over_the_api(client)
    assert dashboard == commands == api == EXPECTED


@pytest.fixture
def browser() -> Iterator[Browser]:
    with browsing((3600, 900)) as found:
        yield found


@pytest.mark.external
@pytest.mark.xdist_group("browser")
@languages
async def test_a_browser_shows_it_too(
    browser: Browser, tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_walkthrough(tmp_path, language)
    dashboard = await in_the_dashboard(root)
    with served(root, "--trust") as url:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as client:
            api = await over_the_api(client)
        shown = await asyncio.to_thread(in_a_browser, browser, url, 2)
    commands = await CommandLine(root, capsys).tables()
    assert shown == dashboard == api == commands == EXPECTED
