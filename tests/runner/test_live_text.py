"""Streamed text reaches the screen now and then, and never for answers that are there at once."""

import pytest

from evaltui.runner import asking
from evaltui.runner.asking import EVERY_S, LiveText


def test_text_is_told_whole_and_not_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(asking, "monotonic", lambda: now)
    told: list[str] = []
    text = LiveText(told.append)
    for piece in ("It ", "is ", "18"):
        text.add(piece)
    assert told == []
    now = EVERY_S
    text.add(" degrees")
    text.add(" in")
    assert told == ["It is 18 degrees"]
    now = 2 * EVERY_S
    text.add(" Paris")
    assert told[-1] == "It is 18 degrees in Paris"
