"""The lines that stay in the terminal."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from evaltui.core.case import Case
from evaltui.core.config import Config
from evaltui.core.events import (
    CaseFinished,
    CaseMuted,
    EvidenceWeighed,
    ProjectRead,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.proof import Proof, Standing
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.core.tool import ToolRegistry
from evaltui.session.fresh_pins import REASON
from evaltui.store.row_status import Attention
from evaltui.tui.exit_summary import exit_summary
from tests.tui import scene
from tests.tui.fake_session import FakeSession


def down(case: Case, at: float) -> CaseResult:
    """The agent gave no answer."""
    said = "agent: connection refused by `localhost:3000`. Start it."
    made = scene.result(case, CaseStatus.ERROR, at=at)
    return replace(made, error=said, category="agent_error", response=None, verdicts=())


def test_totals_failures_and_what_to_do() -> None:
    session = FakeSession()
    session.emit(*scene.opened(scene.suites(48)))
    lines = exit_summary(session)
    assert lines[0] == (
        "embedded: 36 passed, 6 failed, 3 errors, 3 nothing asserted"
        " · 3 regressed, 3 improved, 3 due"
    )
    assert lines[1].startswith("  regressed gs-get-weather-003: `get_weather.city`: expected")
    assert "evaltui run evals/get_weather.golden.json::gs-get-weather-003" in lines[-2]
    assert lines[-1] == "results: /project/evals/results"


def test_the_command_names_the_folder_unless_it_is_the_one_that_it_is_started_from() -> None:
    here, elsewhere = Path.cwd(), Path("/project")
    for root, is_named in ((elsewhere, True), (here, False)):
        session = FakeSession(config=Config(root))
        session.emit(*scene.opened(scene.suites(48)))
        (command,) = (line for line in exit_summary(session) if "evaltui run" in line)
        assert (f" -C {root}" in command) is is_named
        assert (" -C " in command) is is_named


def test_never_more_than_twenty_lines() -> None:
    session = FakeSession()
    session.emit(*scene.opened(scene.suites(2000)))
    lines = exit_summary(session)
    assert len(lines) <= 20
    assert any("… and" in line for line in lines)
    assert max(map(len, lines)) <= 120


def test_every_agent_is_told_of_and_failures_say_whose_they_are() -> None:
    made = scene.suites(48)
    session = FakeSession(agents=("embedded/1:strict", "mini"))
    for agent in session.agents:
        session.emit(*scene.opened(made, agent=agent))
    lines = exit_summary(session)
    assert [line.partition(":")[0] for line in lines[:2]] == ["embedded/1", "mini"]
    assert lines[2].startswith("  regressed @strict gs-get-weather-003: `get_weather.city`")
    assert any(line.startswith("  regressed @mini gs-get-weather-003") for line in lines)
    assert any("--agent embedded/1:strict" in line for line in lines)
    assert len(lines) <= 20


def test_many_agents_leave_room_for_failures() -> None:
    agents = tuple(f"agent-{number}" for number in range(30))
    session = FakeSession(agents=agents)
    for agent in agents:
        session.emit(*scene.opened(scene.suites(48), agent=agent))
    lines = exit_summary(session)
    assert "… and 24 more agents" in lines
    assert sum("@agent-" in line for line in lines) >= 5
    assert len(lines) <= 20


def test_nothing_to_say_about_nothing() -> None:
    session = FakeSession()
    session.emit(ProjectRead((), scene.registry(), ()))
    assert exit_summary(session) == []


def test_a_muted_case_is_no_failure() -> None:
    session = FakeSession()
    session.emit(*scene.opened(scene.suites(48)))
    failures = [line for line in exit_summary(session) if line.startswith("  ")]
    (first,) = (key for key in session.store.board("embedded").rows if key.case in failures[0])
    session.emit(CaseMuted(first, "known"))
    lines = exit_summary(session)
    assert not any(first.case in line for line in lines)
    assert len([line for line in lines if line.startswith("  ")]) == len(failures) - 1


def test_cases_that_an_agent_gave_no_answer_to_for_one_reason_are_one_line() -> None:
    made = scene.suites(48)
    session = FakeSession()
    session.emit(*scene.opened(made))
    cases = scene.cases_of(made)
    at = scene.NOW + 60
    session.emit(*(CaseFinished("run-2", down(case, at)) for case in cases))
    lines = exit_summary(session)
    assert [line for line in lines if "connection refused" in line] == [
        "  error     48 cases: agent: connection refused by `localhost:3000`. Start it."
    ]
    answered = scene.result(cases[0], CaseStatus.PASSED, at=at + 1)
    session.emit(CaseFinished("run-3", answered))
    lines = exit_summary(session)
    assert sum("connection refused" in line for line in lines) > 2, "the agent answers again"


@pytest.mark.parametrize(
    ("reason", "end", "is_said"),
    [
        (REASON, RunEnd.CANCELLED, True),
        (REASON, None, True),
        (REASON, RunEnd.COMPLETED, False),
        ("by hand", RunEnd.CANCELLED, False),
    ],
)
def test_a_pin_that_was_broken_off_is_told_of(
    reason: str, end: RunEnd | None, is_said: bool
) -> None:
    session = FakeSession()
    session.emit(*scene.opened(scene.suites(2)))
    session.emit(RunStarted("fresh", scene.AGENT, 9, (), reason, trials=20))
    if end is not None:
        session.emit(RunFinished("fresh", scene.AGENT, end, 1.0, ()))
    said = "\n".join(exit_summary(session))
    assert ("nothing was pinned" in said) is is_said
    assert ("`evaltui baseline pin --trials 20`" in said) is is_said


def test_what_is_proven_to_be_worse_is_told_of_though_it_passed_this_time() -> None:
    suites = scene.suites(1)
    (case,) = scene.cases_of(suites)
    session = FakeSession()
    session.emit(*scene.opened(suites))
    read = ProjectRead(suites, ToolRegistry(), (), sampled=(scene.AGENT,))
    sides = TwoSides(Trials(10, 0), Trials(1, 5))
    weighed = EvidenceWeighed(
        scene.AGENT, (Proof(case.key, sides, Standing.REGRESSED),), 1, is_whole=True
    )
    session.emit(read, weighed)
    said = exit_summary(session)
    assert said[0].startswith("embedded: 1 passed · 1 regressed")
    assert said[1].startswith(f"  regressed {case.id}: passed this time, and passes less often")
    assert said[1].endswith(" · 10/10 → 1/6, e = 74.8")
    assert f"::{case.id}" in said[2], "it can be run again"


def rows(lines: list[str], width: int) -> int:
    """Of a terminal."""
    return sum(-(-cell_len(line) // width) for line in lines)


@pytest.mark.parametrize("width", [60, 80, 100, 200])
@pytest.mark.parametrize("height", [14, 20, 40])
@pytest.mark.parametrize("cases", [48, 2000])
def test_it_takes_no_more_lines_of_a_terminal_however_narrow(
    width: int, height: int, cases: int
) -> None:
    session = FakeSession()
    session.emit(*scene.opened(scene.suites(cases)))
    lines = exit_summary(session, width, height)
    assert rows(lines, width) <= min(20, height)
    failures = [line for line in lines if line.startswith("  ")]
    assert failures, "some are told of"
    assert all(cell_len(line) <= width for line in failures)
    assert any(line.startswith("run one again: ") and "::" in line for line in lines), "whole"


def test_the_evidence_of_one_case_is_not_that_of_others() -> None:
    suites = scene.suites(48)
    session, cases = FakeSession(), scene.cases_of(suites)
    session.emit(*scene.opened(suites))
    session.emit(ProjectRead(suites, ToolRegistry(), (), sampled=(scene.AGENT,)))
    at = scene.NOW + 60
    session.emit(*(CaseFinished("run-2", down(case, at)) for case in cases[:5]))
    sides = TwoSides(Trials(21, 3), Trials(0, 1))
    proofs = tuple(Proof(case.key, sides) for case in cases[:5])
    session.emit(EvidenceWeighed(scene.AGENT, proofs, 5))
    (said,) = (line for line in exit_summary(session) if " 5 cases: " in line)
    assert said.startswith("  error     5 cases: agent: connection refused")


def test_a_case_that_moved_is_told_as_that_also_where_the_last_save_made_it_worse() -> None:
    suites = scene.suites(1)
    (case,) = scene.cases_of(suites)
    session = FakeSession()
    session.emit(*scene.opened(suites))
    session.emit(ProjectRead(suites, ToolRegistry(), (), sampled=(scene.AGENT,)))
    started = RunStarted("run-9", scene.AGENT, 9, (case.key,), "why", ("a.ts",))
    fallen = replace(scene.result(case, CaseStatus.FAILED), run_id="run-9")
    session.emit(started, CaseFinished("run-9", fallen))
    row = session.store.board(scene.AGENT).rows[case.key]
    assert (row.moved, row.attention) == (True, Attention.WORSE)
    said = exit_summary(session)
    assert said[0].endswith("1 moved")
    assert said[1].startswith(f"  moved     {case.id}: ")


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_reason_of_a_moved_case_comes_before_why_nothing_is_proven(width: int) -> None:
    suites = scene.suites(1)
    (case,) = scene.cases_of(suites)
    session = FakeSession()
    session.emit(*scene.opened(suites))
    session.emit(ProjectRead(suites, ToolRegistry(), (), sampled=(scene.AGENT,)))
    fallen = scene.result(case, CaseStatus.FAILED, at=scene.NOW + 60)
    proof = Proof(case.key, TwoSides(Trials(), Trials(0, 18)))
    weighed = EvidenceWeighed(scene.AGENT, (proof,), 1, is_whole=True)
    session.emit(CaseFinished("run-9", fallen), weighed)
    said = exit_summary(session, width)[1]
    assert said.startswith(f"  moved     {case.id}: {fallen.error[:10]}")
    assert " · 0/18 now" in said
    assert cell_len(said) <= width
