"""A fall from the baseline has one word and one mark, in every reporter and on the board."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase, compare
from evaltui.core.case import Case, CaseKey, RubricCase, Tier, TraceCase
from evaltui.core.events import (
    CaseFinished,
    EvidenceWeighed,
    ProjectRead,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.proof import Level, Proof, Standing, weigh
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.core.suite import Suite
from evaltui.core.suite_result import SuiteResult
from evaltui.core.tool import ToolRegistry
from evaltui.reporters import make_reporter
from evaltui.reporters.baseline_marks import GLYPHS, BaselineMarks, as_noun
from evaltui.reporters.muted_failures import Mutes
from evaltui.store.board import Board
from evaltui.store.row_status import RowMark
from evaltui.tui.render.glyphs import ROW_MARK
from tests.reporters import scene

TRACE = Case(CaseKey("evals/found.trace.json", "t"), TraceCase(""), Tier.TRACE)
ANY = scene.suite("any", ["c"])
RUBRICS = Suite(
    "evals/tone.rubric.json", "tone", Tier.RUBRIC,
    (Case(CaseKey("evals/tone.rubric.json", "r"), RubricCase(""), Tier.RUBRIC),), "0" * 12,
)  # fmt: skip
TRACES = Suite(TRACE.key.suite, "found", Tier.TRACE, (TRACE,), "0" * 12)


@pytest.mark.parametrize("mark", GLYPHS)
def test_signs_are_those_of_the_board(mark: RowMark) -> None:
    assert (GLYPHS[mark], mark.value) == (ROW_MARK[mark].glyph, ROW_MARK[mark].word)


@pytest.mark.parametrize(
    ("agent", "of", "mark", "noun"),
    [
        ("sampled", ANY, RowMark.MOVED, "moved"),
        ("steady", ANY, RowMark.REGRESSED, "regression"),
        ("sampled", TRACES, RowMark.REGRESSED, "regression"),
        ("steady", RUBRICS, RowMark.MOVED, "moved"),
    ],
)
def test_what_may_be_answered_otherwise_has_moved_as_on_the_board(
    agent: str, of: Suite, mark: RowMark, noun: str
) -> None:
    marks = BaselineMarks()
    marks.handle(
        ProjectRead((TRACES, RUBRICS), ToolRegistry(configured=False), (), sampled=("sampled",))
    )
    (case,) = of.cases
    (key, found), *others = marks.fallen(
        (scene.suite_result(of, (), agent=agent, regressions=(case.id,)),), Mutes()
    ).items()
    assert (key, found, as_noun(found), others) == (case.key, mark, noun, [])


STANDINGS = st.none() | st.sampled_from(Standing)
VERDICTS = st.sampled_from(CaseStatus)
SLIPS = st.sampled_from([TwoSides(), TwoSides(Trials(19, 1), Trials(0, 1))])
SCENES = st.lists(
    st.tuples(VERDICTS | st.none(), VERDICTS, STANDINGS, st.booleans(), SLIPS), max_size=6
)


@given(SCENES, st.booleans())
def test_whatever_happened_reports_mark_the_cases_that_the_board_marks(
    cases: list[tuple[CaseStatus | None, CaseStatus, Standing | None, bool, TwoSides]],
    is_sampled: bool,
) -> None:
    """Of each: as it is pinned, as it is now, what its trials prove, whether it is muted, and its
    trials."""
    of = scene.suite("a", [f"c-{number}" for number in range(len(cases))])
    paired = [*zip(of.cases, cases, strict=True)]
    pinned = {case.id: BaselineCase(then) for case, (then, *_) in paired if then is not None}
    mutes = {str(case.key): "known" for case, (*_, is_muted, _) in paired if is_muted}
    proofs = [
        Proof(case.key, sides, one) for case, (_, _, one, _, sides) in paired if one is not None
    ]
    baseline = Baseline(of.id, "run-0", "default", pinned)
    board = Board(scene.AGENT)
    board.arrange((of,))
    board.compare_with([baseline])
    board.follow_sampling(is_sampled)
    board.mute(mutes)
    for case, (_, now, *_) in paired:
        board.finish(scene.result(of, case.id, now))
    board.weigh(EvidenceWeighed(scene.AGENT, tuple(proofs), 0))
    suites = suites_of(board, of, baseline)
    marks, muted = BaselineMarks(), Mutes()
    sampled = (scene.AGENT,) if is_sampled else ()
    read = ProjectRead((of,), ToolRegistry(), (), sampled=sampled, mutes=mutes)
    for event in (read, EvidenceWeighed(scene.AGENT, tuple(proofs), 0)):
        marks.handle(event)
        muted.handle(event)
    shown = {key: row.against for key, row in board.rows.items() if row.against is not None}
    assert marks.fallen(suites, muted) | marks.risen(suites, muted) == shown


def suites_of(board: Board, of: Suite, baseline: Baseline) -> tuple[SuiteResult, ...]:
    """As a run leaves them."""
    results = [row.result for row in board.rows.values() if row.result is not None]
    found = compare(of.id, baseline, results, board.standards.mutes)
    changes = {"regressions": found.regressions, "new_passes": found.new_passes}
    return (scene.suite_result(of, results, **changes),)


OF = scene.suite("get_weather", ["proven", "doubtful", "at-times"])
ROOT = Path(__file__).parent.parent.parent
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


def marks_heard() -> BaselineMarks:
    marks = BaselineMarks()
    for event in events():
        marks.handle(event)
    return marks


def test_what_trials_prove_is_regressed_and_the_rest_has_moved() -> None:
    """One that passed at last is among them if it is proven to be worse."""
    suites = events()[-1].suites
    assert marks_heard().fallen(suites, Mutes()) == {
        PROVEN: RowMark.REGRESSED,
        DOUBTFUL: RowMark.MOVED,
        AT_TIMES: RowMark.REGRESSED,
    }
    mutes = Mutes()
    mutes.handle(ProjectRead((), ToolRegistry(), (), mutes={str(AT_TIMES): "known"}))
    assert [*marks_heard().fallen(suites, mutes)] == [PROVEN, DOUBTFUL]


def said_by(name: str, heard: list[Any]) -> str:
    out = io.StringIO()
    scene.tell(make_reporter(name, out), heard)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("console", "↓ REGRESSION at-times: passed this time, and passes less often than before"),
        ("junit", "regressed: 20/20 → 1/10"),
        ("junit", '<failure message="passed this time, and passes less often than before" />'),
        ("junit", 'tests="3" failures="3" errors="0" skipped="0"'),
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


def test_what_a_model_judges_has_moved_in_the_totals_too_whoever_answers() -> None:
    (case,) = RUBRICS.cases
    failed = scene.result(RUBRICS, case.id, CaseStatus.FAILED)
    suite = scene.suite_result(RUBRICS, [failed], regressions=(case.id,))
    heard = scene.events([RUBRICS], [failed])
    said = said_by("markdown", [*heard[:-1], replace(heard[-1], suites=(suite,))])
    assert "0 regressed · 1 moved · " in said
    assert "| 0 | 1 |" in said


@pytest.mark.parametrize("name", ["console", "markdown", "github"])
def test_every_report_names_what_rose(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    read, started, _, finished = events()
    (suite,) = finished.suites
    passed = [replace(one, status=CaseStatus.PASSED, error="") for one in suite.cases]
    suite = replace(suite, cases=tuple(passed), regressions=(), new_passes=(DOUBTFUL.case,))
    better = Proof(PROVEN, TwoSides(Trials(0, 20), Trials(5, 0)), Standing.IMPROVED)
    weighed = EvidenceWeighed(scene.AGENT, (better,), 162)
    said = said_by(name, [read, started, weighed, replace(finished, suites=(suite,))])
    assert f"↑ 1 improved since the baseline: `{PROVEN.case}`" in said
    assert f"↑? 1 moved up since the baseline: `{DOUBTFUL.case}`" in said


def test_only_what_fell_is_said_to_have_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that failed in the baseline too has trials on both sides all the same."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    read, started, weighed, finished = events()
    (suite,) = finished.suites
    suite = replace(suite, regressions=())
    never = Proof(DOUBTFUL, TwoSides(Trials(0, 20), Trials(0, 1)), further=3)
    weighed = replace(weighed, proofs=(PROOFS[0], never, PROOFS[2]))
    heard = [read, started, weighed, replace(finished, suites=(suite,))]
    assert "moved: " in said_by("junit", events())
    assert "moved: " not in said_by("junit", heard)
    for name in ("console", "junit", "markdown", "github"):
        assert "undecided, 3 more" in said_by(name, events())
        assert "undecided" not in said_by(name, heard), name
        assert "nothing says that it got worse" in said_by(name, heard), name
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


@pytest.mark.parametrize("name", ["junit", "markdown", "github"])
def test_of_what_is_muted_no_report_says_that_it_cannot_be_proven(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    read, started, weighed, finished = events()
    muted = replace(read, mutes={str(PROVEN): "known"})
    open_ = Proof(PROVEN, TwoSides(GOOD, Trials(0, 8)))
    said = said_by(name, [muted, started, replace(weighed, proofs=(open_,)), finished])
    assert "20/20 → 0/8, e = " in said
    assert "not weighed while it is muted" in said
    assert "not proven" not in said


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


def test_programs_are_told_the_e_of_a_rise_that_the_other_reports_name() -> None:
    read, started, _, finished = events()
    (suite,) = finished.suites
    passed = tuple(replace(one, status=CaseStatus.PASSED, error="") for one in suite.cases)
    weighed = weigh({PROVEN: TwoSides(Trials(1, 4), Trials(3, 0))}, Level(10))
    finished = replace(finished, suites=(replace(suite, cases=passed, regressions=()),))
    heard = [read, started, EvidenceWeighed(scene.AGENT, (*weighed.values(),), 10), finished]
    told = [json.loads(line) for line in said_by("jsonl", heard).splitlines()]
    (statistics,) = (one["statistics"] for one in told if one["event"] == "EvidenceWeighed")
    assert statistics[str(PROVEN)] == {"e": 0.104308, "e_of_rise": 2.1875}
    page = (ROOT / "docs/guide/baselines.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in statistics[str(PROVEN)])
    assert "1/5 → 3/3, e = 2.2" in said_by("junit", heard)


@pytest.mark.parametrize("name", ["console", "junit", "markdown", "github"])
def test_what_moved_against_a_plain_pin_says_why_nothing_is_proven(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    read, started, weighed, finished = events()
    chosen = Proof(DOUBTFUL, TwoSides(now=Trials(0, 1)))
    heard = [read, started, replace(weighed, proofs=(chosen,)), finished]
    assert "0/1 now, undecided: no trial of the baseline counts" in said_by(name, heard)


def test_of_what_has_no_trials_on_both_sides_nothing_is_said_unless_it_moved() -> None:
    marks, key = marks_heard(), CaseKey(OF.id, "other")
    other = CaseResult(key, "run", scene.AGENT, CaseStatus.FAILED)
    assert marks.evidence(other) == ""
    marks.handle(EvidenceWeighed(scene.AGENT, (Proof(key, TwoSides(GOOD)),), 162))
    assert marks.evidence(other, has_fallen=False) == ""
    assert marks.evidence(other, is_muted=True) == ""
    said = "undecided: no trial with other inputs than the pinned ones"
    assert marks.evidence(other) == said
    marks.handle(EvidenceWeighed(scene.AGENT, (), 162, is_whole=True))
    assert marks.evidence(replace(other, key=PROVEN)) == ""


def test_the_console_says_of_a_case_that_was_tried_again_that_it_got_no_answer_again() -> None:
    of = scene.suite("a", ["c"])
    erred = scene.result(of, "c", CaseStatus.ERROR)
    again = TrialResult(0, CaseStatus.ERROR), TrialResult(1, CaseStatus.ERROR)
    twice = replace(erred, trials=2, erred=2, passes=0, attempts=again)
    heard = scene.events([of], [erred])
    said = said_by("console", [*heard[:-1], CaseFinished("run-1", twice), heard[-1]])
    assert "  tried again: c  no answer again" in said


def test_the_console_names_flaky_cases_as_the_other_reports_do() -> None:
    """`at-times` passed, and failed with the same inputs."""
    assert "≈ 1 flaky, both outcomes seen: `at-times`" in said_by("console", events())
    read, started, _, finished = events()
    assert "flaky" not in said_by("console", [read, started, finished])


@pytest.mark.parametrize(
    ("now", "further", "is_listed"),
    [(Trials(1, 5), 2, True), (Trials(1, 9), None, False), (Trials(9, 1), 12, False)],
)
def test_the_console_lists_what_one_pass_left_without_proof(
    now: Trials, further: int | None, *, is_listed: bool
) -> None:
    read, started, _, finished = events()
    proof = Proof(AT_TIMES, TwoSides(GOOD, now), further=further)
    weighed = EvidenceWeighed(scene.AGENT, (proof,), 162)
    said = said_by("console", [read, started, weighed, finished])
    assert ("≈ UNDECIDED at-times: passed this time" in said) is is_listed
    assert (f"    · 20/20 → {now}, e = " in said) is is_listed
    assert ("undecided, 2 more failures would prove it" in said) is is_listed


@pytest.mark.parametrize("name", ["console", "junit"])
def test_every_report_calls_it_undecided(name: str) -> None:
    read, started, _, finished = events()
    proof = Proof(AT_TIMES, TwoSides(GOOD, Trials(1, 5)), further=2)
    said = said_by(name, [read, started, EvidenceWeighed(scene.AGENT, (proof,), 162), finished])
    assert "undecided, 2 more failures would prove it" in said
    assert "not proven, 2 more" not in said
