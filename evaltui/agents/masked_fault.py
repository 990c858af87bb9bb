"""A fault of an agent, its secrets masked, as the runner hears of it."""

from evaltui.core.errors import AgentError
from evaltui.net.secret_mask import Secrets


def masked_fault(error: AgentError, secrets: Secrets, retries: int = 0) -> AgentError:
    """Retryable only when the profile asked for `retries` (contract A43)."""
    return AgentError(
        secrets.hide(error.what),
        category=error.category,
        retryable=error.retryable and retries > 0,
        throttled=error.throttled,
        retry_after_s=error.retry_after_s,
        max_retries=retries,
    )
