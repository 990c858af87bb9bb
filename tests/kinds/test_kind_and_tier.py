"""The kind of a case is the type of its body; its tier is a word of its file."""

import re
from pathlib import Path

import pytest

import evaltui
from evaltui.core.case import Tier
from evaltui.formats.evaluator_edits import BESIDES
from evaltui.kinds import KINDS

PACKAGE = Path(evaltui.__file__).parent
OF_A_KIND = ("kinds/", "scenarios/", "traces/", "formats/")
NEED_ITS_FIELDS = {
    "core/trace_times.py",  # what a trace's events tell
    "api/run_record.py",  # of a scenario: the run as EvalStudio tells it
    "project/evalstudio_runs.py",  # its name
    "evaluators/seen_by_evaluators.py",  # its persona and limit
    "tui/panes/detail_tabs.py",  # the events of a trace
}
"""They do something with one kind alone."""
_KIND = r"(Contract|Rubric|Scenario|Trace)Case\b"
ASKS = re.compile(rf"isinstance\([^)]*{_KIND}|case {_KIND}\(|type\([^)]*body\) (is|==)")
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


def test_only_what_belongs_to_a_kind_asks_for_the_type_of_a_body() -> None:
    """Whatever else differs by kind is a member of the body, or of its line in `kinds/`: a new kind
    has an answer to it, or does not get past the checks."""
    asking = {
        name
        for path in PACKAGE.rglob("*.py")
        if not (name := path.relative_to(PACKAGE).as_posix()).startswith(OF_A_KIND)
        and ASKS.search(path.read_text("utf-8"))
    }
    assert asking == NEED_ITS_FIELDS


def test_of_a_kind_that_expects_no_calls_it_is_said_what_to_do_instead() -> None:
    told = {kind for kind, line in KINDS.items() if line.instead_of_calls}
    assert told == {kind for kind in KINDS if not kind.has_expect}


def test_what_a_file_has_besides_evaluators_is_known_of_every_kind() -> None:
    assert BESIDES.keys() == KINDS.keys()
    assert not any(BESIDES[kind].judges({}) for kind in KINDS if kind.has_expect)
