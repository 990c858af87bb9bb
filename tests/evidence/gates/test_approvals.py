"""Waivers and approvals: only what was agreed to, for whom, and until when."""

import json
import shutil
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import UserError
from evaltui.evidence.compared.compare_report import CompareReport, report_of
from evaltui.evidence.gates.approvals import is_active, new_waiver, waived_cases, waiving
from evaltui.evidence.gates.decision_reading import read_gate
from evaltui.evidence.gates.waiver_words import waived_in_words
from tests.evidence.made_packs import made_pack, read, says, suite_of

BASELINE = ("--baseline-name", "main", "--approved-by", "me", "--reason", "known")
DELTA = "c/compare/baseline_delta.json"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`x` fails in the candidate by `regex`, and passed in the baseline `main`."""
    monkeypatch.chdir(tmp_path)
    made_pack(Path("b"), suite_of(Path("b.json"), says("x", "yes"), says("y", "yes")))
    made_pack(Path("c"), suite_of(Path("c.json"), says("x", "no"), says("y", "yes")))
    who = ("--approved-by", "me", "--rationale", "released")
    registry("baseline-promote", "--name", "main", "--run", "b", *who)
    assert run_command(["compare", "--baseline", "main", "--candidate", "c"]) == 0


def registry(*flags: str, code: int = 0) -> None:
    assert run_command(["registry", *flags]) == code, flags


def gate(*flags: str) -> int:
    bounds = ("--max-regressed-cases", "0", "--max-new-hard-fail-cases", "0")
    return run_command(["gate", "--compare", DELTA, *bounds, *flags])


WAIVED = ("--apply-waivers", "--baseline-name", "main")


def test_a_promotion_is_noted_with_who_agreed(capsys: Any) -> None:
    capsys.readouterr()
    registry("approval-list", "--name", "main")
    (approval,) = json.loads(capsys.readouterr().out)["approvals"]
    assert (approval["approved_by"], approval["run_id"]) == ("me", "b")
    registry("audit-log")
    assert [one["action"] for one in json.loads(capsys.readouterr().out)["audit_log"]] == [
        "baseline.promote"
    ]
    assert read(Path(".agent_eval/registry.json"))["version"] == "0.2.0"


def test_of_each_list_the_latest_entries_are_kept() -> None:
    place = Path(".agent_eval/registry.json")
    known = read(place)
    (approval,) = known["approvals"]["main"]
    known["approvals"]["main"] = [{**approval, "rationale": str(one)} for one in range(100)]
    waiver = new_waiver("main", approved_by="me", reason="known", case_id="x")
    known["waivers"] = [{**waiver, "reason": str(one)} for one in range(2000)]
    known["audit_log"] = [{**known["audit_log"][0], "action": str(one)} for one in range(500)]
    place.write_text(json.dumps(known))
    who = ("--approved-by", "me", "--rationale", "again")
    registry("baseline-promote", "--name", "main", "--run", "b", *who)
    registry("waiver-add", *BASELINE, "--case-id", "x")
    kept = read(place)
    approvals = [one["rationale"] for one in kept["approvals"]["main"]]
    assert (len(approvals), approvals[0], approvals[-1]) == (100, "1", "again")
    waivers = [one["reason"] for one in kept["waivers"]]
    assert (len(waivers), waivers[0], waivers[-1]) == (2000, "1", "known")
    actions = [one["action"] for one in kept["audit_log"]]
    assert (len(actions), actions[0], actions[-1]) == (500, "2", "waiver.add")


def test_people_are_told_what_a_waiver_is_about(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    registry("waiver-add", *BASELINE, "--case-id", "x", "--expires-at", "2099-01-01")
    assert "main  x  known  until 2099-01-01  by me" in capsys.readouterr().out
    registry("audit-log")
    assert "waiver.add" in capsys.readouterr().out
    registry("approval-list")
    assert "main  b  released  by me" in capsys.readouterr().out


def test_a_waived_case_is_not_counted_where_that_is_asked_for() -> None:
    assert gate() == gate(*WAIVED) == 1
    registry("waiver-add", *BASELINE, "--case-id", "x")
    for nothing in (("x", "policy"), ("y", "regex"), ("z", "regex")):
        registry("waiver-add", *BASELINE, "--case-id", nothing[0], "--judge-id", nothing[1])
    registry("waiver-add", *BASELINE, "--case-id", "y")
    assert gate() == 1
    assert gate(*WAIVED) == 0
    decision = read(Path("c/compare/gate_decision.json"))
    assert decision["waived_case_ids"] == ["x"]
    assert [one["case_id"] for one in decision["waiver_refs"]] == ["x"]
    assert gate(*WAIVED, "--min-pass-rate", "0.6") == 1, "rates are what they are"
    assert run_command(["gate", "--compare", DELTA, "--apply-waivers"]) == 2


def test_waivers_of_a_baseline_that_there_is_not_are_refused(capsys: Any) -> None:
    capsys.readouterr()
    assert gate("--apply-waivers", "--baseline-name", "nosuch") == 1
    assert "There is no baseline `nosuch`" in capsys.readouterr().err
    assert not read(Path("c/compare/gate_decision.json"))["passed"]


@pytest.mark.parametrize(
    ("scope", "code"),
    [
        (("--case-id", "y"), 1),
        (("--case-id", "x", "--judge-id", "policy"), 1),
        (("--case-id", "x", "--judge-id", "regex"), 0),
        (("--regression-key", "case regressed: x"), 0),
        (("--case-id", "y", "--regression-key", "case regressed: x"), 1),
        (("--case-id", "x", "--expires-at", "2999-01-01T00:00:00+02:00"), 0),
    ],
)
def test_a_waiver_holds_for_what_it_names(scope: tuple[str, ...], code: int) -> None:
    registry("waiver-add", *BASELINE, *scope)
    assert gate(*WAIVED) == code
    registry("waiver-list", "--active-only")


def test_a_waiver_that_is_over_by_now_holds_no_more() -> None:
    registry("waiver-add", *BASELINE, "--case-id", "x", "--expires-at", "2999-01-01")
    path = Path(".agent_eval/registry.json")
    path.write_text(path.read_text().replace("2999-01-01", "2020-01-01"))
    assert gate(*WAIVED) == 1


@pytest.mark.parametrize(
    "scope",
    [
        (),
        ("--judge-id", "regex"),
        ("--regression-key", "pass_rate decreased"),
        ("--case-id", "x", "--expires-at", "soon"),
        ("--case-id", "x", "--expires-at", "2020-01-01"),
        ("--case-id", " "),
        ("--case-id", "x", "--judge-id", ""),
        ("--case-id", "x", "--approved-by", ""),
    ],
)
def test_a_waiver_of_nothing_or_without_an_end_that_can_be_read_is_refused(
    scope: tuple[str, ...],
) -> None:
    registry("waiver-add", *BASELINE, *scope, code=2)
    assert "waivers" not in read(Path(".agent_eval/registry.json"))


def test_a_waiver_is_for_a_baseline_that_there_is() -> None:
    other = ("--baseline-name", "other", *BASELINE[2:], "--case-id", "x")
    registry("waiver-add", *other, code=1)


def test_what_another_program_wrote_as_its_end_does_not_hold_for_ever() -> None:
    assert not is_active({"approved_by": "me", "expires_at": "soon"})
    assert is_active({"approved_by": "me", "expires_at": None})


WHO = ("--approved-by", "me", "--rationale", "released")


def test_waivers_of_another_baseline_do_not_hold(capsys: Any) -> None:
    """Neither of another run, nor of one that is called alike, nor of a name that is none."""
    made_pack(Path("other/b"), suite_of(Path("o.json"), says("x", "no"), says("y", "yes")))
    made_pack(Path("z"), suite_of(Path("o.json"), says("x", "no"), says("y", "yes")))
    for name, run in (("alike", "other/b"), ("zzz", "z")):
        registry("baseline-promote", "--name", name, "--run", run, *WHO)
        named = ("--baseline-name", name)
        assert gate("--apply-waivers", *named) == 1
        assert "do not hold" not in capsys.readouterr().err, "there are none"
        registry("waiver-add", *named, *BASELINE[2:], "--case-id", "x")
        assert gate("--apply-waivers", *named) == 1
        (why,) = read(Path("c/compare/gate_decision.json"))["failures"]
        assert f"`{name}` is not the baseline that was compared" in why
        capsys.readouterr()
    known = read(KEPT)
    known["waivers"][-1]["baseline_name"] = "nobody"
    KEPT.write_text(json.dumps(known))
    assert gate("--apply-waivers", "--baseline-name", "nobody") == 1
    assert "`nobody` is not the baseline" in capsys.readouterr().err


def test_a_baseline_that_was_compared_by_its_path_is_the_one_of_its_name() -> None:
    registry("waiver-add", *BASELINE, "--case-id", "x")
    assert run_command(["compare", "--baseline", "b", "--candidate", "c"]) == 0
    assert gate(*WAIVED) == 0
    shutil.copytree("b", "copy")
    assert run_command(["compare", "--baseline", "copy", "--candidate", "c"]) == 0
    assert gate(*WAIVED) == 0
    known = read(KEPT)
    del known["baselines"]["main"]["evidence_sha256"]
    KEPT.write_text(json.dumps(known))
    assert gate(*WAIVED) == 1, "by what is told it lies elsewhere"
    assert run_command(["compare", "--baseline", "b", "--candidate", "c"]) == 0
    assert gate(*WAIVED) == 0


KEPT = Path(".agent_eval/registry.json")


@pytest.mark.parametrize("who", [..., None, "", " ", 5, ["me"]])
def test_a_waiver_to_which_nobody_agreed_holds_for_nothing(who: Any) -> None:
    registry("waiver-add", *BASELINE, "--case-id", "x")
    assert gate(*WAIVED) == 0
    known = read(KEPT)
    del known["waivers"][0]["approved_by"]
    if who is not ...:
        known["waivers"][0]["approved_by"] = who
    KEPT.write_text(json.dumps(known))
    assert gate(*WAIVED) == 1
    registry("waiver-list")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"judge": "regex"}, "`judge` is not a field of a waiver. Did you mean `judge_id`?"),
        ({"expires_At": "2020-01-01"}, "`expires_At` is not a field of a waiver"),
        ({"expires_at": 20991231}, "`expires_at` is not a text"),
        ({"expires_at": ""}, "`expires_at` is not a time"),
        ({"expires_at": "soon"}, "`expires_at` is not a time: `soon`"),
        ({"judge_id": ["regex"]}, "`judge_id` is not a text"),
        ({"approved_by": "\u200b"}, "`approved_by` names nobody"),
        ({"approved_by": "\u3164 \u200d"}, "`approved_by` names nobody"),
        ({"approved_by": ["me"]}, "`approved_by` is not a text"),
    ],
)
def test_a_waiver_that_is_not_as_one_has_to_be_is_refused_with_its_reason(
    change: dict[str, Any], why: str, capsys: Any
) -> None:
    registry("waiver-add", *BASELINE, "--case-id", "x")
    assert gate(*WAIVED) == 0
    known = read(KEPT)
    known["waivers"][0] |= change
    KEPT.write_text(json.dumps(known))
    capsys.readouterr()
    assert gate(*WAIVED) == 1
    assert any(why in one for one in json.loads(capsys.readouterr().out)["warnings"])
    registry("waiver-list")
    assert any(why in one for one in json.loads(capsys.readouterr().out)["warnings"])
    registry("waiver-list", "--active-only")
    assert json.loads(capsys.readouterr().out)["count"] == 0


def test_nobody_agrees_under_a_name_that_is_not_seen() -> None:
    with pytest.raises(UserError, match=r"--approved-by is empty"):
        new_waiver("main", approved_by="\u200b", reason="x", case_id="x")
    assert new_waiver("main", approved_by="Zoë", reason="x", case_id="x")["approved_by"] == "Zoë"


def test_a_registry_in_which_a_key_stands_twice_is_refused(capsys: Any) -> None:
    registry("waiver-add", *BASELINE, "--case-id", "y")
    text = KEPT.read_text()
    KEPT.write_text(text.replace('"case_id": "y"', '"case_id": "y", "case_id": "x"', 1))
    capsys.readouterr()
    assert gate(*WAIVED) == 1
    assert "`case_id` is written twice" in capsys.readouterr().err
    registry("waiver-add", *BASELINE, "--case-id", "x", code=1)
    KEPT.write_text(text)
    registry("waiver-list")


def test_a_report_without_cases_waives_nothing() -> None:
    reports: list[Any] = [{}, {"case_regressions": None}, {"case_regressions": [{}]}]
    for report in reports:
        assert (
            waived_cases(report_of(report, CompareReport), [{"case_id": "x"}, {"case_id": ""}])
            == frozenset()
        )


def test_a_waiver_of_two_names_is_for_the_case_that_both_name() -> None:
    report = report_of({"case_regressions": [{"case_id": "x"}, {"case_id": "y"}]}, CompareReport)
    waivers: list[tuple[dict[str, str], set[str]]] = [
        ({"case_id": "x"}, {"x"}),
        ({"regression_key": "case regressed: x"}, {"x"}),
        ({"case_id": "x", "regression_key": "case regressed: x"}, {"x"}),
        ({"case_id": "x", "regression_key": "case regressed: y"}, set()),
        ({"case_id": "x", "regression_key": "pass_rate decreased"}, set()),
    ]
    for waiver, waived in waivers:
        assert waived_cases(report, [waiver]) == waived, waiver


@pytest.mark.parametrize("judge", [["regex"], {}, 5])
def test_a_waiver_for_a_judge_that_is_no_name_holds_for_none(judge: Any) -> None:
    fallen = {"case_id": "x", "judge_score_deltas": {"regex": {"delta": -1.0}}}
    report = report_of({"case_regressions": [{**fallen, "regressed": True}]}, CompareReport)
    assert waived_cases(report, [{"case_id": "x", "judge_id": "regex"}]) == {"x"}
    assert waived_cases(report, [{"case_id": "x", "judge_id": judge}]) == frozenset()
    others: list[Any] = [{"case_id": "x", "judge_id": judge}, {"case_id": judge}]
    assert waiving(report, [{"case_id": "x"}, *others]) == [{"case_id": "x"}]


FELL, STAYED = {"delta": -1.0}, {"delta": 0.0}


@pytest.mark.parametrize(
    ("deltas", "lost", "is_waived"),
    [
        ({"evaluator/polite": FELL}, (), True),
        ({"evaluator/polite": FELL, "polite": STAYED}, (), False),
        ({"evaluator/polite": FELL, "polite": FELL}, (), False),
        ({"evaluator/polite": FELL, "regex": FELL}, (), False),
        ({}, ("evaluator/polite",), True),
        ({}, ("evaluator/polite", "polite"), False),
    ],
)
def test_a_waiver_by_the_type_of_an_evaluator_is_for_it_where_no_judge_is_called_so(
    deltas: dict[str, Any], lost: tuple[str, ...], is_waived: bool
) -> None:
    row = {"case_id": "x", "regressed": bool(deltas), "judge_score_deltas": deltas}
    losses = [{"case_id": "x", "judges": lost}] if lost else []
    report = report_of({"case_regressions": [row], "lost_checks": losses}, CompareReport)
    waiver = {"case_id": "x", "judge_id": "polite"}
    assert waived_cases(report, [waiver]) == ({"x"} if is_waived else set())
    assert waiving(report, [waiver]) == ([waiver] if is_waived else [])


@pytest.mark.parametrize("key", [None, "", "pass_rate decreased"])
def test_a_waiver_that_names_no_case_is_refused(key: str | None) -> None:
    with pytest.raises(UserError, match="A waiver is for one case") as raised:
        new_waiver("main", approved_by="me", reason="x", regression_key=key)
    assert "--case-id" in raised.value.hint


def test_a_waiver_of_the_whole_case_is_for_one_of_which_it_is_not_known_what_it_asserts() -> None:
    report = CompareReport(unknown_checks=("x",))
    assert waived_cases(report, [{"case_id": "x"}]) == {"x"}
    assert waived_cases(report, [{"case_id": "x", "judge_id": "regex"}]) == set()
    assert waived_cases(report, [{"case_id": "y"}]) == set()


@pytest.mark.parametrize(
    ("days", "is_on"), [(0, True), (1, True), (-1, False)], ids=["today", "tomorrow", "yesterday"]
)
def test_a_date_without_a_time_holds_until_its_end(days: int, is_on: bool) -> None:
    day = datetime.now(UTC) + timedelta(days=days)
    ends = ("--expires-at", f"{day:%Y-%m-%d}")
    registry("waiver-add", *BASELINE, "--case-id", "x", *ends, code=0 if is_on else 2)
    assert gate(*WAIVED) == (0 if is_on else 1)
    assert not is_active({"approved_by": "me", "expires_at": f"{day:%Y-%m-%dT00:00:00Z}"}) or days


def test_people_are_told_who_waived_what_and_that_it_does_not_count(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    registry("waiver-add", *BASELINE, "--case-id", "x", "--expires-at", "2099-01-01")
    assert gate(*WAIVED) == 0
    waived = "waived `x`: known (by me, until 2099-01-01)"
    assert waived in capsys.readouterr().out
    page = ("--gate", "c/compare/gate_decision.json", "--out", "page.md")
    assert run_command(["report", "markdown", "--compare", DELTA, *page]) == 0
    text = Path("page.md").read_text()
    assert "- Passed: **yes**\n- Regressed cases that count: 0 of 1\n" in text
    assert "waived 'x': known (by me, until 2099-01-01)" in text
    decision = read_gate(Path("c"), "c")
    assert decision is not None
    assert waived_in_words(decision.waiver_refs) == [waived]


def test_a_waiver_that_waives_nothing_is_told(capsys: Any) -> None:
    capsys.readouterr()
    registry("waiver-add", *BASELINE, "--case-id", "nosuch")
    (doubt,) = json.loads(capsys.readouterr().out)["warnings"]
    assert doubt.startswith("no case of the baseline is called `nosuch`")
    registry("waiver-add", *BASELINE, "--case-id", "x", "--judge-id", "policy")
    registry("waiver-add", *BASELINE, "--case-id", "y")
    assert gate(*WAIVED) == 1
    assert read(Path("c/compare/gate_decision.json"))["warnings"] == [
        "the waiver for `nosuch` waives nothing: no case of this id became worse",
        "the waiver for `x` (`policy`) waives nothing: "
        "nothing of this case became worse, or other judges too",
        "the waiver for `y` waives nothing: no case of this id became worse",
    ]
