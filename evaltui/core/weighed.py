"""Which tools an agent weighed for an answer, in one short text: what `Inputs.shown` holds."""

from collections.abc import Sequence

from evaltui.core.fingerprint import SHOWN_LENGTH

_THEN_READ = "."


def weighed_text(shown: Sequence[str], read: Sequence[str]) -> str:
    """`shown`: a `shown_print` for each tool, best first. `read`: what the agent read of each for
    the message (8 hex digits), or nothing of any where it cannot tell."""
    is_complete = bool(read) and all(shown) and len(read) == len(shown)
    return "".join(shown) + (_THEN_READ + "".join(read) if is_complete else "")


def shown_prints(text: str) -> list[str]:
    """The `shown_print` of each tool, best first."""
    return _pieces(text.partition(_THEN_READ)[0])


def read_prints(text: str) -> list[str]:
    """What was read of each, in the same order; nothing where that is not known."""
    return _pieces(text.partition(_THEN_READ)[2])


def _pieces(text: str) -> list[str]:
    return [text[start : start + SHOWN_LENGTH] for start in range(0, len(text), SHOWN_LENGTH)]
