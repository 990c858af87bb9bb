"""Tools of providers' own that failed are told as that, wherever they tell it."""

import json
from typing import Any

import pytest

from tests.traces.importers.fixtures import events_of

ENDED: dict[str, Any] = {"type": "exit", "exit_code": 0}
FAILED: dict[str, Any] = {"type": "exit", "exit_code": 2}
TIMEOUT: dict[str, Any] = {"type": "timeout"}


def command(outcome: dict[str, Any]) -> dict[str, Any]:
    return {"stdout": "a", "stderr": "", "outcome": outcome}


@pytest.mark.parametrize(
    ("tool", "said", "error"),
    [
        ("apply_patch", {"status": "failed", "output": "no"}, "the tool ended failed"),
        ("apply_patch", {"status": "completed", "output": "yes"}, None),
        ("computer", {"status": "incomplete", "output": {}}, "the tool ended incomplete"),
        ("shell", {"output": [command(TIMEOUT)]}, "a command took too long"),
        ("shell", {"output": [command(FAILED)]}, "a command ended with exit code 2"),
        (
            "shell",
            {"output": [command(ENDED), command(FAILED)]},
            "a command ended with exit code 2",
        ),
        ("shell", {"output": [command(ENDED)], "status": "completed"}, None),
        ("shell", {"output": [command({"type": "exit"})]}, None),
        ("local_shell", {"output": json.dumps([command(TIMEOUT)])}, "a command took too long"),
        (
            "local_shell",
            {"output": '{"output": "", "metadata": {"exit_code": 1}}'},
            "a command ended with exit code 1",
        ),
        ("local_shell", {"output": '{"exit_code": 0}'}, None),
        ("local_shell", {"output": "exit_code 1"}, None),
        ("local_shell", {"output": [3, "outcome", None]}, None),
    ],
)
def test_a_tool_of_openais_own_that_failed_is_no_success(
    tool: str, said: dict[str, Any], error: str | None
) -> None:
    call = {"type": f"{tool}_call", "call_id": "a", "status": "completed", "action": {}}
    answer = {"type": f"{tool}_call_output", "call_id": "a", **said}
    made, result = events_of({"output": [call, answer]})
    assert (made["error"], result["error"]) == (None, error)
    assert (result["tool"], result["output"]) == (tool, said["output"])
