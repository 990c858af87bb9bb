"""`evaluators` of a case: read, complained of with their places, part of its fingerprints."""

from typing import Any

import pytest

from evaltui.core.case import Case, Tier
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.fingerprint import answer_fingerprint, case_fingerprint
from evaltui.expectations.contract_config import ContractConfig
from evaltui.formats.contract_case import read_case
from evaltui.formats.scenario_case import read_scenario
from evaltui.kinds import kind_of

LENGTH = {"type": "response-length", "config": {"max": 20}}


def read(evaluators: Any, **more: Any) -> tuple[Case, list[Any]]:
    raw = {"id": "a", "input": {"message": "x"}, "evaluators": evaluators, **more}
    return read_case(raw, "a.json", Tier.GOLDEN, 1, (0,))


def test_they_are_read_and_make_one_stage_behind_the_assertions() -> None:
    case, wrong = read([LENGTH, {"type": "regex"}], expect={"responseNonEmpty": True})
    assert wrong == []
    assert case.body.evaluators == (
        EvaluatorUse("response-length", {"max": 20}),
        EvaluatorUse("regex"),
    )
    plan = kind_of(case).plan(case, config=ContractConfig())
    assert [len(stage) for stage in plan] == [1, 2]


def test_they_take_the_place_of_expect() -> None:
    case, wrong = read([LENGTH])
    assert (wrong, case.invalid) == ([], "")
    assert len(kind_of(case).plan(case, config=ContractConfig())) == 1


@pytest.mark.parametrize(
    ("evaluators", "path", "hint"),
    [
        ([{"typ": "regex"}], ("evaluators", 0, "typ"), "Did you mean `type`?"),
        ([LENGTH, {"type": "regex", "conf": {}}], ("evaluators", 1, "conf"), "`config`"),
        ([{"type": "regex", "config": []}], ("evaluators", 0, "config"), "object"),
        ("regex", ("evaluators",), "list"),
        ([5], ("evaluators", 0), "object"),
    ],
)
def test_a_mistake_is_told_with_its_place(evaluators: Any, path: Any, hint: str) -> None:
    case, wrong = read(evaluators, expect={})
    assert case.invalid
    assert [hint in one.hint for one in wrong if one.path == path] == [True]


@pytest.mark.parametrize("reader", ["case", "scenario"])
def test_an_unknown_key_is_none_of_an_evaluator(reader: str) -> None:
    uses = [LENGTH, {"type": "regex", "zzz": {}}]
    if reader == "case":
        _, wrong = read(uses, expect={})
    else:
        _, wrong = read_scenario({"name": "a", "evaluators": uses}, "a.scenario.json", 1, ())
    assert [one.what for one in wrong] == ["`zzz` is not a known field of an evaluator"]


def test_their_settings_shape_the_verdict_and_not_the_answer() -> None:
    before, _ = read([LENGTH], expect={})
    after, _ = read([{**LENGTH, "config": {"max": 30}}], expect={})
    assert case_fingerprint(before) != case_fingerprint(after)
    assert answer_fingerprint(before) == answer_fingerprint(after)
