"""The kind of a case is the type of its body; its tier is a word of its file."""

from pathlib import Path

import pytest

import evaltui
from evaltui.core.case import Tier
from evaltui.formats.evaluator_edits import BESIDES
from evaltui.kinds import KINDS

PACKAGE = Path(evaltui.__file__).parent
READERS = ("formats/", "disk/journal/", "evidence/packs/pack_reading.py")
"""What makes cases of files, which have that word."""


@pytest.mark.parametrize("tier", [Tier.RUBRIC, Tier.SCENARIO, Tier.TRACE])
def test_nobody_takes_the_tier_for_the_kind(tier: Tier) -> None:
    asking = [
        name
        for path in PACKAGE.rglob("*.py")
        if not (name := path.relative_to(PACKAGE).as_posix()).startswith(READERS)
        and f"Tier.{tier.name}" in path.read_text("utf-8")
    ]
    assert asking == []


def test_what_a_file_has_besides_evaluators_is_known_of_every_kind() -> None:
    assert BESIDES.keys() == KINDS.keys()
    assert not any(BESIDES[kind].judges({}) for kind in KINDS if kind("").has_expect)
