"""What one agent is still to run: requests, in the order in which they become runs."""

from collections.abc import Iterator

from evaltui.core.case import CaseKey
from evaltui.session.run_request import RunRequest


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
        others = [one for one in self._requests if not one.trigger]
        for one in others:
            one.is_rest = True
            if one.is_like(request):
                request.while_due -= one.asked_for
                one.keys = {key: None for key in one.keys if key not in request.keys}
        same = next((one for one in saved if one.is_like(request)), None)
        if same is not None:
            same.follow(request)
        else:
            saved.append(request)
        self._requests = [*saved, *(one for one in others if one.keys)]

    def add_first(self, request: RunRequest) -> None:
        """Before all others."""
        if request.keys:
            self._requests.insert(0, request)

    def pop(self) -> RunRequest:
        """The next one, which knows what follows it."""
        request = self._requests.pop(0)
        rest = (one for one in self._requests if one.is_rest and not one.is_rejudging)
        request.left = tuple(key for one in rest for key in one.keys)
        return request
