"""What can go wrong with an agent that is a program, in words."""

from evaltui.core.errors import AgentError
from evaltui.net.secret_mask import SecretMask

SHOWN = 600
"""Characters of what a program wrote before it failed: the end says why."""


def cannot_start(program: str, option: str, error: Exception) -> AgentError:
    """`option`: the one that names the program."""
    if isinstance(error, FileNotFoundError):
        return AgentError(
            f"the program `{program}` was not found. Correct `{option}`.", is_unpaid=True
        )
    why = getattr(error, "strerror", None) or type(error).__name__
    what = f"the program `{program}` cannot be started ({why}). Correct `{option}`."
    return AgentError(what, is_unpaid=True)


def too_long(what: str, limit: int) -> AgentError:
    """`what`: `the program wrote`; `limit` in bytes."""
    return AgentError(
        f"{what} more than {limit / 2**20:g} MiB and was stopped. "
        "Write less, or raise `max_answer_bytes`.",
        category="contract_violation",
    )


def end_of(said: str, mask: SecretMask, before: str) -> str:
    """The end of what it said, after `before`; empty when it said nothing."""
    return f"{before}{mask.end_of(said, SHOWN)}" if said.strip() else ""
