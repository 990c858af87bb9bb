"""The form of an evaluator's settings: where it scrolls to once something is wrong."""

import itertools
from typing import Any

import pytest
from textual.widgets import Input, TextArea

from evaltui.evaluators.config_fields import ConfigField, FieldKind, FieldMistake
from evaltui.tui.screens.config_form import ConfigForm
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

FIELDS = [
    ConfigField(f"field{number}", FieldKind.JSON, "[\n  1,\n  2\n]", description="a list")
    for number in range(12)
]


@pytest.mark.slow
async def test_no_cursor_blinks_where_something_is_typed() -> None:
    fields = [FIELDS[0], ConfigField("text", FieldKind.TEXT, "", description="a text")]
    async with driving(FakeSession(on_open=list(scene.opened(scene.suites(48))))) as driver:
        found: list[Input | TextArea] = []
        for keys in (("slash",), ("colon",), ("m",)):
            await driver.press(*keys)
            found += driver.app.screen.query(Input)
            await driver.press("escape")
        driver.app.dashboard.controller.ask(ConfigForm("form", "", fields, no_mistakes), print)
        await driver.settle()
        found += [*driver.app.screen.query(Input), *driver.app.screen.query(TextArea)]
        assert len(found) == 3 + len(fields)
        assert not any(widget.cursor_blink for widget in found)


def no_mistakes(_: Any) -> Any:
    return {}, ()


@pytest.mark.parametrize(
    ("at", "size"),
    [
        (0, (60, 20)),
        *(
            pytest.param(*one, marks=pytest.mark.slow)
            for one in itertools.product((0, 5, 11), ((60, 20), (100, 30)))
            if one != (0, (60, 20))
        ),
    ],
)
async def test_name_value_and_mistake_of_a_field_are_in_sight(
    at: int, size: tuple[int, int]
) -> None:
    def read(_: Any) -> Any:
        return {}, (FieldMistake(f"field{at}", "This is what is wrong.", 2, 1),)

    async with driving(FakeSession(), size=size) as driver:
        form = ConfigForm("form", "", FIELDS, read)
        driver.app.dashboard.controller.ask(form, lambda _: None)
        await driver.settle()
        await driver.press(*["tab"] * 3, "ctrl+s")
        await driver.settle()
        driver.sees(f"field{at} ", "This is what is wrong.")
        assert form.focused is not None
        seen = form.focused.parent.region.intersection(form.focused.region)  # type: ignore[union-attr]
        assert seen.height >= 4
