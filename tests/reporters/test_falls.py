"""A fall from the baseline has one word and one mark, in every reporter and on the board."""

import io
import json
from typing import Any

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.events import EvidenceWeighed, ProjectRead, RunEnd, RunFinished, RunStarted
from evaltui.core.proof import Proof, Standing
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.core.tool import ToolRegistry
from evaltui.reporters import make_reporter
from evaltui.reporters.falls import Falls
from evaltui.reporters.muted_failures import Mutes
from evaltui.tui.render.glyphs import MOVED, REGRESSED, Mark
from tests.reporters import scene


@pytest.mark.parametrize(
    ("agent", "mark", "noun", "nouns"),
    [("sampled", MOVED, "moved", "moved"), ("steady", REGRESSED, "regression", "regressions")],
)
def test_of_a_sampled_agent_it_is_called_moved_as_on_the_board(
    agent: str, mark: Mark, noun: str, nouns: str
) -> None:
    falls = Falls()
    falls.handle(ProjectRead((), ToolRegistry(configured=False), (), sampled=("sampled",)))
    assert (falls.mark(agent), falls.word(agent)) == (mark.glyph, mark.word)
    assert (falls.noun(agent), falls.nouns(agent)) == (noun, nouns)


OF = scene.suite("get_weather", ["proven", "doubtful", "at-times"])
PROVEN, DOUBTFUL, AT_TIMES = (case.key for case in OF.cases)
GOOD = Trials(20, 0)
PROOFS = (
    Proof(PROVEN, TwoSides(GOOD, Trials(0, 4)), Standing.REGRESSED),
    Proof(DOUBTFUL, TwoSides(GOOD, Trials(0, 1)), further=3),
    Proof(AT_TIMES, TwoSides(GOOD, Trials(1, 9)), Standing.REGRESSED),
)


def events() -> list[Any]:
    statuses = (CaseStatus.FAILED, CaseStatus.FAILED, CaseStatus.PASSED)
    pairs = zip(OF.cases, statuses, strict=True)
    results = [scene.result(OF, case.id, status) for case, status in pairs]
    suite = scene.suite_result(OF, results, regressions=(PROVEN.case, DOUBTFUL.case))
    registry = ToolRegistry(configured=False)
    return [
        ProjectRead((OF,), registry, (), sampled=(scene.AGENT,)),
        RunStarted("run-1", scene.AGENT, 1, tuple(case.key for case in OF.cases), "asked for"),
        EvidenceWeighed(scene.AGENT, PROOFS, 162),
        RunFinished("run-1", scene.AGENT, RunEnd.COMPLETED, 1.0, (suite,)),
    ]


def told() -> Falls:
    falls = Falls()
    for event in events():
        falls.handle(event)
    return falls


def test_what_trials_prove_is_regressed_and_the_rest_has_moved() -> None:
    falls = told()
    words = [falls.word(scene.AGENT, key) for key in (PROVEN, DOUBTFUL, AT_TIMES)]
    assert words == ["regressed", "moved", "regressed"]
    assert [falls.mark(scene.AGENT, key) for key in (PROVEN, DOUBTFUL)] == ["↓", "↓?"]


def test_a_case_that_passed_at_last_is_told_of_if_it_is_proven_and_not_muted() -> None:
    suite = events()[-1].suites[0]
    assert told().of_suite(suite, Mutes()) == (PROVEN.case, DOUBTFUL.case, AT_TIMES.case)
    mutes = Mutes()
    mutes.handle(ProjectRead((), ToolRegistry(), (), mutes={str(AT_TIMES): "known"}))
    assert told().of_suite(suite, mutes) == (PROVEN.case, DOUBTFUL.case)


@pytest.mark.parametrize("name", ["console", "junit", "markdown", "github"])
def test_every_report_says_what_the_trials_are_and_what_would_settle_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    out = io.StringIO()
    reporter = make_reporter(name, out)
    for event in events():
        reporter.handle(event)
    reporter.close()
    said = out.getvalue()
    assert "20/20 → 0/4, e = 1703: regressed" in said
    assert "20/20 → 0/1, e = 3.5: undecided, 3 more failures would prove it" in said


def test_programs_are_told_the_trials_the_standing_and_e() -> None:
    out = io.StringIO()
    reporter = make_reporter("jsonl", out)
    for event in events():
        reporter.handle(event)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    (weighed,) = (line for line in lines if line["event"] == "EvidenceWeighed")
    assert [proof["standing"] for proof in weighed["proofs"]] == ["regressed", "open", "regressed"]
    assert weighed["proofs"][1]["further"] == 3
    assert weighed["statistics"][str(PROVEN)] == {"e": 1703.27}
    assert weighed["affected"] == 162


def test_of_what_has_no_trials_on_both_sides_nothing_is_said() -> None:
    falls, key = told(), CaseKey(OF.id, "other")
    assert falls.evidence(scene.AGENT, key) == ""
    falls.handle(EvidenceWeighed(scene.AGENT, (Proof(key, TwoSides(GOOD)),), 162))
    assert falls.evidence(scene.AGENT, key) == ""
    falls.handle(EvidenceWeighed(scene.AGENT, (), 162, is_whole=True))
    assert falls.evidence(scene.AGENT, PROVEN) == ""
