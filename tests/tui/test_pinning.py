"""Pinning asks before a failure becomes the norm, and says what is pinned."""

import time

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.events import BaselinePinned, CaseMuted, ProjectRead, ResultsLoaded
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeEstimate, FakeSession


def session() -> FakeSession:
    return FakeSession(on_open=list(scene.opened(scene.suites(48), at=time.time() - 240)))


async def test_failing_results_are_pinned_only_when_that_was_asked_for() -> None:
    async with driving(session()) as driver:
        await driver.press("B", "a")
        driver.sees("Pins 9 failing cases, 3 of them regressed", "p  Passing 36 only", "a  All 48")
        await driver.press("escape")
        assert driver.requested("pin") == []
        await driver.press("B", "a", "p")
        [(keys, _)] = driver.requested("pin")
        rows = driver.app.dashboard.controller.board.rows
        results = [rows[key].result for key in keys]
        assert len(keys) == 36
        assert all(result and result.status is scene.P for result in results)
        driver.sees("Pinned 36 cases as baseline; z undoes it.")
        await driver.press("B", "a", "a")
        assert len(driver.requested("pin")[1][0]) == 48
        driver.sees("Pinned 48 cases as baseline, 9 failing; z undoes it.")


async def test_failing_cases_that_are_muted_are_told_apart_as_in_the_header() -> None:
    host = session()
    async with driving(host) as driver:
        rows = driver.app.dashboard.controller.board.rows.values()
        failing = [row.key for row in rows if row.result and row.result.status is scene.F]
        await driver.hear(*(CaseMuted(key, "known") for key in failing[:2]))
        await driver.press("B", "a")
        driver.sees("Pins 7 failing cases and 2 muted")


async def test_of_a_sampled_agent_fresh_trials_are_offered_with_their_cost() -> None:
    host = session()
    host.estimated = FakeEstimate(cost_usd=0.84)
    async with driving(host) as driver:
        read = next(event for event in host.on_open if isinstance(event, ProjectRead))
        await driver.hear(replace(read, sampled=(scene.AGENT,)))
        await driver.press("B", "a")
        driver.sees("After 20 fresh trials of each, about $0.84", "Passing 36 only")
        assert driver.requested("pin_fresh") == []
        await driver.press("f")
        [(keys, trials)] = driver.requested("pin_fresh")
        assert (len(keys), trials) == (48, 20)
        driver.sees("Pinned 48 cases with 960 trials; z undoes it.")
        host.fresh_pins.left = dict.fromkeys(keys[:3], "the agent is down.")
        await driver.press("B", "a", "f")
        driver.sees("Pinned 45 cases with 900 trials; z undoes it. 3 cases")
        driver.sees("could not be pinned: the agent is down.")


async def test_passing_only_counts_and_pins_no_case_with_nothing_asserted() -> None:
    heard = list(scene.opened(scene.suites(48), at=time.time() - 240))
    [loaded] = [event for event in heard if isinstance(event, ResultsLoaded)]
    first = next(one for one in loaded.results if one.status is scene.P)
    results = tuple(
        replace(one, assertions_run=0) if one is first else one for one in loaded.results
    )
    heard[heard.index(loaded)] = replace(loaded, results=results)
    async with driving(FakeSession(on_open=heard)) as driver:
        await driver.press("B", "a")
        driver.sees("Passing 35 only", "not 4 that assert nothing", "All 48 all the same")
        await driver.press("p")
        [(keys, _)] = driver.requested("pin")
        assert len(keys) == 35
        assert first.key not in keys
        driver.sees("Pinned 35 cases as baseline; z undoes it.")


@pytest.mark.slow
async def test_unpin_is_greyed_where_nothing_is_pinned() -> None:
    made = scene.suites(48)
    async with driving(session()) as driver:
        await driver.press("B")
        driver.misses("is pinned")
        await driver.press("U")
        assert len(driver.requested("unpin")) == 1
        await driver.hear(*scene.pinned(made[-1:]))
        [chosen] = driver.app.dashboard.controller.selection
        assert chosen.suite != made[-1].id
        await driver.press("B")
        driver.sees("not now: none of them is pinned")
        await driver.press("u")
        assert len(driver.requested("unpin")) == 1
        await driver.press("U")
        assert len(driver.requested("unpin")) == 2
        await driver.hear(BaselinePinned(scene.AGENT, "", ()))
        await driver.press("B")
        driver.sees("not now: nothing is pinned")
        await driver.press("U")
        assert len(driver.requested("unpin")) == 2


async def test_what_is_pinned_of_deleted_cases_is_forgotten_alone() -> None:
    host = session()
    async with driving(host) as driver:
        await driver.press("B")
        driver.misses("Deleted cases")
        await driver.press("d")
        assert driver.requested("unpin") == []
        await driver.press("escape")
        host.gone = (CaseKey("evals/gone.json", "a"), CaseKey("evals/gone.json", "b"))
        await driver.press("B")
        driver.sees("d  Deleted cases (2)")
        await driver.press("d")
        [(keys, _)] = driver.requested("unpin")
        assert {*keys} == {*host.gone}
        driver.sees("Unpinned 2 deleted cases; z undoes it.")


async def test_one_regression_is_never_pinned_by_one_key() -> None:
    async with driving(session()) as driver:
        await driver.press("b")
        driver.sees("Pins 1 failing case, 1 of them regressed", "It all the same")
        driver.misses("Passing")
        await driver.press("p")
        assert driver.requested("pin") == []
        await driver.press("a")
        assert len(driver.requested("pin")) == 1


async def test_what_passed_is_pinned_at_once() -> None:
    async with driving(session()) as driver:
        await driver.press("slash")
        await driver.write("status:passed")
        await driver.press("enter", "b")
        assert len(driver.requested("pin")) == 1


async def test_the_baseline_menu_marks_the_one_in_force_with_date_and_count() -> None:
    async with driving(session()) as driver:
        await driver.press("B")
        driver.sees("1  default  48 cases · 3h ago", "2  before-rewrite  12 cases")
        driver.misses("in force")  # what the board is compared with has no name
        await driver.press("escape")
        await driver.hear(*scene.pinned(scene.suites(48), name="before-rewrite"))
        await driver.press("B")
        driver.sees("1  default  48 cases", "2  before-rewrite  in force · 12 cases")
        await driver.press("1")
        assert driver.requested("use_baseline") == [("default",)]


async def test_pinned_cases_carry_a_mark() -> None:
    made = scene.suites(48)
    async with driving(session()) as driver:
        assert "▪✗" in driver.row("gs-get-weather-003")
        await driver.hear(*scene.pinned(made[1:]))
        assert "▪" not in driver.row("gs-get-weather-003")
        assert "▪!" in driver.row("ls-send-email-003")


async def test_nothing_is_pinned_of_a_file_that_cannot_be_read() -> None:
    first, *others = scene.suites(48)
    made = [replace(first, is_unread=True), *others]
    async with driving(FakeSession(on_open=list(scene.opened(made)))) as driver:
        await driver.press("B", "a", "a")
        [(keys, _)] = driver.requested("pin")
        assert keys
        assert not any(key.suite == first.id for key in keys)
        driver.sees(f"but not {len(first.cases)} cases", "unreadable files")
