"""Hints for misspelt names."""

import pytest

from evaltui.core.did_you_mean import closest, did_you_mean

KNOWN = ("timeout_ms", "concurrency", "toolsCalled")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("timeuot_ms", "timeout_ms"),
        ("timeoutMs", "timeout_ms"),
        ("tools-called", "toolsCalled"),
        ("zzz", None),
        ("", None),
    ],
)
def test_the_nearest_name(word: str, name: str | None) -> None:
    assert closest(word, KNOWN) == name


def test_no_hint_for_a_right_name() -> None:
    assert did_you_mean("concurrency", KNOWN) == ""
    assert did_you_mean("concurency", KNOWN) == "Did you mean `concurrency`?"
