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
        request.waiting = tuple({key: None for one in self._requests for key in one.keys})
        return request

    def supersede(
        self,
        before: RunRequest,
        pending: Iterable[CaseKey],
        later: RunRequest,
        due: Container[CaseKey],
    ) -> None:
        """Add what is still `due` of `later`, which takes the place of a run, and what that run
        left undone: `pending` of the request `before`.

        Several saves in a row are one run. What nobody saved for comes after the save.
        """
        wanted = {key: None for key in later.keys if key in due}
        is_one_run = bool(before.trigger) or not later.trigger
        left = before.left_of(due)
        undone = {key: None for key in pending if key in left}
        mine = {key: None for key in undone if is_one_run or key in wanted}
        rest = {key: None for key in undone if key not in mine}
        later.while_due = frozenset(mine | wanted) - before.asked_for
        later.is_rest = before.is_rest and is_one_run
        if later.trigger:
            later.trigger = tuple(dict.fromkeys((*before.trigger, *later.trigger)))
        self.add_first(
            RunRequest(
                rest,
                before.reason,
                trials=before.trials,
                is_rest=True,
                is_by_news=True,
                while_due=before.while_due,
            )
        )
        if before.trials != later.trials:
            self._follow_run(replace(later, keys=mine, trials=before.trials))
            mine, wanted = {}, {key: None for key in wanted if key not in mine}
        later.keys = mine | wanted
        self._follow_run(later)

    def _follow_run(self, request: RunRequest) -> None:
        (self.add if request.trigger else self.add_first)(request)
