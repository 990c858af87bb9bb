"""The requests waiting for one agent, in the order in which they become runs."""

from collections.abc import Container, Iterable, Iterator

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.session.running.run_request import RunRequest


class WaitingRequests:
    """What was saved comes before what nobody saved for."""

    def __init__(self) -> None:
        self._requests: list[RunRequest] = []

    def __bool__(self) -> bool:
        return bool(self._requests)

    def __iter__(self) -> Iterator[RunRequest]:
        return iter(self._requests)

    @property
    def keys(self) -> frozenset[CaseKey]:
        return frozenset(key for request in self._requests for key in request.keys)

    def clear(self) -> None:
        self._requests.clear()

    def add(self, request: RunRequest) -> None:
        """After those of its kind: several saves in a row are one run, and what waits that nobody
        saved for becomes the rest which follows them."""
        if not request.keys:
            return
        if not request.trigger:
            self._requests.append(request)
            return
        saved = [one for one in self._requests if one.trigger]
        others = [one.after_a_save() for one in self._requests if not one.trigger]
        alike = [one for one in others if one.is_like(request)]
        asked_for = {key for one in alike for key in one.asked_for}
        request = replace(
            request,
            by_outcome=request.by_outcome.union(*(one.by_outcome for one in alike)),
            while_due=request.while_due - asked_for,
        )
        others = [one.without(request.keys) if one in alike else one for one in others]
        same = next((number for number, one in enumerate(saved) if one.is_like(request)), None)
        if same is not None:
            saved[same] = saved[same].followed_by(request)
        else:
            saved.append(request)
        self._requests = [*saved, *(one for one in others if one.keys)]

    def take_in(self, request: RunRequest) -> bool:
        """Have one that waits be of its cases too, if there is one like it."""
        for number, one in enumerate(self._requests):
            if one.is_like(request) and bool(one.trigger) is bool(request.trigger):
                self._requests[number] = one.with_cases_of(request)
                return True
        return False

    def begin_save(self) -> None:
        """Those that nobody saved for are the doing of no save from now on."""
        self._requests = [one.after_a_save() for one in self._requests]

    def add_first(self, request: RunRequest) -> None:
        """Before all others."""
        if request.keys:
            self._requests.insert(0, request)

    def pop(self) -> RunRequest:
        """The next one, which knows what follows it."""
        return self._requests.pop(0).before(self._requests)

    def supersede(
        self,
        before: RunRequest,
        pending: Iterable[CaseKey],
        later: RunRequest,
        due: Container[CaseKey],
    ) -> None:
        """Add what is still `due` of `later`, which takes the place of a run, and what that run
        left undone: `pending` of the request `before`.
        """
        left = before.left_of(due)
        undone = {key: None for key in pending if key in left}
        rest, *others = later.in_place_of(before, undone, due)
        self.add_first(rest)
        for request in others:
            (self.add if request.trigger else self.add_first)(request)
