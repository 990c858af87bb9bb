"""Hints for misspelt names."""

import pytest

from evaltui.core.did_you_mean import closest, did_you_mean, few

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


def test_a_spelling_of_the_same_word_is_the_nearest() -> None:
    assert closest("TOOLS_CALLED", ("toolsCalle", "toolsCalled")) == "toolsCalled"
    assert did_you_mean("zzz", KNOWN) == ""


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "`a`"),
        (3, "`a`, `b`, `c`"),
        (5, "`a`, `b`, `c`, `d`, `e`"),
        (6, "`a`, `b`, `c`, `d`, `e` and 1 more"),
        (1_205, "`a`, `b`, `c`, `d`, `e` and 1,200 more"),
    ],
)
def test_the_first_few_are_named_and_the_rest_counted(count: int, said: str) -> None:
    assert few([*"abcde", *("x" for _ in range(1_200))][:count]) == said
    assert few(["a", "b"], 1) == "`a` and 1 more"
