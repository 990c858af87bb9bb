"""What makes the exit code of a run 1: each rule of `--fail-on` by itself."""

import itertools
from collections.abc import Collection, Container
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from evaltui.cli.fail_on import gates_of, why_failed
from evaltui.cli.main import run_command
from evaltui.core.agent import AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.comparison import RunChanges
from evaltui.core.config import FailOn
from evaltui.core.errors import UserError
from evaltui.core.events import RunEnd, RunFinished
from evaltui.core.result import CaseStatus
from evaltui.core.suite_result import SuiteResult
from tests.reporters import scene
from tests.simulated_agent import simulate, simulated_project

KEY = CaseKey("evals/get_weather.golden.json", "a")
OF = scene.suite("get_weather", ["a", "b"])
P, F, E, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED
GUARDS = ("failures", "regressions", "proven", "changed", "stale")


def suite_of(*statuses: CaseStatus, **more: Any) -> SuiteResult:
    """`more` is about the suite."""
    names = itertools.islice(itertools.cycle("abcdef"), len(statuses))
    cases = [scene.result(OF, case, status) for case, status in zip(names, statuses, strict=True)]
    return scene.suite_result(OF, cases, **more)


def run_of(*suites: SuiteResult, end: RunEnd = RunEnd.COMPLETED) -> RunFinished:
    return RunFinished("run-1", scene.AGENT, end, 1.0, suites)


def failing(*runs: RunFinished, mutes: Container[str] = ()) -> set[str]:
    """The values of `--fail-on` with which the exit code of these runs is 1."""
    return {name for name in get_args(FailOn) if why_failed(runs, (name,), mutes)}


def test_passed_and_skipped_cases_fail_nothing() -> None:
    assert failing(run_of(suite_of(P, S))) == set()
    assert failing() == set()


def test_a_failed_case_that_did_not_regress_is_a_failure_only() -> None:
    assert failing(run_of(suite_of(P, F))) == {"failures"}


def test_a_regression_is_a_failure_too() -> None:
    assert failing(run_of(suite_of(P, F, regressions=("b",)))) == {"failures", "regressions"}


def test_a_case_that_could_not_be_judged_fails_every_comparison() -> None:
    """One that did not take place must not look like a good one."""
    assert failing(run_of(suite_of(P, E))) == {"failures", "regressions", "proven"}


def test_an_attempt_that_ended_in_an_error_leaves_open_what_it_would_have_decided() -> None:
    one, other = suite_of(P, F).cases
    for end, status in ((other, F), (other, P)):
        half = replace(end, status=status, trials=1, erred=1)
        assert "proven" in failing(run_of(replace(suite_of(P, F), cases=(one, half))))
        assert "proven" not in failing(run_of(replace(suite_of(P, F), cases=(one, end))))
    muted = replace(suite_of(P, F), cases=(one, replace(other, erred=1)))
    assert failing(run_of(muted), mutes={str(other.key)}) == set()


def test_an_outdated_suite_is_stale_only() -> None:
    assert failing(run_of(suite_of(P, stale=True))) == {"stale"}


@pytest.mark.parametrize("status", [F, E])
def test_muted_cases_count_for_nothing(status: CaseStatus) -> None:
    assert failing(run_of(suite_of(P, status)), mutes={f"{OF.id}::b"}) == set()


def test_a_mute_holds_for_every_agent() -> None:
    mutes = {f"{OF.id}::a"}
    assert failing(run_of(suite_of(F)), run_of(suite_of(F)), mutes=mutes) == set()
    assert failing(run_of(suite_of(F)), run_of(suite_of(P, F)), mutes=mutes) == {"failures"}


@pytest.mark.parametrize(
    ("changes", "happened"),
    [
        (RunChanges(worse=(KEY,)), {"changed"}),
        (RunChanges(calls_differ=(KEY,)), {"changed"}),
        (RunChanges(errors=(KEY,)), {"changed"}),
        (RunChanges(better=(KEY,), as_before=3, new=2), set()),
    ],
)
def test_what_changed_is_worse_calls_differently_or_could_not_be_judged(
    changes: RunChanges, happened: set[str]
) -> None:
    run = RunFinished("run-1", scene.AGENT, RunEnd.COMPLETED, 1.0, changes=changes)
    assert failing(run) == happened


def test_only_what_is_beyond_doubt_is_proven_and_a_mute_takes_it_out() -> None:
    suite = suite_of(P, F, regressions=("b",))
    key = CaseKey(OF.id, "b")
    run = RunFinished("run-1", scene.AGENT, RunEnd.COMPLETED, 1.0, (suite,), proven=(key,))
    assert failing(run) == {"failures", "regressions", "proven"}
    assert "proven" not in failing(run, mutes={str(key)})


def test_what_is_proven_is_a_regression_though_the_contracts_list_lacks_it() -> None:
    """A case pinned 19 times of 20 did not pass there, and says REGRESSION all the same."""
    key = CaseKey(OF.id, "b")
    run = replace(run_of(suite_of(P, F)), proven=(key,))
    assert failing(run) == {"failures", "regressions", "proven"}
    assert failing(run, mutes={str(key)}) == set()


def test_cases_carried_over_from_earlier_runs_count() -> None:
    suite = suite_of(P, F)
    carried = tuple(replace(case, carried_from="run-0") for case in suite.cases[1:])
    assert failing(run_of(replace(suite, cases=(suite.cases[0], *carried)))) == {"failures"}


@pytest.mark.parametrize("end", [RunEnd.CANCELLED, RunEnd.SUPERSEDED])
def test_a_run_that_was_cut_short_fails_with_every_guard(end: RunEnd) -> None:
    assert failing(run_of(suite_of(P), end=end)) == set(GUARDS)
    assert failing(run_of(suite_of(P)), run_of(suite_of(P), end=end)) == set(GUARDS)


@pytest.mark.parametrize(
    "suite", [suite_of(F), suite_of(E), suite_of(F, regressions=("a",)), suite_of(P, stale=True)]
)
def test_never_means_never(suite: SuiteResult) -> None:
    for end in RunEnd:
        assert not why_failed([run_of(suite, end=end)], ("never",))
        assert not why_failed([run_of(suite, end=end)], (*GUARDS, "never"))


@pytest.mark.parametrize("guards", [("failures", "stale"), ("stale", "failures")])
def test_one_of_several_is_enough(guards: Collection[str]) -> None:
    assert why_failed([run_of(suite_of(F))], guards)
    assert why_failed([run_of(suite_of(P, stale=True))], guards)
    assert not why_failed([run_of(suite_of(P))], guards)


def test_any_suite_of_any_agent_is_enough() -> None:
    good, bad = suite_of(P), suite_of(E)
    assert failing(run_of(good, bad)) == {"failures", "regressions", "proven"}
    assert failing(run_of(good), run_of(bad)) == {"failures", "regressions", "proven"}


def test_it_names_what_each_gate_fails_for_once() -> None:
    suite, key = suite_of(P, F, E, regressions=("b",)), CaseKey(OF.id, "b")
    run = replace(run_of(suite), proven=(key,), changes=RunChanges(worse=(key,)))
    both = "fails for 2 cases, 1 of them in error: `b`, `c`"
    assert why_failed([run], ("stale", *GUARDS[:4])) == (
        f"`--fail-on failures` {both}",
        f"`--fail-on regressions` {both}",
        f"`--fail-on proven` {both}",
        "`--fail-on changed` fails for 1 case: `b`",
    )
    cut = run_of(suite, end=RunEnd.CANCELLED)
    assert why_failed([run, cut], GUARDS) == (f"the run of `{scene.AGENT}` was cut short",)
    stale = run_of(suite_of(P, stale=True))
    (said,) = why_failed([stale], GUARDS)
    assert said.startswith("`--fail-on stale` fails for 1 suite: `")


@pytest.mark.parametrize("reporter", ["--json", "--reporter=junit=out.xml", "--reporter=console"])
def test_where_no_console_says_it_stderr_tells_why_the_exit_code_is_1(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    reporter: str,
) -> None:
    world = simulate(monkeypatch)

    def rate(_: str, request: AgentRequest) -> float:
        if request.key.case == "gs-001":
            raise ConnectionError("down")
        return 1.0

    world.rate = rate
    monkeypatch.chdir(simulated_project(tmp_path))
    assert run_command(["run", "--fail-on", "proven", reporter]) == 1
    told = [line for line in capsys.readouterr().err.splitlines() if "no baseline" not in line]
    said = "`--fail-on proven` fails for 1 case, 1 of them in error: `gs-001`."
    assert told == ([] if reporter.endswith("console") else [said])
    world.rate = lambda *_: 1.0
    assert run_command(["run", "--fail-on", "proven", reporter]) == 0
    assert "fails for" not in capsys.readouterr().err


def test_the_guide_has_a_row_for_each() -> None:
    guide = Path(__file__).parents[2] / "docs" / "guide" / "ci.md"
    text = guide.read_text("utf-8")
    assert all(f"| `{name}` |" in text for name in get_args(FailOn))


@pytest.mark.parametrize("other", GUARDS)
def test_never_contradicts_every_other_one(other: str) -> None:
    assert gates_of([other, other]) == [other, other]
    assert gates_of(["never"]) == ["never"]
    with pytest.raises(UserError, match=f"`never` contradicts `{other}`"):
        gates_of(["never", other])
