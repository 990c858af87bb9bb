"""The results of suites as one run leaves them: what is written of each, and from where."""

from typing import cast

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.result import CaseStatus
from evaltui.core.suite_result import SuiteResult
from evaltui.core.tool import ToolDefinition, ToolRegistry, ToolStatus
from evaltui.disk.history.history import History
from evaltui.session.running.suite_results import SuiteResults, current_metadata
from evaltui.store.board import Board
from tests.tui import scene

FIRST, SECOND = SUITES = scene.suites(6, 2)
ONE, TWO, THREE = FIRST.cases
P, F, E = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR
RUN = "run-2"


class Complete:
    """Takes the part of the history, which fills in what the board does not have."""

    def complete(self, result: SuiteResult, *, with_own: bool = False) -> SuiteResult:
        assert not with_own, "what the run brings has all its details"
        cases = tuple(replace(case, description="filled in") for case in result.cases)
        return replace(result, cases=cases)


@pytest.fixture
def board() -> Board:
    """Of the first suite one regressed, one is newly passed, one is in error."""
    made = Board(scene.AGENT)
    made.arrange(SUITES)
    then = {ONE.id: BaselineCase(P), TWO.id: BaselineCase(F), THREE.id: BaselineCase(P)}
    made.compare_with([Baseline(FIRST.id, "run-0", "default", then)])
    for case, status in ((ONE, F), (TWO, P), (THREE, E)):
        made.finish(replace(scene.result(case, status), run_id=RUN))
    return made


def results(board: Board, registry: ToolRegistry | None = None, settings: str = "") -> SuiteResults:
    known = registry or scene.registry()
    return SuiteResults(board, known, cast("History", Complete()), RUN, settings)


def test_a_suite_is_written_with_what_it_is_compared_with(board: Board) -> None:
    found, comparison = results(board, settings="temperature 0").of(FIRST, 1_700_000_000.0)
    assert (found.suite, found.run_id, found.tier, found.tool_name) == (
        FIRST.id,
        RUN,
        FIRST.tier,
        FIRST.tool_name,
    )
    assert found.timestamp == "2023-11-14T22:13:20Z"
    assert (found.agent, found.endpoint, found.settings) == (
        scene.AGENT,
        scene.AGENT,
        "temperature 0",
    )
    assert found.baseline_run_id == "run-0"
    assert (found.regressions, found.new_passes) == ((ONE.id,), (TWO.id,))
    assert found.errored == (THREE.id,)
    assert (found.summary.total_cases, found.summary.passed, found.summary.errored) == (3, 1, 1)
    assert comparison is not None and comparison.regressions == (ONE.id,)
    assert {case.description for case in found.cases} == {""}


def test_details_that_only_the_history_has_are_filled_in_when_asked_for(board: Board) -> None:
    found = results(board).whole(FIRST, 1.0)
    assert {case.description for case in found.cases} == {"filled in"}


def test_without_a_baseline_nothing_is_compared(board: Board) -> None:
    board.compare_with([])
    found, comparison = results(board).of(FIRST, 1.0)
    assert comparison is None
    assert (found.baseline_run_id, found.regressions, found.new_passes) == (None, (), ())


def test_what_is_muted_does_not_regress(board: Board) -> None:
    board.mute({str(ONE.key): "known"})
    found, _ = results(board).of(FIRST, 1.0)
    assert found.regressions == ()
    assert len(found.cases) == 3


def test_suites_without_a_result_are_left_out(board: Board) -> None:
    found, comparisons = results(board).of_all(SUITES, 1.0)
    assert [one.suite for one in found] == [FIRST.id]
    assert [one.suite for one in comparisons] == [FIRST.id]


def test_what_was_carried_names_the_run_that_it_came_of(board: Board) -> None:
    board.finish(replace(scene.result(ONE, P), run_id="run-1"))
    board.finish(replace(scene.result(TWO, P), run_id="run-1", carried_from="run-0"))
    found, _ = results(board).of(FIRST, 1.0)
    assert [case.carried_from for case in found.cases] == ["run-1", "run-0", ""]


def test_a_suite_written_for_another_description_says_so(board: Board) -> None:
    assert FIRST.metadata is not None
    found, _ = results(board).of(FIRST, 1.0)
    assert not found.stale
    assert any("no descriptionHash" in warning for warning in found.staleness_warnings)
    other = replace(FIRST, metadata=replace(FIRST.metadata, description_hash="0" * 12))
    found, _ = results(board).of(other, 1.0)
    assert found.stale


def test_the_metadata_is_that_of_now(board: Board) -> None:
    registry = scene.registry()
    tool = registry.tools[FIRST.tool_name]
    found, _ = results(board, registry).of(FIRST, 1.0)
    assert found.metadata == {
        "toolVersion": "1.0.0",
        "descriptionHash": tool.description_hash,
        "registrySize": len(registry.tools),
        "evalFileHash": FIRST.file_hash,
    }


def test_a_tool_in_another_spelling_is_the_tool_of_the_suite() -> None:
    tools = {name: ToolDefinition(name, name, "2") for name in ("get-weather", "other")}
    assert current_metadata(FIRST, ToolRegistry(tools))["toolVersion"] == "2"


def test_what_cannot_be_read_is_null() -> None:
    gone = {"other": ToolDefinition("other", "Does.", "2", status=ToolStatus.REMOVED)}
    unknown = {"toolVersion": None, "descriptionHash": None, "evalFileHash": FIRST.file_hash}
    assert current_metadata(FIRST, ToolRegistry(gone)) == {**unknown, "registrySize": 0}
    nothing = ToolRegistry(configured=False)
    assert current_metadata(FIRST, nothing) == {**unknown, "registrySize": None}


def test_only_the_results_asked_for_are_taken_over_as_if_they_were_of_the_run(board: Board) -> None:
    board.finish(replace(scene.result(TWO, P), run_id="run-1", finished_at=1.0))
    (found,) = results(board).taken_over(SUITES, {TWO.key}, 9.0)
    assert (found.key, found.run_id, found.carried_from, found.finished_at) == (
        TWO.key,
        RUN,
        "",
        9.0,
    )
    assert found.description == "filled in"
    whole = results(board).taken_over(SUITES, {case.key for case in FIRST.cases}, 9.0)
    assert [one.key for one in whole] == [case.key for case in FIRST.cases]
