"""The heading of what a save did says which words it took from a description, or put into it."""

import pytest

from evaltui.core.tool import GoneTool, ToolChange, ToolDefinition
from evaltui.tui.order import SaveGroup
from evaltui.tui.render.save_blame import changed_words
from evaltui.tui.render.suite_line import group_line
from tests.tui.render.test_lines import LOOK

BEFORE = "Use it to reschedule, postpone or bring forward."


def change(before: str | None, now: str) -> ToolChange:
    then = ToolDefinition("move_event", before) if before is not None else None
    return ToolChange(then, ToolDefinition("move_event", now), ("description",))


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (BEFORE.replace(", postpone", ""), 'move_event - "postpone"'),
        (BEFORE.replace("postpone", "defer"), 'move_event - "postpone" + "defer"'),
        (BEFORE.replace(" or bring", " or to bring"), 'move_event + "to"'),
        (
            "Use it to postpone, reschedule or bring forward.",
            'move_event moved "reschedule" moved "postpone"',
        ),
        (
            "Use it to defer, reschedule or bring forward.",
            'move_event - "postpone" + "defer" moved "reschedule"',
        ),
        (
            "It can bring. Use it to reschedule, postpone or forward.",
            'move_event + "It can" moved "bring"',
        ),
        (
            "Use it to postpone, reschedule, bring forward.",
            'move_event - "or" moved "postpone"',
        ),
        (BEFORE, ""),
        (" ".join(f"other{number}" for number in range(40)), ""),
        ("x" * 4_000, ""),
    ],
)
def test_which_words_of_the_description(now: str, said: str) -> None:
    assert changed_words({"move_event": change(BEFORE, now)}) == said


def test_a_tool_that_was_added_changed_no_words() -> None:
    assert changed_words({"move_event": change(None, BEFORE)}) == ""


def test_tools_that_went_are_said_with_the_words_or_without_them() -> None:
    few = {"move_event": change(BEFORE, BEFORE.replace(", postpone", ""))}
    assert changed_words({}, (GoneTool("check_stock"),)) == "check_stock removed"
    assert changed_words(few, (GoneTool("a"),)) == 'a removed, move_event - "postpone"'
    many = {"move_event": change(BEFORE, "x" * 4_000)}
    assert changed_words(many, (GoneTool("a"), GoneTool("b"))) == "a removed, b removed"
    dozen = [GoneTool(f"tool_{number}") for number in range(12)]
    renamed = [GoneTool(f"tool_{number}", f"other_{number}") for number in range(12)]
    assert changed_words({}, dozen) == "12 tools removed"
    assert changed_words({}, renamed) == "12 tools renamed"
    assert changed_words({}, [*dozen, *renamed]) == "24 tools removed or renamed"


@pytest.mark.parametrize("is_folded", [True, False])
def test_they_are_said_whole_or_not_at_all(is_folded: bool) -> None:
    blame, group, seen = 'move_event - "postpone"', SaveGroup("WORSE", ()), set()
    for width in range(22, 60):
        parts = group_line(group, LOOK, width, "", is_folded=is_folded, blame=blame)
        line = "".join(part.text for part in parts)
        assert len(line) == width and line.startswith(" WORSE 0 ")
        assert blame in line or "move" not in line
        seen.add(blame in line)
    assert seen == {True, False}
