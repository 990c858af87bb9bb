"""The words around a span: they tell which parameter it belongs to."""

from bisect import bisect_left
from collections.abc import Sequence

from evaltui.agents.embedded.spans import Span, SpanKind
from evaltui.agents.embedded.tokens import Token
from evaltui.core.json_value import Json

PREPOSITIONS = frozenset(
    {"in", "at", "on", "from", "to", "for", "of", "by", "with", "about", "near", "between",
     "using", "as", "into", "since", "until", "before", "after", "around", "under", "over", "via",
     "named", "called", "titled", "within", "through", "per"}
)  # fmt: skip
_LEFT = (1.0, 0.75, 0.55, 0.4, 0.3)
_RIGHT = (0.8, 0.5, 0.3)
_BEYOND = 0.45
"""Left of another span, words belong to that span first."""
_SKIPPED = frozenset(
    {"the", "a", "an", "my", "our", "your", "is", "are", "was", "be", "as", "of", "to", "equals"}
)  # fmt: skip


class Surroundings:
    """Makes spans with what stands around them in one message."""

    def __init__(
        self, tokens: Sequence[Token], starts: Sequence[int], covered: Sequence[bool]
    ) -> None:
        self._tokens = tokens
        self._starts = starts
        self._covered = covered

    def span(
        self,
        kind: SpanKind,
        text: str,
        start: int,
        end: int,
        value: Json,
        unit: str,
        item_kind: SpanKind | None = None,
    ) -> Span:
        """The span from character `start` up to `end` with its surroundings."""
        first = bisect_left(self._starts, start)
        after = bisect_left(self._starts, end, first)
        near = self._left(first)
        self._right(after, near)
        preposition, label = self._lead(first)
        inside = frozenset([token.stem for token in self._tokens[first:after] if token.stem])
        clause = self._tokens[first].clause if first < len(self._tokens) else 0
        return Span(
            kind, text, start, end, value, inside, near, preposition, label, unit, item_kind, clause
        )

    def _left(self, first: int) -> dict[str, float]:
        near: dict[str, float] = {}
        seen = 0
        beyond = 1.0
        for i in range(first - 1, -1, -1):
            token = self._tokens[i]
            if self._covered[i]:
                beyond = _BEYOND
            elif token.stem:
                near.setdefault(token.stem, _LEFT[seen] * beyond)
                seen += 1
                if seen == len(_LEFT):
                    break
            if i + 1 < first and self._tokens[i + 1].starts_sentence:
                break
        return near

    def _right(self, after: int, near: dict[str, float]) -> None:
        seen = 0
        for i in range(after, len(self._tokens)):
            token = self._tokens[i]
            if token.follows_break or self._covered[i] or token.word in ("and", "or"):
                break
            if token.stem:
                near[token.stem] = max(near.get(token.stem, 0.0), _RIGHT[seen])
                seen += 1
                if seen == len(_RIGHT):
                    break

    def _lead(self, first: int) -> tuple[str, str]:
        """`(preposition, label)` among the three words before the span.

        The label is the word it is said to be the value of: `x` in "x = 5", `name` in "name is
        Bob".
        """
        preposition = label = ""
        open_ = True
        for i in range(first - 1, max(-1, first - 4), -1):
            word = self._tokens[i].word
            skipped = word in _SKIPPED
            if open_ and word in PREPOSITIONS:
                preposition = word
                open_ = False
            elif not skipped:
                open_ = False
            if not label and (not skipped or (i == first - 1 and len(word) == 1)):
                label = word
            if label and not open_:
                break
        return preposition, label
