"""The metadata of a suite's result: what the tool is like now."""

from evaltui.core.case import Tier
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.session.suite_results import current_metadata

SNAKE = ToolDefinition("get_tides", "Snake.", "1.0")
KEBAB = ToolDefinition("get-tides", "Kebab.", "2.0")


def test_it_is_of_the_tool_of_exactly_that_name() -> None:
    registry = ToolRegistry({tool.name: tool for tool in (KEBAB, SNAKE)})
    suite = Suite("evals/x.json", "get_tides", Tier.GOLDEN, (), "f" * 12)
    assert current_metadata(suite, registry) == {
        "toolVersion": "1.0",
        "descriptionHash": SNAKE.description_hash,
        "registrySize": 2,
        "evalFileHash": "f" * 12,
    }


def test_it_is_unknown_without_the_tool_or_a_registry() -> None:
    suite = Suite("evals/x.json", "get_tides", Tier.GOLDEN, (), "f" * 12)
    assert current_metadata(suite, ToolRegistry(configured=False)) == {
        "toolVersion": None,
        "descriptionHash": None,
        "registrySize": None,
        "evalFileHash": "f" * 12,
    }
