"""The headline after an eval file was saved says what changed in its cases."""

import json
from pathlib import Path

import pytest

from tests.sample_project import FIND_ORDER, FIND_ORDER_TOOL, Line, at_the_line, copy_samples
from tests.test_line import EXPECTED, WRONG

pytestmark = pytest.mark.slow

FILE = "find_order.golden.json"


def says(line: Line, words: str) -> bool:
    return f"{FILE} {words}" in line.driver.lines[0]


async def test_the_headline_says_what_changed_in_the_cases(tmp_path: Path) -> None:
    samples = copy_samples(tmp_path / "samples")
    async with at_the_line(samples) as line:
        await line.driver.press("p")
        line.edit(FIND_ORDER_TOOL, "Looks up one order", "Finds one order")
        await line.shows("find_order.description changed")
        line.edit(FIND_ORDER, "What is in", "What in fact is in")
        await line.until(lambda: FILE in line.driver.lines[0])
        assert "find_order.description changed" in line.driver.lines[0], line.driver.lines[0]
        await line.driver.press("p")
        await line.runs()
        line.edit(FIND_ORDER, "What in fact is in", "What exactly is in")
        await line.until(lambda: says(line, "gs-find-order-001 message  1 ran"))
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.until(lambda: says(line, "4 cases expectation  4 judged again"))
        suite = json.loads(line.read(FIND_ORDER))
        gone = suite["cases"].pop()
        line.save(FIND_ORDER, json.dumps(suite))
        await line.until(lambda: says(line, f"{gone['id']} removed  changes no result"))
        suite["cases"].append({**gone, "id": "gs-find-order-009"})
        line.save(FIND_ORDER, json.dumps(suite))
        await line.until(lambda: says(line, "gs-find-order-009 added  1 ran"))
        await line.driver.press("H")
        await line.shows(
            "0 better · 1 as before · gs-find-order-001 message", "4 cases expectation"
        )


async def test_of_cases_that_were_added_it_says_how_many_fail(tmp_path: Path) -> None:
    samples = copy_samples(tmp_path / "samples")
    async with at_the_line(samples) as line:
        suite = json.loads(line.read(FIND_ORDER))
        good = {**suite["cases"][0], "id": "gs-find-order-008"}
        bad = {**good, "id": "gs-find-order-009", "expect": {"toolsCalled": ["refund_order"]}}
        suite["cases"] += [good, bad]
        line.save(FIND_ORDER, json.dumps(suite))
        await line.until(lambda: says(line, "2 cases added  2 ran · 2 new, 1 of them failed"))
        await line.shows("NEW 2", "· this save 2")
        rows = [number for number, text in enumerate(line.driver.lines) if "order-00" in text]
        assert "gs-find-order-009" in line.driver.lines[rows[0]], "what fails comes first"
        await line.driver.press("H")
        await line.shows("2 ran · 2 new, 1 of them failed · 2 cases added")
        assert "never run" not in next(text for text in line.driver.lines if "2 new" in text)
        await line.driver.press("escape")
        await line.driver.resize(60, 20)
        await line.until(lambda: "2 new, 1 of them failed" in line.driver.lines[0])
