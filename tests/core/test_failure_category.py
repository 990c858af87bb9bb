"""Kinds of failure that evidence tells apart."""

from evaltui.core.failure_category import category_of


def test_what_is_none_of_the_known_kinds_is_told_as_the_kind_it_belongs_to() -> None:
    assert category_of("timeout", "agent_error") == "timeout"
    assert category_of("rate-limited", "agent_error") == "agent_error"
