"""Two trajectories side by side, step by step."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from evaltui.core.trace import Event

MOST = 500
"""Events of a side that are aligned; of longer ones only the beginnings."""


class Step(Struct, frozen=True, gc=False):
    """An event of each side that stand for each other; `None` where a side has none."""

    before: Event | None
    after: Event | None

    @property
    def is_same(self) -> bool:
        """Whether both say the same, times and ids aside."""
        return (
            self.before is not None
            and self.after is not None
            and _said(self.before) == _said(self.after)
        )


def align(before: Sequence[Event], after: Sequence[Event]) -> list[Step]:
    """Events of the same actor, type and tool stand beside each other, in the order of both; where
    something else happened instead, that stands beside it."""
    left, right = before[:MOST], after[:MOST]
    matcher = SequenceMatcher(None, [*map(_key, left)], [*map(_key, right)], autojunk=False)
    steps: list[Step] = []
    for _, start, end, other, until in matcher.get_opcodes():
        for at in range(max(end - start, until - other)):
            mine = left[start + at] if start + at < end else None
            steps.append(Step(mine, right[other + at] if other + at < until else None))
    return steps


def _key(event: Event) -> tuple[str, str, str]:
    return event.actor, event.type, event.tool or ""


def _said(event: Event) -> tuple[object, ...]:
    return event.actor, event.type, event.tool, event.input, event.output, event.error
