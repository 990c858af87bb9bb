"""Whatever stands in `evaluators` of a case or of the settings: problems with places, no crash."""

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaltui.core.case import Tier
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.verdict import Verdict
from evaltui.evaluators.built_in import BUILT_IN
from evaltui.evaluators.evaluator_check import evaluator_stage
from evaltui.evaluators.registry import create_registry
from evaltui.formats.contract_case import read_case
from evaltui.judging.run_plan import run_plan
from evaltui.settings.load import load_config
from tests.evaluators.seen import answered

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)  # fmt: skip
TYPES = [one.type for one in BUILT_IN]
KEYS = sorted({key for one in BUILT_IN for key in (one.config_schema or {})["properties"]})
REGISTRY = create_registry()


@given(VALUES | st.lists(st.fixed_dictionaries({"type": VALUES, "config": VALUES})))
def test_any_value_in_a_case_is_read_or_told_with_its_place(value: Any) -> None:
    raw = {"id": "a", "input": {"message": "x"}, "expect": {}, "evaluators": value}
    case, wrong = read_case(raw, "a.json", Tier.GOLDEN, 1, (0,))
    assert all(one.path[:1] == ("evaluators",) and one.what for one in wrong)
    assert bool(case.invalid) == bool(wrong)


@given(
    st.sampled_from(TYPES),
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3),
    st.text(max_size=20) | VALUES.map(json.dumps),
)
@settings(suppress_health_check=[HealthCheck.too_slow])
async def test_any_settings_of_any_evaluator_make_a_verdict(
    type_: str, config: dict[str, Any], text: str
) -> None:
    stage = evaluator_stage((EvaluatorUse(type_, config),), REGISTRY)
    (verdict,) = await run_plan((stage,), answered(text))
    assert isinstance(verdict, Verdict)
    assert verdict.reason
    assert "raised" not in verdict.reason, "a mistake of ours, not of the settings"


ENTRIES = [
    5,
    True,
    [],
    {},
    {"command": []},
    {"command": [""], "mode": "x"},
    {"comand": "x"},
    "",
    "\0",
]


def test_a_wrong_entry_of_the_settings_is_told_and_the_others_stay(tmp_path: Path) -> None:
    for entry in ENTRIES:
        table = {"evaluators": [entry, "./mine.py"]}
        (tmp_path / "evaltui.config.json").write_text(json.dumps(table))
        read = load_config(tmp_path)
        assert read.problems, entry
        assert all(problem.line and problem.hint for problem in read.problems), entry
        assert [one.name for one in read.config.evaluators][-1:] == ["./mine.py"], entry
