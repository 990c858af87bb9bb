"""Which tools an agent weighed, in one short text."""

import pytest

from evaltui.core.weighed import read_prints, shown_prints, weighed_text

SHOWN, READ = ("11111111", "22222222"), ("aaaaaaaa", "bbbbbbbb")


def test_what_was_shown_and_what_was_read_are_told_apart() -> None:
    text = weighed_text(SHOWN, READ)
    assert (shown_prints(text), read_prints(text)) == ([*SHOWN], [*READ])


@pytest.mark.parametrize("read", [(), READ[:1], (*READ, "cccccccc")])
def test_what_was_read_of_some_alone_is_not_known(read: tuple[str, ...]) -> None:
    text = weighed_text(SHOWN, read)
    assert (shown_prints(text), read_prints(text)) == ([*SHOWN], [])


def test_nothing_is_read_of_a_tool_that_is_not_shown() -> None:
    text = weighed_text((SHOWN[0], ""), READ)
    assert (shown_prints(text), read_prints(text)) == ([SHOWN[0]], [])
