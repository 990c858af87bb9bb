"""Every complaint and every verdict, word for word: place, what, what to do, evidence."""

from pathlib import Path

import pytest

from evaltui.expectations import ASSERTIONS
from tests.expectations.sentences import FOLDER, answered


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_it_says_what_it_said(file: Path) -> None:
    text = file.read_text("utf-8")
    assert answered(text) == text


def test_every_assertion_has_its_sentences() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} >= {*ASSERTIONS}
