"""Inputs as the history keeps them: each combination that cases share once."""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from evaltui.core.bearing import OF_CHANCE, judged_as
from evaltui.core.former_prints import HasFormerPrints
from evaltui.core.inputs import Inputs
from evaltui.disk.codec import encode

if TYPE_CHECKING:
    import sqlite3

_MOST = 20_000
"""Combinations of inputs whose print is kept at hand."""


_NOTHING: Mapping[str, str] = MappingProxyType({})
_UNJUDGED = Inputs(seed=_NOTHING, checks=_NOTHING)


class SamePrints:
    """Which inputs count as the same: whatever would make a trial a better or worse one differs.

    What was called is part of the answer, most tools do not shape it, and neither the number of
    trials nor the time limit makes an answer better than another. Whether there was one in time is
    another matter: see `rows_of`.
    """

    def __init__(self, cases: HasFormerPrints | None = None) -> None:
        """`cases`: knows what earlier versions told of those that are there now; `None`: those
        told the same."""
        self._cases = cases
        self._known: dict[tuple[Any, ...], str] = {}
        self._at_hand: dict[tuple[int, ...], tuple[tuple[Any, ...], str]] = {}
        """By identity: most cases share all of these. Kept with them, so that none is reused."""

    def of(self, inputs: Inputs) -> str:
        """Of a case; empty where nothing is known."""
        if not inputs.case:
            return ""
        case = inputs.case
        if self._cases is not None:
            case = self._cases.former_prints.now.get(case, case)
        return late(f"{case}:{self.shape(inputs)}", inputs)

    def asked(self, inputs: Inputs) -> str:
        """Of what shapes the answer alone, not what is expected of it; empty where that is unknown.

        The tools are those of the whole registry, where it is known: which of them a case mentions
        is a matter of its expectation.
        """
        asked = replace(
            judged_as(inputs, _UNJUDGED),
            case=inputs.answer or inputs.case,
            tools=_NOTHING if inputs.all_tools else inputs.tools,
            registry=inputs.all_tools or inputs.registry,
        )
        return answered_row(self.of(asked))

    def shape(self, inputs: Inputs) -> str:
        """16 hex digits of all but the case."""
        shared = _shaping_of(inputs)
        same_objects = tuple(map(id, shared))
        at_hand = self._at_hand.get(same_objects)
        if at_hand is not None:
            return at_hand[1]
        short = tuple([one if isinstance(one, str) else tuple(one.items()) for one in shared])
        found = self._known.get(short)
        if found is None:
            from hashlib import sha256  # OpenSSL; the first frame has no need of it

            same = _text_of(inputs, _SHAPING).encode()
            if len(self._known) >= _MOST:
                self._known.clear()
            found = self._known[short] = sha256(same).hexdigest()[:16]
        if len(self._at_hand) >= _MOST:
            self._at_hand.clear()
        self._at_hand[same_objects] = shared, found
        return found


def late(row: str, inputs: Inputs) -> str:
    """Where the history's `evidence` has the trials of a row for which the time limit passed first:
    of each limit apart."""
    limit_ms = inputs.settings.get("timeoutMs", 0)
    return f"{row}@{limit_ms}" if limit_ms else row


def rows_of(same: str) -> tuple[str, ...]:
    """The rows of `evidence` that count under such inputs: all that was answered, whatever the time
    limit was, and what took too long under that very limit.

    >>> rows_of("case:shape@3000"), rows_of("case:shape")
    (('case:shape', 'case:shape@3000'), ('case:shape',))
    """
    answered = answered_row(same)
    return (answered,) if answered == same else (answered, same)


def answered_row(same: str) -> str:
    """The first of them: all but the time limit."""
    return same.partition("@")[0]


def is_alike(same: str, other: str) -> bool:
    """Whether trials with such inputs are trials with the others: an edit of the time limit alone
    is none. What is unknown is like nothing."""
    return bool(same) and answered_row(same) == answered_row(other)


class SharedInputs:
    """All of `Inputs` but the case's own fingerprints, each combination kept once."""

    def __init__(self, connection: "sqlite3.Connection") -> None:
        self._connection = connection
        self._known: dict[tuple[Any, ...], tuple[int, str]] = {}
        self._at_hand: dict[tuple[Any, ...], tuple[int, str]] = {}
        self._prints = SamePrints()

    def row(self, inputs: Inputs) -> tuple[int, str]:
        """(row id, their `shape`)."""
        # By identity: most cases share all of these, alive as long as this object is used. What
        # was called is made for each result, so that its identity says nothing.
        shared = _uncalled_of(inputs)
        same_objects = (*map(id, shared), *inputs.called.items())
        found = self._at_hand.get(same_objects)
        if found is None:
            found = self._at_hand[same_objects] = self._look_up(inputs, shared)
        return found

    def _look_up(self, inputs: Inputs, shared: tuple[Any, ...]) -> tuple[int, str]:
        short = (
            *(one if isinstance(one, str) else id(one) for one in shared),
            *inputs.called.items(),
        )
        found = self._known.get(short)
        if found is None:
            text = shared_inputs(inputs)
            self._connection.execute("INSERT OR IGNORE INTO inputs(json) VALUES(?)", (text,))
            row = self._connection.execute("SELECT id FROM inputs WHERE json=?", (text,)).fetchone()
            found = self._known[short] = (int(row[0]), self._prints.shape(inputs))
        return found


def shared_inputs(inputs: Inputs) -> str:
    """JSON of all but the case's own fingerprints; what 0.1.0 did not know only where it is."""
    return _text_of(inputs, _SHARED)


def _text_of(inputs: Inputs, names: Iterable[str]) -> str:
    values = {name: getattr(inputs, name) for name in names}
    return encode({n: value for n, value in values.items() if value or n in _ALWAYS}).decode()


_SHARED = tuple(
    name for name in Inputs.__struct_fields__ if name not in ("case", "answer", "shown")
)
_uncalled_of = attrgetter(*(name for name in _SHARED if name != "called"))
_SHAPING = tuple(name for name in OF_CHANCE if name != "case")
_shaping_of = attrgetter(*_SHAPING)
_ALWAYS = ("tools", "registry", "seed", "agent", "checks")
