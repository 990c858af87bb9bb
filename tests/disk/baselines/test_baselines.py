"""Pins survive cleaning, damage and second thoughts."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import BaselineCase
from evaltui.core.case import CaseKey, Tier
from evaltui.core.errors import UserError
from evaltui.core.result import CaseStatus, TrialResult
from evaltui.core.statistics.trials import Trials
from evaltui.core.suite import Suite
from evaltui.disk.baselines.baseline_reading import baseline_from_run, read_baseline
from evaltui.disk.baselines.baselines import Baselines
from evaltui.disk.results.results_folder import write_results
from tests.disk.results.test_result_file import CONTRACT_ONLY
from tests.disk.samples import SUITE, errored, failed, judged_now, many, passed, suite_result

PASSED = BaselineCase(CaseStatus.PASSED)
ONE_OF_THREE = BaselineCase(CaseStatus.FAILED, 1 / 3, 3)
ERROR = BaselineCase(CaseStatus.ERROR)
RESULT = judged_now(suite_result(passed(), failed(), errored()))
IDS = [case.key.case for case in RESULT.cases]
WEATHER = Suite(SUITE, "get-weather", Tier.LABELED, (), "0" * 12)


FRESH = {RESULT.cases[0].key: Trials(10, 0)}
"""Of the first case, which passed."""


@pytest.mark.parametrize("wrong", ['"10"', "true", "9.5", "1e308", f"{10**30}", "Infinity", "-1"])
@pytest.mark.parametrize("count", ["trials", "passes", "pinned"])
def test_a_copy_with_a_count_that_is_none_is_a_problem(
    tmp_path: Path, count: str, wrong: str
) -> None:
    """It would weaken proof without a word."""
    Baselines.load(tmp_path).pin("default", "embedded", [RESULT], fresh=FRESH)
    (copy,) = (path for path in tmp_path.rglob("*.json") if path.name != "pins.json")
    text = copy.read_text()
    before = {
        "trials": '"trials":3',
        "passes": '"trials":3,"passes":1',
        "pinned": '"passes":10',
    }[count]
    assert text.count(before) == 1
    copy.write_text(text.replace(before, before[: before.rindex(":") + 1] + wrong))
    baselines = Baselines.load(tmp_path)
    assert baselines.in_force("embedded") == ()
    (problem,) = baselines.problems
    assert (problem.file, problem.code) == (str(copy), "baseline-unreadable")


def test_what_proves_nothing_may_be_wrong_in_a_copy(tmp_path: Path) -> None:
    Baselines.load(tmp_path).pin("default", "embedded", [RESULT])
    (copy,) = (path for path in tmp_path.rglob("*.json") if path.name != "pins.json")
    copy.write_text(json.dumps({**json.loads(copy.read_text()), "timestamp": 5}))
    (baseline,) = Baselines.load(tmp_path).in_force("embedded")
    assert len(baseline.cases) == 3


@pytest.mark.parametrize("theirs", [None, 3, [{"status": 3}]])
def test_how_many_attempts_of_a_pin_erred_is_known_unless_others_wrote_it(
    tmp_path: Path, theirs: object
) -> None:
    tried = tuple(
        TrialResult(n, status)
        for n, status in enumerate((CaseStatus.PASSED, CaseStatus.ERROR, CaseStatus.PASSED))
    )
    one = replace(errored(), trials=2, passes=2, erred=1, attempts=tried)
    Baselines.load(tmp_path).pin("default", "embedded", [judged_now(suite_result(one))])
    (copy,) = (path for path in tmp_path.rglob("*.json") if path.name != "pins.json")
    if theirs is not None:
        written = json.loads(copy.read_text())
        written["cases"][0]["attempts"] = theirs
        copy.write_text(json.dumps(written))
    (baseline,) = Baselines.load(tmp_path).in_force("embedded")
    found = baseline.cases[one.key.case]
    assert found == BaselineCase(CaseStatus.PASSED, 1.0, 2, erred=int(theirs is None))


def test_pin_and_load_again(tmp_path: Path) -> None:
    change = Baselines.load(tmp_path).pin("default", "embedded", [RESULT])
    assert change.message == "Pinned 3 cases"
    again = Baselines.load(tmp_path)
    (baseline,) = again.in_force("embedded")
    assert (baseline.suite, baseline.run_id, baseline.agent) == (SUITE, "run-1", "embedded")
    assert baseline.cases == dict(zip(IDS, (PASSED, ONE_OF_THREE, ERROR), strict=True))
    assert baseline.pinned_at > 1_700_000_000
    assert again.listed.names("embedded") == ("default",)
    assert again.listed.names("other") == ()
    assert again.in_force("other") == ()
    assert again.problems == []
    detail = again.detail(RESULT.cases[0].key, "embedded")
    assert detail is not None
    assert detail.response is not None
    assert detail.response.tool_calls == RESULT.cases[0].response.tool_calls  # type: ignore[union-attr]
    assert again.detail(CaseKey(SUITE, "nobody"), "embedded") is None


def test_undo_leaves_cases_that_others_pinned_in_the_same_suite(tmp_path: Path) -> None:
    """Whatever came first, the steps of one take nothing from the other."""
    mine, others = Baselines.load(tmp_path), Baselines.load(tmp_path)
    first, second, third = (case.key for case in RESULT.cases)

    def pinned() -> list[str]:
        found = Baselines.load(tmp_path)
        assert found.problems == []
        cases = [case for one in found.in_force("embedded") for case in one.cases]
        assert bool(cases) is bool(found.listed.names("embedded"))
        return sorted(cases)

    pin = mine.pin("default", "embedded", [RESULT], {first})
    other = others.pin("default", "embedded", [suite_result(*RESULT.cases, run="run-2")], {second})
    pin.undo()
    assert pinned() == [second.case]
    pin.redo()
    assert pinned() == sorted([first.case, second.case])
    unpin = mine.unpin("default", "embedded", only={first})
    others.pin("default", "embedded", [RESULT], {third})
    unpin.undo()
    assert pinned() == sorted([first.case, second.case, third.case])
    pin.undo()
    other.undo()
    assert pinned() == [third.case]
    others.unpin("default", "embedded")
    pin.undo()
    assert pinned() == []
    pin.redo()
    assert pinned() == [first.case]


def test_fingerprints_of_pinned_cases(tmp_path: Path) -> None:
    Baselines.load(tmp_path).pin("default", "embedded", [RESULT])
    first, second, _ = RESULT.cases
    assert Baselines.load(tmp_path).fingerprints("embedded") == {
        first.key: "aaaaaaaaaaaa",
        second.key: "dddddddddddd",
    }


def test_single_cases_join_what_is_pinned(tmp_path: Path) -> None:
    baselines = Baselines.load(tmp_path)
    baselines.pin("default", "embedded", [RESULT])
    later = judged_now(
        suite_result(failed(IDS[0], run="run-2"), passed(IDS[1], run="run-2"), run="run-2")
    )
    key = later.cases[1].key
    assert baselines.pin("default", "embedded", [later], {key}).message == "Pinned 1 case"
    (baseline,) = baselines.in_force("embedded")
    assert baseline.cases == dict(zip(IDS, (PASSED, PASSED, ERROR), strict=True))
    assert baseline.run_id == "run-2"
    old = baselines.detail(CaseKey(SUITE, IDS[0]), "embedded")
    assert old is not None
    assert old.carried_from == "run-1"


def test_unpin_cases_suites_and_all(tmp_path: Path) -> None:
    baselines = Baselines.load(tmp_path)
    other = suite_result(passed(suite="evals/b.json"), suite="evals/b.json")
    baselines.pin("default", "embedded", [RESULT, other])
    baselines.unpin("default", "embedded", only={RESULT.cases[0].key})
    left = {one.suite: list(one.cases) for one in baselines.in_force("embedded")}
    assert left[SUITE] == IDS[1:]
    baselines.unpin("default", "embedded", ["evals/b.json"])
    assert [one.suite for one in baselines.in_force("embedded")] == [SUITE]
    assert baselines.unpin("default", "embedded").message == "Unpinned 2 cases"
    assert Baselines.load(tmp_path).in_force("embedded") == ()
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["pins.json"]


def test_a_copy_lists_no_error_of_a_case_that_was_unpinned(tmp_path: Path) -> None:
    baselines = Baselines.load(tmp_path)
    baselines.pin("default", "embedded", [RESULT])
    (copy,) = (path for path in tmp_path.rglob("*.json") if path.name != "pins.json")
    assert json.loads(copy.read_bytes())["errored"] == [IDS[2]]
    baselines.unpin("default", "embedded", only={RESULT.cases[2].key})
    assert json.loads(copy.read_bytes())["errored"] == []


def test_undo_and_redo(tmp_path: Path) -> None:
    baselines = Baselines.load(tmp_path)
    baselines.pin("default", "embedded", [RESULT])
    before = baselines.in_force("embedded")
    later = suite_result(failed(IDS[0], run="run-2"), run="run-2")
    change = baselines.pin("default", "embedded", [later])
    after = baselines.in_force("embedded")
    change.undo()
    assert baselines.in_force("embedded") == before == Baselines.load(tmp_path).in_force("embedded")
    change.redo()
    assert baselines.in_force("embedded") == after == Baselines.load(tmp_path).in_force("embedded")
    gone = baselines.unpin("default", "embedded")
    gone.undo()
    assert baselines.in_force("embedded") == after


def test_names_stand_side_by_side(tmp_path: Path) -> None:
    baselines = Baselines.load(tmp_path)
    baselines.pin("release/1", "embedded", [RESULT])
    baselines.pin("default", "embedded", [RESULT])
    assert baselines.listed.names("embedded") == ("default", "release/1")
    assert baselines.in_force("embedded", "release/1")[0].name == "release/1"
    default, release = baselines.named("embedded")
    assert (default.name, default.cases, release.name, release.cases) == (
        ("default", 3, "release/1", 3)
    )
    assert min(default.moments) >= max(release.moments) > 1_700_000_000
    assert all(path.is_relative_to(tmp_path) for path in tmp_path.rglob("*.json"))


def test_embedded_is_never_compared_with_a_real_model(tmp_path: Path) -> None:
    baselines = Baselines.load(tmp_path)
    baselines.pin("default", "embedded", [RESULT])
    assert baselines.in_force("embedded", endpoint="http://localhost:3000/chat") == ()
    assert len(baselines.in_force("embedded", endpoint="embedded/2")) == 1


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"pins": [{}]}', b'{"pins": [1]}', b"[" * 3_000, b"<<<<<<< HEAD"]
)
def test_a_damaged_list_is_found_again(tmp_path: Path, content: bytes) -> None:
    Baselines.load(tmp_path).pin("default", "embedded", [RESULT])
    (tmp_path / "pins.json").write_bytes(content)
    again = Baselines.load(tmp_path)
    assert [problem.code for problem in again.problems] == ["set-aside"]
    assert (tmp_path / "pins.json.damaged").read_bytes() == content
    assert again.in_force("embedded")[0].run_id == "run-1"
    assert Baselines.load(tmp_path).problems == []


def test_what_another_process_pinned_stays(tmp_path: Path) -> None:
    """A dashboard that is open while `evaltui baseline` runs, or `git pull`."""
    ours, theirs = Baselines.load(tmp_path), Baselines.load(tmp_path)
    theirs.pin("release", "embedded", [RESULT])
    change = ours.pin("default", "embedded", [RESULT])
    assert Baselines.load(tmp_path).listed.names("embedded") == ("default", "release")
    theirs.unpin("release", "embedded")
    change.undo()
    assert Baselines.load(tmp_path).listed.names("embedded") == ()
    change.redo()
    theirs.pin("release", "embedded", [RESULT])
    change.undo()
    assert Baselines.load(tmp_path).listed.names("embedded") == ("release",)
    assert ours.listed.names("embedded") == ("release",)


def test_an_entry_whose_copy_another_process_removed_goes(tmp_path: Path) -> None:
    ours = Baselines.load(tmp_path)
    other = suite_result(passed(suite="evals/b.json"), suite="evals/b.json")
    ours.pin("default", "embedded", [RESULT, other])
    next(tmp_path.rglob("evals_b*.json")).unlink()
    ours.pin("default", "embedded", [RESULT], {RESULT.cases[0].key})
    again = Baselines.load(tmp_path)
    assert [pin.suite for pin in again.listed.pins("embedded")] == [SUITE]
    again.in_force("embedded")
    assert again.problems == []


def test_many_pin_at_once(tmp_path: Path) -> None:
    def pin(number: int) -> None:
        Baselines.load(tmp_path).pin(f"release-{number}", "embedded", [RESULT])

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(pin, range(18)))
    assert len(Baselines.load(tmp_path).listed.names("embedded")) == 18


def test_a_pin_never_reads_outside(tmp_path: Path) -> None:
    Baselines.load(tmp_path).pin("default", "embedded", [RESULT])
    path = tmp_path / "pins.json"
    value = json.loads(path.read_bytes())
    value["pins"][0]["file"] = "../../secret.json"
    path.write_text(json.dumps(value))
    assert "outside" in Baselines.load(tmp_path).problems[0].what


def test_a_damaged_copy_is_a_problem_and_the_others_stand(tmp_path: Path) -> None:
    baselines = Baselines.load(tmp_path)
    other = suite_result(passed(suite="evals/b.json"), suite="evals/b.json")
    baselines.pin("default", "embedded", [RESULT, other])
    (tmp_path / baselines.listed.pins("embedded")[0].file).write_bytes(b"{")
    for _ in range(2):
        assert [one.suite for one in baselines.in_force("embedded")] == ["evals/b.json"]
    assert len(baselines.problems) == 1
    baselines.pin("default", "embedded", [other], {other.cases[0].key})


@pytest.mark.parametrize("content", [b"<<<<<<< HEAD\n{}", b'{"runId": "r", "cases": 3}'])
def test_a_copy_that_cannot_be_read_is_not_written_over(tmp_path: Path, content: bytes) -> None:
    """A merge conflict in it would cost all other pins of its suite."""
    baselines = Baselines.load(tmp_path)
    baselines.pin("default", "embedded", [RESULT])
    key, beside = RESULT.cases[0].key, CaseKey("evals/b.json", "b")
    copy = tmp_path / baselines.listed.pins("embedded")[0].file
    copy.write_bytes(content)
    changes: tuple[Callable[[], object], ...] = (
        lambda: baselines.pin("default", "embedded", [RESULT], {key}),
        lambda: baselines.unpin("default", "embedded", None, {key}),
        lambda: baselines.move("default", "embedded", {key: beside}),
        lambda: baselines.move("default", "embedded", {beside: key}),
    )
    for change in changes:
        with pytest.raises(UserError, match="cannot be read") as refused:
            change()
        assert "delete it and pin the suite again" in refused.value.hint
        assert copy.read_bytes() == content
    copy.unlink()
    baselines.pin("default", "embedded", [RESULT], {key})
    assert [[*one.cases] for one in baselines.in_force("embedded")] == [[key.case]]


@pytest.mark.parametrize("only", [None, {RESULT.cases[0].key}], ids=["suite", "case"])
@pytest.mark.parametrize("pins_before", [0, 1])
def test_undo_writes_over_no_copy_that_cannot_be_read(
    tmp_path: Path, only: set[CaseKey] | None, pins_before: int
) -> None:
    other = suite_result(passed(suite="evals/b.json"), suite="evals/b.json")
    baselines = Baselines.load(tmp_path)
    for _ in range(pins_before):
        baselines.pin("default", "embedded", [RESULT])
    change = baselines.pin("default", "embedded", [RESULT, other], only)
    copy = tmp_path / baselines.listed.pins("embedded")[0].file
    copy.write_bytes(b"<<<<<<< HEAD\n{}")
    with pytest.raises(UserError, match="cannot be read"):
        change.undo()
    assert copy.read_bytes() == b"<<<<<<< HEAD\n{}"
    assert len(baselines.listed.pins("embedded")) == (2 if only is None else 1)


def test_lines_of_the_list_merge(tmp_path: Path) -> None:
    baselines = Baselines.load(tmp_path)
    suites = [f"evals/{name}.json" for name in "cab"]
    results = [suite_result(passed(suite=suite), suite=suite) for suite in suites]
    baselines.pin("default", "embedded", results)
    lines = (tmp_path / "pins.json").read_text().splitlines()
    assert [json.loads(line.rstrip(","))["suite"] for line in lines[3:-2]] == sorted(suites)


def test_baseline_from_a_run(tmp_path: Path) -> None:
    write_results(tmp_path, [RESULT])
    (baseline,) = baseline_from_run(tmp_path, "run-1", [WEATHER], endpoint="embedded/1")
    assert baseline.cases[IDS[0]] == PASSED
    with pytest.raises(UserError, match="cannot be compared"):
        baseline_from_run(tmp_path, "run-1", [WEATHER], endpoint="http://x")
    with pytest.raises(UserError, match="`run-1`"):
        baseline_from_run(tmp_path, "run-2", [WEATHER])
    with pytest.raises(UserError, match=SUITE):
        baseline_from_run(tmp_path, "run-1", [replace(WEATHER, id="evals/other.json")])


def test_baseline_from_a_file_with_the_contracts_keys_only(tmp_path: Path) -> None:
    (tmp_path / "get_weather-labeled-older.json").write_text(json.dumps(CONTRACT_ONLY))
    (baseline,) = baseline_from_run(tmp_path, "older", [WEATHER])
    assert (baseline.suite, baseline.run_id) == (SUITE, "older")
    assert baseline.cases == {"a": PASSED, "b": BaselineCase(CaseStatus.FAILED)}


def test_many_cases_are_the_same_as_read_in_full(tmp_path: Path) -> None:
    (path,) = write_results(tmp_path, [judged_now(suite_result(*many(100)))])
    baseline = read_baseline(path)
    assert len(baseline.cases) == 100
    assert baseline.cases["gs-get-weather-00007"] == ONE_OF_THREE
    assert baseline.cases["gs-get-weather-00008"] == PASSED


@pytest.mark.parametrize("content", [b"", b"[]", b'{"cases": 1}'])
def test_no_result_is_a_user_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(UserError, match="not a"):
        read_baseline(path)
