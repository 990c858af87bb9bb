"""Which messages of a run were told already, where the ends of nodes and the graph repeat them."""

from collections import Counter
from collections.abc import Collection, Sequence

from evaltui.core.json_value import Json
from evaltui.traces.importers.graph_messages import role_of, text_of
from evaltui.traces.importers.part import Part


class ToldMessages:
    """Messages are the same by their ids, else by what they say; all of them are unwrapped."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._count: Counter[tuple[str, str]] = Counter()
        self._here: Counter[tuple[str, str]] = Counter()
        """As `_count`, of the messages of one end."""
        self._inside: list[tuple[str, Collection[Json]]] = []
        """What models and tools said, and the runs around them, until a node gives it back."""
        self._asked: tuple[str, str] | None = None

    def ask(self, said: Part) -> None:
        """A message of the input: what stands before the last of them in a state is of an earlier
        run."""
        self._asked = _key(said)
        self._add(said)

    def add_of(self, runs: Collection[Json], said: Part) -> None:
        """A message that a model or tool said within these runs."""
        self._add(said)
        self._inside.append((text_of(said), runs))

    def since(self, listed: Sequence[Part], *, is_root: bool) -> tuple[int, bool]:
        """Where messages of this run begin, and whether the list is a state, with all of them."""
        keys = [_key(one) for one in listed]
        if self._asked in keys:
            return len(keys) - keys[::-1].index(self._asked), True
        known = (at for at, one in enumerate(listed) if one.text("id") in self._ids)
        return next(known, 0) if is_root else 0, is_root

    def is_repeated(self, said: Part, run: str, *, is_state: bool) -> bool:
        """Whether it was told; else it is from now on. `run`: of the node whose end this is."""
        key = _key(said)
        self._here[key] += 1
        if said.text("id") in self._ids:
            return True
        is_known = self._here[key] <= self._count[key] if is_state else self._take(key[1], run)
        if not (is_known and is_state):
            self._count[key] += 1
        if id_ := said.text("id"):
            self._ids.add(id_)
        return is_known

    def end(self) -> None:
        """No more messages of this end."""
        self._here.clear()

    def _take(self, text: str, run: str) -> bool:
        """Whether a model or tool within the node said it; each time counts once."""
        for index, (said, runs) in enumerate(self._inside):
            if said == text and (run in runs or not runs):
                del self._inside[index]
                return True
        return False

    def _add(self, said: Part) -> None:
        self._count[_key(said)] += 1
        if id_ := said.text("id"):
            self._ids.add(id_)


def _key(said: Part) -> tuple[str, str]:
    return role_of(said), text_of(said)
