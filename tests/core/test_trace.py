"""What a policy for tools demands."""

from evaltui.core.trace import ToolPolicy


def test_a_policy_is_one_where_it_wants_or_forbids_a_tool() -> None:
    assert not ToolPolicy()
    assert ToolPolicy(required_tools=("a",))
    assert ToolPolicy(forbidden_tools=("a",))
