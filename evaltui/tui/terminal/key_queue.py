"""Typed keys, one after another: each waits until the last one's action is done."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from textual.app import App
from textual.events import Event
from textual.message_pump import MessagePump
from textual.screen import ModalScreen

SETTLED_ROUNDS = 3
"""A widget answers a key with a message of its own, which is one round behind it; a dialog that
hears it may have another widget send one more."""
LOST_S = 0.5
"""Seconds after which it is looked whether a widget that a round waits for is still there."""


class KeyQueue:
    """A terminal sends several keys in one write where a text is pasted, a link is slow or we are
    busy. A widget that a key opens has the focus some turns of the loop later, and one that a key
    is forwarded to has taken it later still: what follows would overtake it.
    """

    def __init__(self, app: App[int], answer: Callable[[Event], Awaitable[bool]]) -> None:
        """`answer` is called in the turn of the application, and says whether the key was dealt
        with at once: no widget has it to answer still."""
        self._app, self._answer = app, answer
        self._waiting: deque[Event] = deque()
        self._is_busy = False
        self._path: list[MessagePump] = []
        """Whom the round still has to come by."""
        self._at: MessagePump = app
        self._shown: MessagePump = app
        """The dialog that was painted when the last key was answered."""
        self._round = self._settled_rounds = 0
        self._seen: object = None
        self._guard: asyncio.TimerHandle | None = None

    async def put(self, event: Event) -> None:
        """Have it answered now, or once those before it are."""
        self._waiting.append(event)
        if self._is_busy:
            return
        if self._state() == self._seen:
            await self._next()
        else:  # something else than a key opened a dialog, or a click moved the focus
            self._is_busy = True
            self._settle()

    async def _next(self) -> None:
        self._is_busy = True
        while self._waiting:
            before, due = self._state(), self._app.message_queue_size
            is_done = await self._answer(self._waiting.popleft())
            # Whoever is to have the focus is told so in a turn of the application.
            is_moving = self._app.message_queue_size > due
            if not is_done or is_moving or self._state() != before:
                self._settle()
                return
        self._is_busy = False

    def _settle(self) -> None:
        self._settled_rounds, self._seen = 0, self._state()
        self._begin_round()

    def _begin_round(self) -> None:
        """By everyone who may have to do with the key, behind all that they were told before."""
        self._path = self._everyone()
        self._round += 1
        self._guard = asyncio.get_running_loop().call_later(LOST_S, self._look, self._round)
        self._hop(self._round)

    def _hop(self, number: int) -> None:
        while number == self._round and self._path:
            self._at = self._path.pop(0)
            is_new = isinstance(self._at, ModalScreen) and self._at is not self._shown
            # A dialog that was opened just now may be filled once it knows its width.
            follow = self._at.call_after_refresh if is_new else self._at.call_later
            if is_new:
                self._shown = self._at
            if follow(self._hop, number):
                return  # else it is gone
        if number == self._round:
            self._round += 1
            if self._guard is not None:
                self._guard.cancel()
            self._app.call_later(self._end_round)

    async def _end_round(self) -> None:
        state = self._state()
        self._settled_rounds = self._settled_rounds + 1 if state == self._seen else 0
        self._seen = state
        if self._settled_rounds < SETTLED_ROUNDS:
            self._begin_round()
        else:
            await self._next()

    def _look(self, number: int) -> None:
        """A widget that was removed meanwhile sends nobody on."""
        if number == self._round:
            if self._at.is_running and self._at.is_attached:
                loop = asyncio.get_running_loop()
                self._guard = loop.call_later(LOST_S, self._look, number)
            else:
                self._hop(number)

    def _state(self) -> object:
        """What tells that a key had an effect that the next one depends on."""
        if not self._app.screen_stack:
            return None
        screen = self._app.screen
        return screen, screen.focused, [one for one in screen.children if not one.is_mounted]

    def _everyone(self) -> list[MessagePump]:
        """What is being opened, and those that a key goes by: from the focus to the screen."""
        if not self._app.screen_stack:
            return []
        screen = self._app.screen
        opened = [one for one in screen.children if not one.is_mounted]
        first = screen.focused or screen
        return [*opened, *(one for one in first.ancestors_with_self if one is not self._app)]
