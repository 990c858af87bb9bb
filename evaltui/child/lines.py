"""Children that stay and speak JSON lines: one question at a time each, taken from a pool."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from evaltui.child.process import Child

LINE_LIMIT = 32 * 1024 * 1024
"""Bytes of one line."""


class LineTooLong(Exception):
    """The child wrote more than the limit without a line break."""


class Ended(Exception):
    """The child ended before it had answered."""


class LineChild:
    """A child whose stdout is read line by line."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._is_too_long = False
        self.child: Child | None = None

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str] | None = None,
        limit: int = LINE_LIMIT,
        most_memory: int | None = None,
    ) -> "LineChild":
        """Raises OSError or ValueError as `Child.start`."""
        self = cls(limit)
        self.child = await Child.start(
            argv, self._on_output, cwd=cwd, env=env, most_memory=most_memory
        )
        self.child.silent.add_done_callback(lambda _: self._lines.put_nowait(None))
        self.child.exited.add_done_callback(lambda _: self._close_soon())
        return self

    @property
    def is_alive(self) -> bool:
        return self.child is not None and self.child.is_alive and not self._is_too_long

    @property
    def has_unread(self) -> bool:
        """Whether it spoke without being asked, or began a line and did not end it."""
        return not self._lines.empty() or bool(self._size)

    @property
    def has_line(self) -> bool:
        """Whether `line` gives one at once, or raises."""
        return not self._lines.empty()

    def say(self, line: bytes) -> None:
        if self.child is not None:
            self.child.write(line + b"\n")

    async def line(self) -> bytes:
        """The next line. Raises Ended or LineTooLong."""
        line = await self._lines.get()
        if line is None:
            if self._is_too_long:
                raise LineTooLong
            raise Ended
        return line

    async def ending(self, wait_s: float = 0.5) -> tuple[str, str]:
        """How a child that went silent ended, in words, and the end of its stderr, since that was
        forgotten last."""
        child = self.child
        if child is None:
            return "", ""
        await asyncio.wait({child.exited}, timeout=wait_s)
        ending = f"ended with {child.exited.result()}" if child.exited.done() else "went silent"
        return ending, child.said

    def forget_said(self) -> None:
        """As `Child.forget_said`."""
        if self.child is not None:
            self.child.forget_said()

    def kill(self) -> None:
        if self.child is not None:
            self.child.kill()

    async def end(self) -> None:
        if self.child is not None:
            await self.child.end()

    def _on_output(self, data: bytes) -> None:
        if self._is_too_long:
            return
        first, *others = data.split(b"\n")
        self._add(first)
        for part in others:
            self._lines.put_nowait(b"".join(self._parts))
            self._parts, self._size = [], 0
            self._add(part)

    def _add(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._limit:
            self._is_too_long = True
            self._parts = []
            self._lines.put_nowait(None)
            self.kill()
        elif part:
            self._parts.append(part)

    def _close_soon(self) -> None:
        # What it left behind may hold the pipe open for ever; what it wrote itself is here soon.
        asyncio.get_running_loop().call_later(0.25, self._lines.put_nowait, None)


class Pool:
    """Children that wait for the next question; as many as questions are open at once."""

    def __init__(self, start: Callable[[], Awaitable[LineChild]]) -> None:
        self._start = start
        self._idle: list[LineChild] = []
        self._busy: set[LineChild] = set()
        self._dying: set[LineChild] = set()

    async def take(self) -> LineChild:
        """A child of its own for the caller. Raises what starting one raises."""
        while self._idle:
            child = self._idle.pop()
            if child.is_alive and not child.has_unread:
                self._busy.add(child)
                return child
            self._kill(child)
        child = await self._start()
        self._busy.add(child)
        return child

    def give_back(self, child: LineChild) -> None:
        """The child has answered and may be asked again."""
        self._busy.discard(child)
        if child.is_alive:
            self._idle.append(child)
        else:
            self._kill(child)

    def drop_unless_idle(self, child: LineChild) -> None:
        """A child that was not given back cannot be trusted any more: it is killed."""
        if child in self._busy:
            self._busy.discard(child)
            self._kill(child)

    async def close(self) -> None:
        """End them all."""
        children = [*self._idle, *self._busy, *self._dying]
        self._idle, self._busy, self._dying = [], set(), set()
        await asyncio.gather(*(child.end() for child in children))

    def _kill(self, child: LineChild) -> None:
        child.kill()
        self._dying = {each for each in self._dying if each.child and each.child.is_alive} | {child}
