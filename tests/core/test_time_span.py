"""A length of time in its largest unit of which it is at least two."""

import pytest

from evaltui.core.time_span import span_words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-3.0, "0 s"),
        (0.4, "0 s"),
        (119.0, "119 s"),
        (120.0, "2 min"),
        (7199.0, "119 min"),
        (7200.0, "2 h"),
        (172_799.0, "47 h"),
        (172_800.0, "2 d"),
        (300_000.0, "3 d"),
    ],
)
def test_it_is_rounded_down_in_a_unit_of_which_it_has_two(seconds: float, words: str) -> None:
    assert span_words(seconds) == words
