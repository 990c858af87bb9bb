"""A fall from the baseline has one word and one mark, in every reporter and on the board."""

import pytest

from evaltui.core.events import ProjectRead
from evaltui.core.tool import ToolRegistry
from evaltui.reporters.falls import Falls
from evaltui.tui.render.glyphs import MOVED, REGRESSED, Mark


@pytest.mark.parametrize(
    ("agent", "mark", "noun", "nouns"),
    [("sampled", MOVED, "moved", "moved"), ("steady", REGRESSED, "regression", "regressions")],
)
def test_of_a_sampled_agent_it_is_called_moved_as_on_the_board(
    agent: str, mark: Mark, noun: str, nouns: str
) -> None:
    falls = Falls()
    falls.handle(ProjectRead((), ToolRegistry(configured=False), (), sampled=("sampled",)))
    assert (falls.mark(agent), falls.word(agent)) == (mark.glyph, mark.word)
    assert (falls.noun(agent), falls.nouns(agent)) == (noun, nouns)
