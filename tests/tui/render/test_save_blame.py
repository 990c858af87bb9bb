"""The words of a save are blamed for what it did, and for nothing else."""

import pytest

from evaltui.core.comparison import Effect
from evaltui.core.tool import ToolChange, ToolDefinition
from evaltui.store.row import Row
from evaltui.tui.render.save_blame import write_blame
from evaltui.tui.render.text_builder import TextBuilder
from tests.tui import scene
from tests.tui.render.test_lines import LOOK

SUITES = scene.suites(1, 1)
(CASE,) = scene.cases_of(SUITES)
TOOLS = {
    "book": ToolChange(
        ToolDefinition("book", "Books a table."), ToolDefinition("book", "Books."), ("description",)
    )
}


@pytest.mark.parametrize(
    ("effect", "more", "is_blamed"),
    [
        (Effect.WORSE, {}, True),
        (Effect.AS_BEFORE, {}, False),
        (Effect.WORSE, {"is_rejudged": True}, False),
        (Effect.WORSE, {"ran_besides": True}, False),
        (Effect.WORSE, {"muted": "known"}, True),
    ],
    ids=["flipped", "as before", "judged again", "another result since", "muted"],
)
def test_words_are_blamed_for_what_flipped_and_stands_like_that(
    effect: Effect, more: dict[str, str | bool], is_blamed: bool
) -> None:
    row = Row(CASE.key, CASE, SUITES[0], scene.result(CASE, scene.F), changed=effect)
    for name, value in more.items():
        setattr(row, name, value)
    builder = TextBuilder(LOOK, 80)
    write_blame(builder, row, scene.result(CASE, scene.P), TOOLS)
    assert ("changed in this save" in builder.plain) is is_blamed
