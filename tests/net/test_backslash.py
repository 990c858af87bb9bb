"""An address that two readers take for two hosts is none."""

import pytest

from evaltui.core.errors import UserError
from evaltui.net.target import parse_target


@pytest.mark.parametrize("url", ["http://a.io\\@b.io/", "http://a.io/\\b", "http:\\\\a.io"])
def test_a_backslash_is_refused(url: str) -> None:
    with pytest.raises(UserError, match=r"backslash|does not start"):
        parse_target(url)
