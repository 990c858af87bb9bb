"""Profiles of models that ask for their calls to be executed."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.agents import make_agent
from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.errors import UserError
from evaltui.core.response import ToolCall


async def execute(call: ToolCall) -> ToolCall:
    return replace(call, success=True)


def made(type_: str = "embedded", **options: Any) -> Any:
    return make_agent(type_, "x", options, root=Path(), executor=execute)


def test_only_a_profile_that_asks_for_it_executes() -> None:
    plain, real = made(), made(execute="mcp")
    assert isinstance(plain, ToolLoop) and isinstance(real, ToolLoop)
    assert (plain.executes, real.executes) == (False, True)
    assert plain.fingerprint != real.fingerprint
    assert plain.name == real.name


@pytest.mark.parametrize(
    ("type_", "options", "words"),
    [
        ("embedded", {"execute": "yes"}, 'Write execute = "mcp"'),
        ("command", {"command": "x", "execute": "mcp"}, "runs its own tools"),
    ],
)
def test_wrong_options_are_named(type_: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError) as caught:
        made(type_, **options)
    assert words in str(caught.value)
