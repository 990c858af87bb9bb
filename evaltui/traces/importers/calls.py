"""Which tool calls were made, and which still wait for their result."""

from msgspec import Struct


class Call(Struct, frozen=True):
    """A call of a tool; the id is empty where the record gives it none."""

    tool: str
    call_id: str
    span_id: str


class Calls:
    """The calls of one trace; several may be open at once."""

    def __init__(self) -> None:
        self._open: list[Call] = []
        self._made: set[str] = set()
        self._tools: set[str] = set()

    def add(self, call: Call) -> None:
        self._open.append(call)
        self._made.add(call.call_id)
        self._tools.add(call.tool)

    def answered(self, tool: str, call_id: str) -> Call | None:
        """The open call that a result is for, which is open no longer; `None` rather than a guess.

        Ids decide where there are any; else the first open call of the tool, and without the name
        of one the only call that is open.
        """
        fits = [one for one in self._open if call_id and one.call_id == call_id]
        if not fits and not (call_id and any(one.call_id for one in self._open)):
            fits = [one for one in self._open if not tool or one.tool == tool]
            if not tool and len(fits) > 1:
                return None
        if not fits:
            return None
        self._open.remove(fits[0])
        return fits[0]

    def was_made(self, call_id: str) -> bool:
        """Whether there was a call of this id, answered or not."""
        return bool(call_id) and call_id in self._made

    def was_answered(self, tool: str) -> bool:
        """Whether a tool was called and has answered all its calls."""
        return tool in self._tools and not self.has_open(tool)

    def is_open(self, call_id: str) -> bool:
        """Whether a call of this id was made and not answered yet."""
        return any(one.call_id == call_id for one in self._open)

    def has_open(self, tool: str, *, among_ids: bool = True) -> bool:
        """Whether a tool was called and has not answered yet; of calls with an id only where they
        are asked for."""
        return any(one.tool == tool and (among_ids or not one.call_id) for one in self._open)
