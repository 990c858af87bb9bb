"""Who says an event, and what a policy for tools demands."""

import pytest

from evaltui.core.trace import Event, ToolPolicy


def test_a_policy_is_one_where_it_wants_or_forbids_a_tool() -> None:
    assert not ToolPolicy()
    assert ToolPolicy(required_tools=("a",))
    assert ToolPolicy(forbidden_tools=("a",))


@pytest.mark.parametrize(
    ("actor", "kind", "is_own"),
    [
        ("assistant", "message", True),
        ("agent", "message", True),
        ("agent", "handoff", True),
        ("agent", "tool_call", False),
        ("assistant", "tool_result", False),
        ("user", "message", False),
        ("system", "message", False),
        ("tool", "message", False),
    ],
)
def test_the_agent_says_its_messages_and_not_what_goes_to_and_from_tools(
    actor: str, kind: str, is_own: bool
) -> None:
    assert Event(actor=actor, type=kind).is_said_by_agent is is_own
