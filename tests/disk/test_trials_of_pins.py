"""How many fresh trials a pin has: in its copies, which outlive the list."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.errors import Severity
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import MOST_TRIALS, Trials
from evaltui.disk.baselines.baselines import Baselines
from evaltui.disk.history.shared_inputs import SamePrints
from tests.disk.samples import failed, judged_now, passed, suite_result

RESULT = judged_now(suite_result(passed(), failed()))
KEYS = [case.key for case in RESULT.cases]
FRESH = {KEYS[0]: Trials(18, 2), KEYS[1]: Trials(0, 20)}
OTHER = CaseKey("evals/desk.labeled.json", KEYS[0].case)


def pinned(folder: Path) -> Baselines:
    made = Baselines.load(folder)
    made.pin("default", "embedded", [RESULT], KEYS, FRESH)
    return made


def known(pins: Baselines) -> dict[CaseKey, Trials]:
    found = pins.inputs("embedded", SamePrints())
    return {key: one.fresh for key, one in found.items() if one.fresh.count}


def edited(case: CaseResult) -> CaseResult:
    return replace(case, inputs=replace(case.inputs, case="another"))


@pytest.mark.parametrize("content", [None, b"{", b'{\n  "pins": [\n<<<<<<< HEAD\n', b""])
def test_they_and_the_moments_are_there_without_the_list(
    tmp_path: Path, content: bytes | None
) -> None:
    before = pinned(tmp_path).inputs("embedded", SamePrints())
    path = tmp_path / "pins.json"
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    for _ in range(2):  # the second time the damaged list is gone
        again = Baselines.load(tmp_path)
        assert again.inputs("embedded", SamePrints()) == before
        assert known(again) == FRESH
        assert not [one for one in again.problems if one.severity is Severity.ERROR]


@pytest.mark.parametrize("untold", [1, 2])
def test_copies_that_do_not_tell_are_an_error_until_the_list_is_there_again(
    tmp_path: Path, untold: int
) -> None:
    """Also where only some of their cases do not, as of a copy that a new pin joined."""
    pins = pinned(tmp_path)
    (copy,) = (path for path in tmp_path.rglob("*.json") if path.name != "pins.json")
    written = json.loads(copy.read_text())
    for case in written["cases"][:untold]:
        del case["pinned"]  # as older versions wrote it
    copy.write_text(json.dumps(written))
    (tmp_path / "pins.json").unlink()
    for _ in range(2):
        (problem,) = Baselines.load(tmp_path).problems
        assert (problem.severity, problem.file) == (Severity.ERROR, str(copy))
    pins.pin("default", "embedded", [RESULT], KEYS)
    assert Baselines.load(tmp_path).problems == []


def of_list(folder: Path, counts: object) -> None:
    """As an older version wrote them."""
    path = folder / "pins.json"
    written = json.loads(path.read_text())
    written["pins"][0]["fresh"] = {key.case: counts for key in KEYS}
    path.write_text(json.dumps(written))


def test_those_of_the_list_count_where_the_copies_tell_none(tmp_path: Path) -> None:
    made = Baselines.load(tmp_path)
    made.pin("default", "embedded", [RESULT], KEYS)
    of_list(tmp_path, [20, 0])
    made.listed.reload()
    assert known(made) == dict.fromkeys(KEYS, Trials(20, 0))
    made.pin("default", "embedded", [RESULT], KEYS[:1], {KEYS[0]: Trials(5, 0)})
    assert known(Baselines.load(tmp_path)) == {KEYS[0]: Trials(25, 0), KEYS[1]: Trials(20, 0)}
    made.move("default", "embedded", {KEYS[1]: OTHER})
    assert known(Baselines.load(tmp_path)) == {KEYS[0]: Trials(25, 0), OTHER: Trials(20, 0)}


@pytest.mark.parametrize("count", [-5, 10**400, 2**70, MOST_TRIALS + 1, 1.5, "20", None])
def test_counts_that_nobody_reaches_are_set_aside_and_said(tmp_path: Path, count: object) -> None:
    made = Baselines.load(tmp_path)
    made.pin("default", "embedded", [RESULT], KEYS)
    of_list(tmp_path, [count, 0])
    again = Baselines.load(tmp_path)
    assert [problem.code for problem in again.problems] == ["set-aside"]
    assert known(again) == {}


@pytest.mark.parametrize("count", [-5, 10**400, 2**70])
def test_nor_are_those_of_a_copy_believed(tmp_path: Path, count: int) -> None:
    pinned(tmp_path)
    (copy,) = (path for path in tmp_path.rglob("*.json") if path.name != "pins.json")
    written = json.loads(copy.read_text())
    written["cases"][0]["pinned"]["passes"] = count
    copy.write_text(json.dumps(written))
    assert known(Baselines.load(tmp_path)).get(KEYS[0], Trials()).passes == 0


def test_a_pin_of_the_same_inputs_keeps_them_and_one_of_others_does_not(tmp_path: Path) -> None:
    made = pinned(tmp_path)
    same = replace(RESULT.cases[0], run_id="run-2", status=CaseStatus.FAILED, passes=0)
    result = suite_result(same, edited(RESULT.cases[1]), run="run-2")
    made.pin("default", "embedded", [result], KEYS)
    assert known(Baselines.load(tmp_path)) == {KEYS[0]: FRESH[KEYS[0]]}


def test_trials_of_another_pin_join_those_of_the_same_inputs_and_no_others(tmp_path: Path) -> None:
    made = pinned(tmp_path)
    result = suite_result(replace(RESULT.cases[0], run_id="run-2"), edited(RESULT.cases[1]))
    change = made.pin("default", "embedded", [result], KEYS, dict.fromkeys(KEYS, Trials(5, 0)))
    now = {KEYS[0]: Trials(23, 2), KEYS[1]: Trials(5, 0)}
    assert known(Baselines.load(tmp_path)) == now
    made.pin("other", "embedded", [result], KEYS, dict.fromkeys(KEYS, Trials(1, 0)))
    assert known(Baselines.load(tmp_path)) == now, "a baseline of another name has its own"
    change.undo()
    assert known(Baselines.load(tmp_path)) == FRESH


def test_what_is_moved_or_undone_keeps_them(tmp_path: Path) -> None:
    made = pinned(tmp_path)
    change = made.move("default", "embedded", {KEYS[0]: OTHER})
    assert known(Baselines.load(tmp_path)) == {OTHER: FRESH[KEYS[0]], KEYS[1]: FRESH[KEYS[1]]}
    change.undo()
    change = made.unpin("default", "embedded", None, KEYS[:1])
    assert known(Baselines.load(tmp_path)) == {KEYS[1]: FRESH[KEYS[1]]}
    change.undo()
    assert known(Baselines.load(tmp_path)) == FRESH


def test_copies_that_a_whole_list_does_not_name_are_told_of_once(tmp_path: Path) -> None:
    """As after a merge that took the lines of neither side."""
    pinned(tmp_path)
    (tmp_path / "pins.json").write_text('{"format": "evaltui-pins/1", "pins": []}')
    again = Baselines.load(tmp_path)
    again.listed.reload()
    (problem,) = again.problems
    assert (problem.severity, problem.file) == (Severity.WARNING, str(tmp_path / "pins.json"))
    assert "`default/embedded/evals_get_weather.golden-" in problem.what
    assert known(again) == {}
    again.pin("default", "embedded", [RESULT], KEYS)
    assert Baselines.load(tmp_path).problems == []
