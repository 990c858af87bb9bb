"""Which called tools a case's inputs do not know yet."""

from evaltui.core.inputs import Inputs, unmentioned
from evaltui.core.response import ToolCall
from evaltui.core.tool import ToolDefinition, ToolRegistry


def test_tools_that_were_called_and_nobody_mentions() -> None:
    registry = ToolRegistry({name: ToolDefinition(name) for name in ("a", "b", "c")})
    inputs = Inputs(tools={"a.description": "1", "b.version": "1"})
    calls = [ToolCall(name) for name in ("a", "b", "unheard_of", "c", "b")]
    assert [tool.name for tool in unmentioned(calls, registry, inputs)] == ["b", "c", "b"]
