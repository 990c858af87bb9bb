"""Which tools count for a scenario: those in reach of anything that is said in it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from evaltui.core.agent import Agent
from evaltui.core.config import Config
from evaltui.core.tool import ToolRegistry
from evaltui.session.inputs_of import InputsOf
from tests.scenarios.held import scenario


class Reaching(Agent):
    name = "reaching"
    fingerprint = "1"

    def reach(self, message: str, registry: ToolRegistry) -> frozenset[str] | None:  # noqa: ARG002
        return None if message == "?" else frozenset(message)


class Asked:
    """A project that keeps the reach that it is told."""

    registry, config = ToolRegistry(), Config(Path())

    def __init__(self) -> None:
        self.reach: object = None
        self.known_inputs: dict[object, dict[object, object]] = {}
        self.known_changes: dict[object, dict[object, object]] = {}

    def inputs(self, *_: object, reach: object, **__: object) -> None:
        self.reach = reach


@pytest.mark.parametrize(
    ("lines", "reach"),
    [
        (("ab", "c"), frozenset("abc")),
        (("ab",), frozenset("ab")),
        (("ab", "?"), None),
        ((), None),
    ],
)
def test_it_is_of_all_lines_and_unknown_where_a_model_says_them(
    lines: Sequence[str], reach: frozenset[str] | None
) -> None:
    project = Asked()
    InputsOf(project, Reaching())(scenario(*lines), None)  # type: ignore[arg-type]
    assert project.reach == reach
