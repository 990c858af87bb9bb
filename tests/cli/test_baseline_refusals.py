"""Where nothing can be written, the folder is named and the baseline is said to be as it was."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.cli.baseline_refusals import refusals_said
from evaltui.core.config import Config
from evaltui.core.errors import UserError
from evaltui.session import Session


@pytest.mark.parametrize("named", ["somewhere/pins.json", None])
def test_what_is_refused_says_where_and_why(tmp_path: Path, named: str | None) -> None:
    session = cast("Session", SimpleNamespace(config=Config(tmp_path)))
    with pytest.raises(UserError) as caught, refusals_said(session):
        raise OSError(28, "No space left", named)
    assert f"`{named or tmp_path}`: No space left." in caught.value.what
    assert "the baseline is as it was" in caught.value.hint


def test_other_mistakes_stay_what_they_are(tmp_path: Path) -> None:
    session = cast("Session", SimpleNamespace(config=Config(tmp_path)))
    with pytest.raises(ValueError, match="another"), refusals_said(session):
        raise ValueError("another")
