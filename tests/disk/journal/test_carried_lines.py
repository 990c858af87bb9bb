"""What a later run writes of cases that it carries on: all that an earlier file says of them."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.result import CaseResult
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.history import kept_answers
from evaltui.disk.history.history import History
from evaltui.disk.results.result_file import encode_suite_result, read_suite_result
from evaltui.disk.results.results_folder import write_results
from tests.disk.history.test_history import finish, opened
from tests.disk.samples import errored, failed, passed, suite_result


def light(history: History, run: str = "run-1") -> tuple[CaseResult, ...]:
    known = history.last_results("embedded").results
    return tuple(replace(result, carried_from=run) for result in known)


def written(tmp_path: Path, history: History, result: SuiteResult) -> Path:
    (path,) = write_results(tmp_path / "results", [result], history.carried)
    return path


@pytest.mark.parametrize("is_outdated", [False, True])
def test_a_carried_case_is_written_as_one_that_was_read(tmp_path: Path, is_outdated: bool) -> None:
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", passed(), failed(), errored())
    result = replace(suite_result(*light(history), run="run-2"), stale=is_outdated)
    path = written(tmp_path, history, result)
    whole = encode_suite_result(history.complete(result))
    assert json.loads(path.read_bytes())["cases"] == json.loads(whole)["cases"]
    cases = read_suite_result(path).cases
    assert [case.carried_from for case in cases] == ["run-1"] * 3
    assert cases[:2] == tuple(replace(c, carried_from="run-1") for c in (passed(), failed()))
    history.close()


def test_from_file_to_file_no_line_is_taken_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", passed(), failed(), errored())
    second = suite_result(*light(history), run="run-2")
    finish(tmp_path, history, "run-2", *history.complete(second).cases)
    monkeypatch.setattr(kept_answers, "filled_from", unexpected)
    path = written(tmp_path, history, replace(second, run_id="run-3"))
    cases = read_suite_result(path).cases
    assert [case.verdicts for case in cases] == [passed().verdicts, failed().verdicts, ()]
    history.close()


def test_what_the_file_has_of_another_run_is_not_carried(tmp_path: Path) -> None:
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", passed(), failed())
    other = suite_result(*light(history, "run-0"), run="run-2")
    other = replace(other, cases=tuple(replace(case, run_id="run-0") for case in other.cases))
    assert history.carried(other)[1] == {}
    history.close()


def test_cases_of_which_the_file_has_no_line_are_looked_up(tmp_path: Path) -> None:
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", passed(), failed())
    result = suite_result(*light(history), run="run-2")
    (path,) = (tmp_path / "results").glob("*.json")
    spread = json.dumps(json.loads(path.read_bytes()), indent=4)
    path.write_text(spread, encoding="utf-8")  # somebody's editor set it
    cases = read_suite_result(written(tmp_path, history, result)).cases
    assert [case.verdicts for case in cases] == [passed().verdicts, failed().verdicts]
    history.close()


def unexpected(*_: object) -> None:
    raise AssertionError("read as a whole")
