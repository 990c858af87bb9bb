"""Which cases are selected, one by one or as a range of lines."""

from collections.abc import Iterable, Sequence

from evaltui.core.case import CaseKey


class Choice:
    """In the order in which they were chosen."""

    def __init__(self) -> None:
        self.keys: dict[CaseKey, None] = {}
        self.anchor = 0
        """The line where the cursor last came to rest: a range begins there."""
        self._before: dict[CaseKey, None] = {}
        """What was chosen at that time; a range adds to it."""

    def toggle(self, keys: Sequence[CaseKey]) -> None:
        """Choose all of them, or none when all of them are chosen."""
        is_in = all(key in self.keys for key in keys)
        for key in keys:
            if is_in:
                self.keys.pop(key, None)
            else:
                self.keys[key] = None

    def span(self, keys: Iterable[CaseKey]) -> None:
        """Choose a range from the anchor, in place of the range before."""
        self.keys = {**self._before, **dict.fromkeys(keys)}

    def rest(self, anchor: int) -> None:
        """The next range begins on this line."""
        self.anchor, self._before = anchor, dict(self.keys)

    def clear(self) -> None:
        self.keys, self._before = {}, {}
