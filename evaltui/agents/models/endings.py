"""Stop reasons of the model APIs that mean the answer is incomplete, refused or filtered."""

from evaltui.core.errors import AgentError

CUT_OFF = "the answer was cut off at the token limit"
REFUSED = "the model refused"
FILTERED = "the answer was filtered"
PAUSED = "the answer was cut off: the API paused the turn"
BROKEN = "the API broke off the answer"
UNFINISHED = "the answer is not there yet"

_CUT_OFF = frozenset({
    "incomplete", "length", "max_tokens", "max_output_tokens", "model_length",
    "model_context_window_exceeded",
})  # fmt: skip
_FILTERED = frozenset({
    "content_filter", "content_filtered", "safety", "recitation", "blocklist",
    "prohibited_content", "sensitive", "spii", "guardrail_intervened",
})  # fmt: skip
_REFUSED = frozenset({"refusal"})
_PAUSED = frozenset({"pause_turn"})
_BROKEN = frozenset({
    "abort", "aborted", "canceled", "cancelled", "error", "malformed_function_call",
    "insufficient_system_resource",
})  # fmt: skip
_UNFINISHED = frozenset({"in_progress", "queued"})


def bad_ending(reason: str, why: str = "") -> AgentError | None:
    """The error for an answer that ended for `reason`; `None` when it came to its own end.

    What such an answer says or leaves out is no fault of the agent's tools: judging it would call
    a limit that was set too low a regression. `why`: what the API says of it besides.
    """
    word = reason.strip().lower().replace("-", "_")
    said = f" (`{reason}`{': ' if why else ''}{why})"
    if word in _CUT_OFF:
        return AgentError(f"{CUT_OFF}{said}. Raise `max_tokens`.", category="cut_off")
    if word in _REFUSED:
        return AgentError(f"{REFUSED}{said}. Look at what the case asks.", category="refused")
    if word.partition(":")[0] in _FILTERED:
        hint = "Look at what the case asks, and at the API's filter settings."
        return AgentError(f"{FILTERED}{said}. {hint}", category="filtered")
    if word in _PAUSED:
        return AgentError(f"{PAUSED}{said}. Leave out tools of the API's own.", category="cut_off")
    if word in _BROKEN:
        what = f"{BROKEN}{said}. Run the case again."
        return AgentError(what, retryable=word == "insufficient_system_resource")
    if word in _UNFINISHED:
        what = f"{UNFINISHED}{said}. Ask without `background`."
        return AgentError(what, category="contract_violation")
    return None
