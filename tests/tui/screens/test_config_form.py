"""The form of an evaluator's settings: where it scrolls to once something is wrong."""

from typing import Any

import pytest

from evaltui.evaluators.config_fields import ConfigField, FieldKind, FieldMistake
from evaltui.tui.screens.config_form import ConfigForm
from tests.driver import driving
from tests.tui.fake_session import FakeSession

FIELDS = [
    ConfigField(f"field{number}", FieldKind.JSON, "[\n  1,\n  2\n]", description="a list")
    for number in range(12)
]


@pytest.mark.parametrize("at", [0, 5, 11])
@pytest.mark.parametrize("size", [(100, 30), (60, 20)])
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
