"""Evaluators of a case at the dashboard: added, configured, removed, undone; with real files."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sample_project import Line, at_the_line, copy_samples
from tests.test_line_keys import go_to

pytestmark = pytest.mark.slow

FILE = "evals/check_stock.golden.json"
CASE = "gs-check-stock-001"


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    root = copy_samples(tmp_path / "samples")
    for path in (root / "evals").glob("*.json"):
        if path.name not in ("seed-manifest.json", "check_stock.golden.json"):
            path.unlink()
    return root


def evaluators(line: Line) -> dict[str, Any]:
    cases = json.loads(line.read(FILE))["cases"]
    return {case["id"]: case.get("evaluators") for case in cases}


async def choose(line: Line, *keys: str) -> None:
    await line.driver.press("V", *keys)


async def add(line: Line, words: str) -> None:
    """The first of those that the words find."""
    await choose(line, "a")
    await line.driver.write(words)
    await line.driver.press("enter")


@pytest.mark.parametrize("size", [(140, 45), (60, 20)])
async def test_one_is_added_configured_removed_and_each_of_it_undone(
    samples: Path, size: tuple[int, int]
) -> None:
    async with at_the_line(samples) as line:
        before = line.read(FILE)
        await go_to(line, CASE)
        await line.driver.resize(*size)
        await choose(line)
        line.driver.sees("Evaluators of", "Add an evaluator")
        line.driver.misses("Assertions", "Metrics")
        await line.driver.press("a")
        line.driver.sees("Assertions")
        await line.driver.write("response length")
        await line.driver.press("enter")
        line.driver.sees("Response Length of", "most allowed", "number; not set")
        await line.driver.press("tab")
        await line.driver.write("many")
        await line.driver.press("ctrl+s")
        line.driver.sees("many is not a number.")
        await line.driver.press(*["backspace"] * 4, "1", "ctrl+s")
        line.driver.sees('"max": 1', "writes it")
        assert line.read(FILE) == before, "it was only shown"
        await line.driver.press("enter")
        assert evaluators(line)[CASE] == [{"type": "response-length", "config": {"max": 1}}]
        line.driver.sees("Assertions", "Response Length")
        await line.driver.press("down", "enter")
        line.driver.sees("Configure", "Remove", "assertion. The answer is neither too short nor")
        await line.driver.press("c")
        await line.driver.press("tab", "1", "0", "0", "0", "tab", "right", "ctrl+s", "enter")
        config = {"max": 1000, "unit": "characters"}  # the field is chosen whole
        assert evaluators(line)[CASE] == [{"type": "response-length", "config": config}]
        configured = line.read(FILE)
        await line.driver.press("down", "enter", "d", "enter")
        assert line.read(FILE) == before
        line.driver.misses("Response Length")
        await line.driver.press("escape", "z")
        assert line.read(FILE) == configured
        await line.driver.press("z", "z")
        assert line.read(FILE) == before


async def test_leaving_the_preview_goes_back_to_what_was_typed(samples: Path) -> None:
    async with at_the_line(samples) as line:
        before = line.read(FILE)
        await go_to(line, CASE)
        await add(line, "regex")
        await line.driver.write("typed")
        await line.driver.press("ctrl+s")
        line.driver.sees("Enter or y writes it")
        await line.driver.press("escape")
        line.driver.sees("ctrl+s continues", "typed")
        await line.driver.press("end", "2", "ctrl+s", "enter", "escape")
        assert evaluators(line)[CASE] == [{"type": "regex", "config": {"pattern": "typed2"}}]
        assert line.read(FILE) != before


async def test_what_is_added_judges_the_kept_answer_at_once(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await go_to(line, CASE)
        await add(line, "regex")
        await line.driver.write("no such words")
        await line.driver.press("ctrl+s", "enter", "escape")
        await line.row_shows(CASE, "✗")


async def test_json_says_where_its_mistake_is_and_the_cursor_goes_there(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await go_to(line, CASE)
        await add(line, "tool order")
        await line.driver.write("x")
        await line.driver.press("ctrl+s")
        line.driver.sees("1:1 Not valid JSON")
        await line.driver.press("delete", "[", "1", "]", "ctrl+s")
        line.driver.sees("1:2")
        await line.driver.press("1")
        line.driver.sees("[11]")


async def test_nothing_is_written_over_a_change_made_meanwhile(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await go_to(line, CASE)
        await add(line, "tool call count")
        changed = line.read(FILE).replace("gs-check-stock-003", "gs-check-stock-009")
        line.save(FILE, changed)
        await line.driver.press("enter")
        await line.shows("changed meanwhile")
        assert line.read(FILE) == changed


async def test_what_was_typed_outlasts_a_change_made_meanwhile(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await go_to(line, CASE)
        await add(line, "regex")
        await line.driver.write("typed")
        await line.driver.press("ctrl+s")
        changed = line.read(FILE).replace("gs-check-stock-003", "gs-check-stock-009")
        line.save(FILE, changed)
        await line.driver.press("enter")
        await line.shows("changed meanwhile")
        line.driver.sees("ctrl+s continues", "typed")
        await line.driver.press("ctrl+s", "enter")
        line.driver.sees("Esc, then z undoes it")
        await line.driver.press("escape")
        assert evaluators(line)[CASE] == [{"type": "regex", "config": {"pattern": "typed"}}]
        assert "gs-check-stock-009" in line.read(FILE)


async def test_a_suite_means_all_of_its_cases(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await line.driver.resize(160, 45)
        await line.driver.press("1", "down")
        await add(line, "tool call count")
        line.driver.sees("tool-call-count")
        await line.driver.press("enter")
        assert list(evaluators(line).values()) == [[{"type": "tool-call-count"}]] * 3
        line.driver.sees("Metrics", "3 of 3")


async def test_what_is_not_registered_can_only_be_removed(samples: Path) -> None:
    path = samples / FILE
    value = json.loads(path.read_text())
    value["cases"][0]["evaluators"] = [{"type": "no-such-check"}]
    path.write_text(json.dumps(value, indent=2))
    async with at_the_line(samples) as line:
        await go_to(line, CASE)
        await choose(line)
        line.driver.sees("Not registered", "no-such-check")
        await line.driver.press("down", "enter")
        line.driver.sees("no evaluator of this type is loaded")
        await line.driver.press("c")
        line.driver.sees("Configure")
        await line.driver.press("d", "enter")
        assert evaluators(line)[CASE] is None


async def test_those_of_a_workspace_are_left_to_it_and_the_form_says_so(tmp_path: Path) -> None:
    from tests.workspaces import DATA, write_workspace

    write_workspace(tmp_path)
    path = tmp_path / DATA / "scenarios.json"
    before = path.read_bytes()
    async with at_the_line(tmp_path) as line:
        for keys in (("1", "down"), ("2",)):
            await line.driver.press(*keys, "V")
            line.driver.sees("EvalStudio's own file")
            line.driver.misses("Add an evaluator")
    assert path.read_bytes() == before
