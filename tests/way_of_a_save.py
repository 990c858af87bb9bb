"""Records the way of a save: which modules hand the change on until its row is painted, in order.

A module is on the way when it stands on the call stack at one of the moments below, or waits for
the task or thread that does. Who was waiting before the save merely goes on waiting: it counts
only where the moment is its own.
"""

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import evaltui
from evaltui.core.events import CaseFinished

PACKAGE = f"{Path(evaltui.__file__).parent}/"
ASYNCIO = f"{Path(asyncio.__file__).parent}/"
AWAITED = ("to_thread", "create_task")
"""Whoever hands over by these waits for what comes of it; nobody waits for a timer."""


class Moment(NamedTuple):
    """The change is handed on where one of the functions is called, or where it returns."""

    module: str
    functions: tuple[str, ...]
    is_it: Callable[[dict[str, Any], Any], bool] = lambda *_: True
    """Gets the arguments by name, and what is returned."""
    event: str = "call"


def moments(case: str) -> list[Moment]:
    """In the order in which they happen, for the row of one case."""

    def has(keys: Any) -> bool:
        return any(key.case == case for key in keys)

    def is_result(event: Any) -> bool:
        return isinstance(event, CaseFinished) and has([event.result.key])

    heard, read = "watch/watcher.py", "project/reading.py"
    due, queued = "session/due_cases.py", "session/agent_queue.py"
    asked, judged = "agents/tool_loop.py", "judging/judge.py"
    emitted, known = "session/event_bus.py", "store/changes.py"
    told, painted = "tui/panes/line_list.py", "tui/render/case_line.py"
    return [
        Moment(heard, ("_news",), lambda _, news: isinstance(news, set) and bool(news), "return"),
        Moment(read, ("read_project",), event="return"),
        Moment(due, ("_mark",), lambda names, _: has([names["key"]]) and bool(names["due"])),
        Moment(queued, ("enqueue",), lambda names, _: has(names["request"].keys)),
        Moment(asked, ("respond",), lambda names, _: has([names["request"].key])),
        Moment(judged, ("judge",), lambda names, _: has([names["context"].case.key])),
        Moment(emitted, ("emit",), lambda names, _: is_result(names["event"])),
        Moment(known, ("note",), lambda names, _: has(names["keys"])),
        Moment("tui/pump.py", ("wake",)),
        Moment(
            told,
            ("refresh_index", "_refresh_differing"),
            lambda names, _: names["self"].id == "cases",
        ),
        Moment(painted, ("case_line",), lambda names, _: has([names["row"].key])),
    ]


class Origin(NamedTuple):
    """Who made a task, a thread or a timer, as modules from the outermost one on."""

    waiting: tuple[str, ...] = ()
    """Those that wait for it."""
    stack: tuple[str, ...] = ()
    """All."""


_ORIGIN = ContextVar("origin", default=Origin())  # noqa: B039 - frozen


class Way:
    """What happens between the save and the painted row."""

    def __init__(self, case: str) -> None:
        self.steps: dict[str, None] = {}
        """Modules on the way, in the order in which the change comes to them."""
        self.stacks: set[tuple[str, ...]] = set()
        """Modules on the stack, each time a function of the last of them is called."""
        self.left = moments(case)
        """Those that did not come yet."""
        self.painted = asyncio.Event()
        self._waiting = set(_frames_waiting())
        self._handing_over: dict[FrameType, Origin] = {}

    def note(self, frame: FrameType, event: str, result: Any) -> None:
        """What Python calls for each call and return, in whatever thread."""
        if frame.f_code.co_filename.startswith(ASYNCIO):
            self._hand_over(frame, event)
            return
        module = module_of(frame)
        if not module or not self.left:
            return
        if event == "call":
            self.stacks.add(_ORIGIN.get().stack + self._above(frame))
        moment = self.left[0]
        if (
            (module, event) == (moment.module, moment.event)
            and frame.f_code.co_name in moment.functions
            and moment.is_it(frame.f_locals, result)
        ):
            del self.left[0]
            self.steps |= dict.fromkeys(_ORIGIN.get().waiting + self._above(frame, is_new=True))
            if not self.left:
                self.painted.set()

    def _hand_over(self, frame: FrameType, event: str) -> None:
        """What asyncio makes here takes the context along, and in it who had it made."""
        if event == "call" and frame.f_back is not None and module_of(frame.f_back):
            origin = self._handing_over[frame] = _ORIGIN.get()
            waiting: tuple[str, ...] = ()
            if frame.f_code.co_name in AWAITED:
                waiting = origin.waiting + self._above(frame, is_new=True)
            _ORIGIN.set(Origin(waiting, origin.stack + self._above(frame)))
        elif event == "return" and frame in self._handing_over:
            _ORIGIN.set(self._handing_over.pop(frame))

    def _above(self, frame: FrameType, *, is_new: bool = False) -> tuple[str, ...]:
        """Modules on the stack; but the last only those that were not waiting already."""
        found: list[str] = []
        above: FrameType | None = frame
        while above is not None:
            module = module_of(above)
            if module and not (is_new and found and above in self._waiting):
                found.append(module)
            above = above.f_back
        return tuple(reversed(found))


def module_of(frame: FrameType) -> str:
    """The module of the package whose function it is; empty for others."""
    code = frame.f_code
    if code.co_name == "<module>" or not code.co_filename.startswith(PACKAGE):
        return ""
    return code.co_filename.removeprefix(PACKAGE)


def _frames_waiting() -> Iterator[FrameType]:
    for task in asyncio.all_tasks():
        waiting: Any = task.get_coro()
        while (frame := getattr(waiting, "cr_frame", None)) is not None:
            yield frame
            waiting = waiting.cr_await


@contextmanager
def recorded(case: str) -> Iterator[Way]:
    way = Way(case)
    # Threads that are there already cannot be listened to: give the loop new ones.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())
    threading.setprofile(way.note)
    sys.setprofile(way.note)
    try:
        yield way
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
