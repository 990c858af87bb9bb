"""The headline says what changed in the file that was saved, whatever a run says why it ran."""

import pytest
from msgspec.structs import replace

from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.store.save_view import SaveView
from evaltui.tui.render.headline import cause
from tests.tui import scene
from tests.tui.render.test_lines import LOOK

BEFORE = scene.registry()
TOOL = BEFORE.tools["get_weather"]


@pytest.mark.parametrize("reason", ["get_weather changed and 1 other reason", "by hand", ""])
@pytest.mark.parametrize(
    ("now", "said"),
    [
        (replace(TOOL, description="Tells it."), "tools.exports.ts description"),
        (
            replace(TOOL, description="Tells it.", version="2.0.0"),
            "tools.exports.ts description, version",
        ),
        (TOOL, "tools.exports.ts"),
    ],
)
def test_of_the_tool_that_the_file_has(now: ToolDefinition, said: str, reason: str) -> None:
    registry = ToolRegistry({**BEFORE.tools, "get_weather": now}, BEFORE.files)
    files = ("tools/tools.exports.ts",)
    save = SaveView.after(None, files, (BEFORE, registry), ((), ()), goes_on=False)
    save.reason = reason
    assert cause(save, files, LOOK) == said
    assert cause(save, ("tools/words.ts",), LOOK) == "words.ts"


def test_where_no_tool_says_it_the_reason_does() -> None:
    save = SaveView.after(None, ("words.ts",), (BEFORE, BEFORE), ((), ()), goes_on=False)
    save.reason = "get_weather.description changed"
    assert cause(save, ("words.ts",), LOOK) == "words.ts description"
