"""Answers with known scores in a rubric case."""

import json
from typing import Any

import pytest

from evaltui.core.case import Case, KnownAnswer, RubricCase
from evaltui.core.errors import Problem
from evaltui.core.fingerprint import answer_fingerprint, case_fingerprint
from tests.formats.test_read_suite import read

RUBRIC = [{"dimension": "accuracy", "maxScore": 1, "criteria": "c"}]


def read_one(calibration: Any) -> tuple[Case, tuple[Problem, ...]]:
    written = {"id": "r", "input": {"message": "m"}, "rubric": RUBRIC, "calibration": calibration}
    found = read(json.dumps([written]))
    assert found.suite is not None
    return found.suite.cases[0], tuple(found.problems)


def test_they_are_read_and_change_neither_the_case_nor_its_answer() -> None:
    case, problems = read_one([{"response": "It is.", "scores": {"accuracy": 1}}])
    assert isinstance(case.body, RubricCase)
    assert case.body.calibration == (KnownAnswer("It is.", {"accuracy": 1}),)
    assert problems == ()
    without, _ = read_one([])
    assert case_fingerprint(case) == case_fingerprint(without)
    assert answer_fingerprint(case) == answer_fingerprint(without)


@pytest.mark.parametrize(
    ("calibration", "key", "what"),
    [
        ({}, "calibration", "`calibration` is an object, not a list"),
        ([{"response": "x"}], "calibration[0].scores", "`scores` is missing"),
        ([{"response": 1, "scores": {}}], "calibration[0].response", "is a number"),
        ([{"response": "x", "scores": {"accuracy": "1"}}], "calibration[0].scores.accuracy", ""),
        (
            [{"response": "x", "scores": {"acuracy": 1}}],
            "calibration[0].scores.acuracy",
            "no dimension `acuracy`",
        ),
        (
            [{"response": "x", "scores": {"accuracy": 2}}],
            "calibration[0].scores.accuracy",
            "above `maxScore`, which is 1",
        ),
    ],
)
def test_what_is_wrong_is_warned_of_and_the_case_can_be_judged(
    calibration: Any, key: str, what: str
) -> None:
    case, problems = read_one(calibration)
    assert case.invalid == ""
    assert [one.key for one in problems] in ([f"[0].{key}"], [f"[0].{key.rpartition('.')[0]}"])
    assert what in problems[0].what
