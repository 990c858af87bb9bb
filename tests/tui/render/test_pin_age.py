"""How long ago a baseline was pinned, where some of it is younger than the rest."""

from collections.abc import Mapping

import pytest

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.result import CaseStatus
from evaltui.store.store import Store
from evaltui.tui.render.header_facts import Facts
from evaltui.tui.render.header_line import header_line
from evaltui.tui.render.look import Look
from evaltui.tui.render.pin_age import pin_age
from evaltui.tui.themes import load_theme_named
from tests.tui import scene

NOW = 1_795_000_000.0
HOURS = NOW - 3 * 3600


@pytest.mark.parametrize(
    ("moments", "said"),
    [
        ({HOURS: 42}, "3h ago"),
        ({HOURS - 60: 2, HOURS: 40}, "3h ago"),
        ({HOURS: 41, NOW - 4: 1}, "41 3h ago, 1 4s ago"),
        ({HOURS: 40, NOW - 300: 1, NOW - 4: 1}, "3h ago to 4s ago"),
        ({0.0: 3}, ""),
        ({0.0: 3, NOW - 4: 1}, "3 at an unknown time, 1 4s ago"),
        ({}, ""),
    ],
)
def test_no_case_makes_another_younger(moments: Mapping[float, int], said: str) -> None:
    assert pin_age(moments, NOW) == said


def test_the_header_says_so() -> None:
    theme = load_theme_named("dark")
    store = Store()
    for event in scene.opened(scene.suites(48)):
        store.handle(event)
    board = store.board(scene.AGENT)
    cases = dict.fromkeys("abc", BaselineCase(CaseStatus.PASSED))
    apart = {"b": scene.NOW - 4}
    suite = scene.suites(48)[0].id
    board.compare_with(
        [Baseline(suite, "run-0", "main", cases, scene.NOW - 3 * 3600, "", pinned_apart=apart)]
    )
    facts = Facts("watching", board, (), scene.NOW)
    look = Look({**theme.colors, **theme.variables})
    line = "".join(segment.text for segment in header_line(facts, 220, look))
    assert "vs main, 3 pinned: 2 3h ago, 1 4s ago" in line
