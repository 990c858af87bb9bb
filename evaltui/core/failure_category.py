"""The eight kinds of failure that evidence tells apart, whoever names one."""

CATEGORIES = frozenset(
    {
        *("timeout", "contract_violation", "policy_failure", "parse_error", "type_error"),
        *("agent_error", "judge_error", "assertion"),
    }
)


def category_of(said: str, otherwise: str) -> str:
    """`said`, where it is one of them. Faults of agents are named more finely, and judges of other
    people as they please: these are `otherwise`."""
    return said if said in CATEGORIES else otherwise
