"""How near an agent was to choosing other tools."""

import pytest

from evaltui.core.flip_margin import FlipMargin, flip_margin
from evaltui.core.json_value import Json, JsonObject


def said(called: list[str], **p: float) -> JsonObject:
    tools: list[Json] = [{"name": name, "p": value} for name, value in p.items()]
    return {"called": tuple(called), "callAt": 0.4, "tools": tools}


@pytest.mark.parametrize(
    ("explanation", "margin"),
    [
        (said(["a"], a=0.75, b=0.5), FlipMargin(0.25, "a", 0.75, "b", 0.5)),
        (said(["a"], a=0.5, b=0.25), FlipMargin(0.1, "a", 0.5, "", 0.4)),
        (said(["a"], a=0.75), FlipMargin(0.35, "a", 0.75, "", 0.4)),
        (said([], a=0.25, b=0.15), FlipMargin(0.15, "", 0.4, "a", 0.25)),
        (said([]), FlipMargin(0.4, "", 0.4, "", 0.0)),
        (said(["a", "b"], a=0.9, b=0.75, c=0.5), FlipMargin(0.25, "b", 0.75, "c", 0.5)),
        (said(["b"], a=0.75, b=0.7), FlipMargin(0.0, "b", 0.7, "a", 0.75)),
    ],
)
def test_the_least_that_would_have_turned_the_choice(
    explanation: JsonObject, margin: FlipMargin
) -> None:
    found = flip_margin(explanation)
    assert found is not None
    assert found.by == pytest.approx(margin.by)
    assert (found.chosen, found.p, found.other, found.other_p) == (
        margin.chosen,
        margin.p,
        margin.other,
        margin.other_p,
    )


@pytest.mark.parametrize("explanation", [{}, {"called": ["a"]}, {"called": "a", "callAt": 0.4}])
def test_an_agent_that_does_not_say_has_none(explanation: JsonObject) -> None:
    assert flip_margin(explanation) is None
