"""The schema of an evaluator that comes along says its defaults, and nothing else does."""

from pathlib import Path

import pytest

from evaltui.evaluators import built_in
from evaltui.evaluators.built_in.define_built_in import define_built_in
from evaltui.evaluators.kit.evaltui import EvaluatorContext
from evaltui.evaluators.seen_by_evaluators import context_json
from tests.evaluators.seen import answered

SCHEMA = {"type": "object", "properties": {"most": {"default": 5}, "least": {"type": "number"}}}


@define_built_in("mine", label="Mine", config_schema=SCHEMA)
def mine(ctx: EvaluatorContext) -> object:
    """What it does."""
    return dict(ctx.config)


@pytest.mark.parametrize(
    ("written", "seen"),
    [({}, {"most": 5}), ({"most": 7, "least": 1}, {"most": 7, "least": 1})],
)
def test_a_setting_that_nobody_wrote_has_its_default(
    written: dict[str, int], seen: dict[str, int]
) -> None:
    context = EvaluatorContext.from_json(context_json(answered())).with_config(written)
    assert mine(context) == seen
    assert mine.description == "What it does."


def test_no_code_has_a_default_of_its_own() -> None:
    defaults = {
        name
        for definition in built_in.BUILT_IN
        for name, one in (definition.config_schema or {}).get("properties", {}).items()
        if "default" in one
    }
    assert len(defaults) > 4
    for file in Path(built_in.__file__).parent.glob("*.py"):
        text = file.read_text()
        found = [name for name in defaults if f'config.get("{name}"' in text]
        assert not found, file.name
