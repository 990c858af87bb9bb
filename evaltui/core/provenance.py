"""How an answer was obtained, if not in the usual way: live and with the first request."""

from evaltui.core.response import AgentResponse


def how_it_came(response: AgentResponse | None) -> tuple[str, ...]:
    """`replayed`, `recorded`, `2 retries, 1.2 s waited`; empty for a live answer without retries,
    and for a trace, of which all of its suite are.

    The waiting is outside of the measured latency (contract B5).
    """
    if response is None:
        return ()
    facts = () if response.source in ("live", "trace") else (response.source,)
    if not response.retries:
        return facts
    said = "1 retry" if response.retries == 1 else f"{response.retries} retries"
    if response.queued_ms >= 50:
        said += f", {response.queued_ms / 1000:.1f} s waited"
    return (*facts, said)
