"""A message is read once for what is asked of it in a row."""

from collections import OrderedDict

import pytest

from evaltui.agents.embedded import message
from evaltui.agents.embedded.background import Background, background
from evaltui.agents.embedded.message import read_ahead, read_message

TABLE = background()


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were read, one after the other."""
    found: list[str] = []
    read = message._read

    def noted(text: str, *rest: object) -> object:
        found.append(text)
        return read(text, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(message, "_read", noted)
    monkeypatch.setattr(message, "_AHEAD", OrderedDict())
    message._kept.cache_clear()
    return found


def test_what_was_read_ahead_is_routed_without_reading_it_again(reads: list[str]) -> None:
    assert read_message("ahead of it", TABLE) == read_message("ahead of it", TABLE)
    ahead = read_ahead("weather in Paris", TABLE)
    assert read_message("weather in Paris", TABLE) is ahead
    assert reads == ["ahead of it", "weather in Paris"]


def test_another_table_is_another_reading(reads: list[str]) -> None:
    other = Background({}, 1.0, frozenset())
    assert read_ahead("weather", TABLE).total != read_message("weather", other).total
    assert reads == ["weather", "weather"]


def test_no_more_wait_than_may(reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message, "MOST_AHEAD", 3)
    for number in range(10):
        read_ahead(f"number {number}", TABLE)
    assert len(message._AHEAD) == 3
    read_message("number 9", TABLE)
    assert len(reads) == 10
    assert len(message._AHEAD) == 2


def test_long_ones_are_not_kept(reads: list[str]) -> None:
    read_ahead("x" * 1_000, TABLE)
    assert not message._AHEAD
    assert len(reads) == 1
