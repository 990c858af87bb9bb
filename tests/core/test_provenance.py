"""How an answer came about, in words."""

import pytest

from evaltui.core.provenance import how_it_came
from evaltui.core.response import AgentResponse


@pytest.mark.parametrize(
    ("more", "facts"),
    [
        ({}, ()),
        ({"source": "recorded"}, ("recorded",)),
        ({"queued_ms": 900.0}, ()),
        ({"retries": 1, "queued_ms": 3.0}, ("1 retry",)),
        (
            {"source": "replayed", "retries": 2, "queued_ms": 1240.0},
            ("replayed", "2 retries, 1.2 s waited"),
        ),
    ],
)
def test_only_what_is_unusual_is_said(more: dict[str, object], facts: tuple[str, ...]) -> None:
    assert how_it_came(AgentResponse("", **more)) == facts  # type: ignore[arg-type]


def test_no_answer_came_no_way() -> None:
    assert how_it_came(None) == ()
