"""What a run did to its cases, in words."""

from collections.abc import Mapping

from evaltui.core.comparison import NEVER, AtTimes, Effect

AT_TIMES = "at times"
"""The word of how many failed at times among those of `in_words`."""


def ran_in_words(ran: int, rejudged: int) -> list[str]:
    """`12 ran`, `1 judged again`; of those that ran, nobody was asked for the `rejudged`."""
    asked = [f"{ran - rejudged:,} ran"] if ran > rejudged or not rejudged else []
    return [*asked, *([f"{rejudged:,} judged again"] if rejudged else [])]


def in_words(
    counts: Mapping[Effect, int],
    muted: int = 0,
    new_failed: int = 0,
    at_times: AtTimes = NEVER,
) -> dict[Effect | str, str]:
    """`1 worse`, `0 better`, `3 call differently`, `8 as before`, `2 new, 1 of them failed`,
    `1 muted`, `2 failed at times before`, in this order; the latter two by a word of their own.

    Worse and better are always said, but where all cases are new: there they say nothing.
    """
    apart: dict[Effect | str, str] = {"muted": f"{muted:,} muted"} if muted else {}
    if at_times != NEVER:
        apart[AT_TIMES] = at_times.words
    is_compared = sum(counts.values()) > counts[Effect.NEW]
    new = "new" if not new_failed else f"new, {new_failed:,} of them failed"
    differ = counts[Effect.CALLS_DIFFER]
    said = {
        Effect.WORSE: "worse",
        Effect.BETTER: "better",
        Effect.ERROR: "in error",
        Effect.CALLS_DIFFER: "calls differently" if differ == 1 else "call differently",
        Effect.AS_BEFORE: "as before",
        Effect.NEW: new,
    }
    always = (Effect.WORSE, Effect.BETTER) if is_compared else ()
    return {
        effect: f"{counts[effect]:,} {word}"
        for effect, word in said.items()
        if counts[effect] or effect in always
    } | apart
