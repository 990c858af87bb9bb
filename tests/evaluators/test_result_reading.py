"""Whatever an evaluator says about itself can be written by all that writes verdicts."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.cli.verdict_lines import verdict_lines
from evaltui.core.case import CaseKey
from evaltui.core.nesting import MOST_DEEP
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.disk.codec import encode
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.result_reading import MOST_BYTES, MOST_TEXT, verdict_of
from evaltui.evaluators.result_row import row_of
from evaltui.judging.aggregate import aggregate
from evaltui.judging.with_outcome import with_outcome

MINE = EvaluatorDefinition("mine", "Mine", "assertion", lambda _: None)


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value


def read(reason: str = "well", **metadata: Any) -> Verdict:
    return verdict_of(MINE, {"success": True, "reason": reason, "metadata": metadata}, 1.0)


@pytest.mark.parametrize("depth", [MOST_DEEP, 450, 600, 900, 975, 100_000])
def test_what_is_nested_too_deep_costs_its_own_verdict(depth: int) -> None:
    said = read(a=nested(depth))
    assert said.status is VerdictStatus.ERROR
    assert said.reason == f"Evaluator error: `metadata` is nested more than {MOST_DEEP} deep"
    assert encode(said)


def test_what_may_be_written_is_kept() -> None:
    said = read(a=nested(MOST_DEEP - 1), n=float("nan"), **{"\udfff": "\ud800"})
    assert said.status is VerdictStatus.PASSED
    assert said.evidence == {"a": nested(MOST_DEEP - 1), "n": None, "\ufffd": "\ufffd"}
    assert encode(said).decode()


def test_neither_is_more_kept_than_anybody_reads() -> None:
    said = read(a="x" * MOST_BYTES)
    assert (said.status, said.evidence) == (VerdictStatus.ERROR, {})
    assert "more than 1024 KiB" in said.reason
    assert len(read("\ud800" + "x" * 2 * MOST_TEXT).reason) == MOST_TEXT + 1


@pytest.mark.parametrize(("reason", "told"), [("", "Mine gave no reason"), (" well \n", "well")])
def test_a_reason_is_kept_as_it_was_given(reason: str, told: str) -> None:
    said = verdict_of(MINE, {"success": False, "reason": reason}, 1.0)
    assert (said.reason, said.shown_reason) == (reason, told)
    assert row_of(said)["reason"] == reason
    asked = CaseResult(CaseKey("s", "c"), "run", "agent", CaseStatus.FAILED)
    result = with_outcome(asked, aggregate([said]))
    assert result.error == f"{MINE.type}: {told}", "a case that failed says why"
    (line,) = verdict_lines([said])
    assert line.endswith(f"Mine: {told}")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"value": "0.5"}, '`value` is `"0.5"` instead of a number'),
        ({"value": "NaN"}, "`value` is `NaN` instead of a number"),
        ({"value": True}, "`value` is `True` instead of a number"),
        ({"success": "yes"}, '`success` is `"yes"` instead of true or false'),
        ({"success": None}, "`success` is missing instead of true or false"),
        ({"reason": 5}, "`reason` is `5` instead of text"),
    ],
)
def test_what_is_wrong_is_shown_so_that_it_can_be_told_from_what_is_right(
    values: dict[str, Any], told: str
) -> None:
    said = verdict_of(MINE, {"success": True, "reason": "well", **values}, 1.0)
    assert said.reason == f"Evaluator error: {told}"


EVALUATORS = """
from evaltui import define_evaluator, passed

@define_evaluator("deep", label="d", kind="assertion", config_schema={"type": "object"})
def deep(ctx):
    a = []
    for _ in range(ctx.config["n"]):
        a = [a]
    return passed("deep \\ud800", 1.0, a=a, **{"\\udfff": 1})

@define_evaluator("sound", label="s", kind="assertion")
def sound(ctx):
    return passed("sound")
"""


def test_a_run_with_one_goes_on_and_tells_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(EVALUATORS)
    (tmp_path / "agent.py").write_text(
        "def answer(message):\n    return {'response': 'yes', 'toolCalls': []}\n"
    )
    (tmp_path / "evaltui.toml").write_text(
        'agent = "one"\nevaluators = ["./mine.py"]\n'
        '[agents.one]\ntype = "python"\nfunction = "agent.py:answer"\nis_free = true\n'
    )
    cases = [
        {"id": f"d{n}", "input": {"message": "x"}, "evaluators": [{"type": "deep", "config": c}]}
        for n in (10, 600, 970)
        for c in [{"n": n}]
    ]
    cases.append({"id": "z", "input": {"message": "x"}, "evaluators": [{"type": "sound"}]})
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "a.golden.json").write_text(json.dumps(cases))
    monkeypatch.chdir(tmp_path)
    assert run_command(["run", "--trust", "--json"]) == 1
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [one["result"] for one in events if one["event"] == "CaseFinished"]
    assert {one["key"][-1]: one["status"] for one in told} == {
        "d10": "passed", "d600": "error", "d970": "error", "z": "passed",
    }  # fmt: skip
    assert events[-1]["event"] == "RunFinished"
