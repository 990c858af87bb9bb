"""A pattern that is compiled late is the pattern."""

import re

import pytest

from evaltui.core.late_pattern import late_pattern


@pytest.mark.parametrize("method", ["match", "search", "fullmatch", "findall", "finditer", "sub"])
def test_every_method_is_the_pattern_s_own(method: str) -> None:
    late, usual = late_pattern("A+", re.IGNORECASE), re.compile("A+", re.IGNORECASE)
    arguments = ("-", "baab") if method == "sub" else ("aab",)
    for _ in range(2):
        found, wanted = (getattr(one, method)(*arguments) for one in (late, usual))
        if method == "finditer":
            found, wanted = ([match.span() for match in each] for each in (found, wanted))
        elif method not in ("sub", "findall"):
            found, wanted = found and found.span(), wanted and wanted.span()
        assert found == wanted


def test_it_is_compiled_when_it_is_first_used() -> None:
    late = late_pattern("(")
    with pytest.raises(re.error, match="unterminated"):
        late.match("x")
