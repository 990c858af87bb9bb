"""A fall from the baseline has one word and one mark, in every reporter and on the board."""

import io
import json
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, Tier, TraceCase
from evaltui.core.events import EvidenceWeighed, ProjectRead, RunEnd, RunFinished, RunStarted
from evaltui.core.proof import Proof, Standing
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolRegistry
from evaltui.reporters import make_reporter
from evaltui.reporters.falls import Falls
from evaltui.reporters.muted_failures import Mutes
from evaltui.tui.render.glyphs import MOVED, REGRESSED, Mark
from tests.reporters import scene

TRACE = Case(CaseKey("evals/found.trace.json", "t"), TraceCase(""), Tier.TRACE)
TRACES = Suite(TRACE.key.suite, "found", Tier.TRACE, (TRACE,), "0" * 12)


@pytest.mark.parametrize(
    ("agent", "key", "mark", "noun"),
    [
        ("sampled", CaseKey("s", "c"), MOVED, "moved"),
        ("steady", CaseKey("s", "c"), REGRESSED, "regression"),
        ("sampled", TRACE.key, REGRESSED, "regression"),
    ],
)
def test_what_may_be_answered_otherwise_has_moved_as_on_the_board(
    agent: str, key: CaseKey, mark: Mark, noun: str
) -> None:
    falls = Falls()
    falls.handle(ProjectRead((TRACES,), ToolRegistry(configured=False), (), sampled=("sampled",)))
    assert (falls.mark(agent, key), falls.word(agent, key)) == (mark.glyph, mark.word)
    assert falls.noun(agent, key) == noun


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
    assert told().of_suite(suite, Mutes()) == (PROVEN, DOUBTFUL, AT_TIMES)
    mutes = Mutes()
    mutes.handle(ProjectRead((), ToolRegistry(), (), mutes={str(AT_TIMES): "known"}))
    assert told().of_suite(suite, mutes) == (PROVEN, DOUBTFUL)


def said_by(name: str, heard: list[Any]) -> str:
    out = io.StringIO()
    scene.tell(make_reporter(name, out), heard)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("console", "↓ REGRESSION at-times: passed this time, and passes less often than before"),
        ("junit", "regressed: 20/20 → 1/10"),
        (
            "markdown",
            "| `at-times` | ↓ regressed, flaky | `passed this time, and passes less often",
        ),
        ("github", "title=Regression (flaky)%3A at-times::passed this time, and passes less often"),
    ],
)
def test_every_report_lists_what_is_proven_to_be_worse_though_it_passed_this_time(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert said in said_by(name, events())


def test_what_is_proven_and_what_moved_are_counted_apart() -> None:
    said = said_by("markdown", events())
    assert "2 regressed · 1 moved · " in said
    assert "| errors | regressed | moved |" in said
    assert "| 2 | 0 | 2 | 1 |" in said


def test_only_what_fell_is_said_to_have_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that failed in the baseline too has trials on both sides all the same."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    read, started, weighed, finished = events()
    (suite,) = finished.suites
    suite = replace(suite, regressions=())
    heard = [read, started, weighed, replace(finished, suites=(suite,))]
    assert "moved: " in said_by("junit", events())
    assert "moved: " not in said_by("junit", heard)
    for name in ("junit", "markdown", "github"):
        assert "undecided, 3 more" in said_by(name, events())
        assert "undecided" not in said_by(name, heard), name
        assert "not proven, 3 more" in said_by(name, heard), name
    assert "regressed: 20/20 → 0/4" in said_by("junit", heard), "what is proven fell"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("junit", "flaky: both outcomes with the same inputs"),
        ("markdown", "✗ failed, flaky"),
        ("github", "title=Failed (flaky)%3A c"),
    ],
)
def test_flaky_is_what_has_both_outcomes_over_all_runs_as_on_the_board(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    of = scene.suite("a", ["c"])
    (key,) = (case.key for case in of.cases)
    heard = scene.events([of], [scene.result(of, "c", CaseStatus.FAILED)])
    assert said not in said_by(name, heard)
    weighed = EvidenceWeighed(scene.AGENT, (Proof(key, TwoSides(Trials(1, 2))),), 0)
    assert said in said_by(name, [*heard[:-1], weighed, heard[-1]])


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
