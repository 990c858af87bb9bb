"""Whether the same case may come to another verdict the next time, with nothing edited."""

from evaltui.core.case import Case


def may_differ(case: Case, *, is_sampled: bool) -> bool:
    """`is_sampled`: whether the agent under test may answer otherwise; a model that judges its
    answers, or plays the user who talks to it, may do so whoever the agent is."""
    return case.takes_model or (is_sampled and case.asks_agent)
