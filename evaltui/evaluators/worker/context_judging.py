"""Judges one context after the other by the evaluators of one entry, those that wait for something
at the same time; each is answered by a line of its own as soon as it is done.

Loaded by its path with any Python from 3.9 on, so it imports the standard library only.
"""

from __future__ import annotations

import builtins
import importlib.util
import inspect as inspection
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltui.child import inside
    from evaltui.evaluators.worker import copies, unchangeable
else:

    def _at(path):
        spec = importlib.util.spec_from_file_location(f"_evaltui_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    _here = Path(__file__).resolve().parent
    inside = _at(_here.parent.parent / "child" / "inside.py")
    copies, unchangeable = _at(_here / "copies.py"), _at(_here / "unchangeable.py")

# Taken before anything of the user's runs: an evaluator that stops the clock, say, does so for its
# own code only.
_now, _worked = time.perf_counter, time.thread_time
_is_awaitable, _is_coroutine = inspection.isawaitable, inspection.iscoroutinefunction
_exit, _go_to = os._exit, os.chdir

WAITS_MS = 20.0
"""Who waited so long for anything but the processor judges beside others the next time."""


class Judging:
    """Calls evaluators, all of them with the same event loop, and tells what each answers."""

    def __init__(
        self, definitions: list[Any], wire: Any, printed: Any, root: str, used: Any
    ) -> None:
        self._by_type = {str(each.type): each.evaluate for each in definitions}
        self._wire, self._printed, self._root = wire, printed, root
        self._used = used
        self._limits = {str(each.type): each.timeout for each in definitions}
        self._loop: Any = None
        self._waiting: set[str] = set()
        """Types of those that block."""
        self._bound: set[str] = set()
        """Of those that can judge in no other thread."""
        self._again: list[list[Any]] = []
        self._folder = str(Path.cwd())
        """Where all of them judge, wherever one of them goes."""
        self._built_in, self._copies = BuiltIn(), copies.Copies()

    def each(self, context: Any, checks: list[Any]) -> None:
        """One after the other; those that were seen to block at the same time, in threads."""
        waiting = [check for check in checks if check[1] in self._waiting]
        if len(waiting) > 1:
            self._wire.say({"together": [id_ for id_, _, _ in waiting]})
            self.together(context, waiting, [self._limits[type_] for _, type_, _ in waiting])
            checks = [check for check in checks if check not in waiting]
        for check in checks:
            self.alone(context, check)

    def together(self, context: Any, checks: list[Any], limits: list[float]) -> None:
        """All at the same time; `limits` in seconds, one for each."""
        loop = self._take_loop()
        self._go_back()
        tasks = [
            loop.create_task(self._judge_one(context, check, limits[index]))
            for index, check in enumerate(checks)
        ]
        for task in tasks:
            loop.run_until_complete(task)
        again, self._again = self._again, []
        for check in again:
            if self.alone(context, check):
                self._bound.add(check[1])
                self._waiting.discard(check[1])

    def alone(self, context: Any, check: list[Any]) -> bool:
        """One that has the process for itself until it is done; whether it judged."""
        id_, type_, config = check
        self._go_back()
        began, worked, answer = _now(), _worked(), {"id": id_}
        try:
            with self._copies:
                answer["value"] = self._judged(self._by_type[type_], seen(context, config))
        except BaseException as error:
            answer |= self._broken(error)
        stop_timers()
        waited = _now() - began - (_worked() - worked)
        if waited * 1000 > WAITS_MS and type_ not in self._bound:
            self._waiting.add(type_)
        self._tell(answer, began)
        return "error" not in answer

    def _judged(self, evaluate: Any, context: Any) -> Any:
        """What an evaluator returned, as JSON knows it; awaited where it is to be."""
        if "asyncio" in sys.modules:  # else nobody asks for an event loop
            self._take_loop()
        value = self._built_in.call(evaluate, context)
        if _is_awaitable(value):
            value = self._take_loop().run_until_complete(self._built_in.awaited(value))
        return as_json(value)

    async def _judge_one(self, context: Any, check: list[Any], limit: float) -> None:
        import asyncio

        id_, type_, config = check
        self._printed.begin()
        began, answer = _now(), {"id": id_}
        evaluate = self._by_type[type_]
        task = asyncio.ensure_future(self._waited(evaluate, seen(context, config)))
        done, _ = await asyncio.wait({task}, timeout=limit)
        if done:
            answer |= task.result()
        else:
            task.cancel()
            answer["error"] = f"timed out after {limit:g} s"
        if not _is_coroutine(evaluate) and "error" in answer:
            if done and "thread" in answer["error"].lower():  # which it is in by our choice
                self._again.append(check)
                return
            if not done:  # its thread cannot be ended: the process can, where it is alone
                self._bound.add(type_)
                self._waiting.discard(type_)
        self._tell(answer, began)

    async def _waited(self, evaluate: Any, context: Any) -> dict[str, Any]:
        """Raises nothing: some exceptions would end the event loop of the others."""
        try:
            if _is_coroutine(evaluate):
                with self._copies:
                    return {"value": as_json(await self._built_in.awaited(evaluate(context)))}
            value = await in_thread(evaluate, context, self._built_in, self._copies)
            return {"value": as_json(value)}
        except BaseException as error:
            return self._broken(error)

    def _broken(self, error: BaseException) -> dict[str, Any]:
        told = {"error": said_by(error), "fault": inside.fault(error, self._root)}
        return {**told, "isSpent": True} if isinstance(error, MemoryError) else told

    def _tell(self, answer: dict[str, Any], began: float) -> None:
        answer["ms"] = (_now() - began) * 1000
        if text := self._printed.take():
            answer["printed"] = text
        if written := self._used.take_written():
            answer["written"] = written
        say(answer, self._wire)
        if "isSpent" in answer:
            _exit(1)  # somebody may have kept what it took: there is none for whoever comes next

    def _go_back(self) -> None:
        try:
            _go_to(self._folder)
        except OSError:
            return  # it was removed meanwhile: whoever looks for something there says so

    def _take_loop(self) -> Any:
        import asyncio

        self._loop = self._loop or asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)  # `asyncio.run` of another evaluator took it away
        return self._loop


class BuiltIn:
    """The built-in functions as they are when it is made: who exchanges one, such as `open`, does
    so for its own call. What puts them back must use none of them."""

    def __init__(self) -> None:
        self._all = vars(builtins)
        self._kept = {**self._all}

    def call(self, evaluate: Any, context: Any) -> Any:
        try:
            return evaluate(context)
        finally:
            self._put_back()

    async def awaited(self, value: Any) -> Any:
        try:
            return await value
        finally:
            self._put_back()

    def _put_back(self) -> None:
        if self._all == self._kept:  # as nearly always, and far sooner said than of each
            return
        for name, value in self._kept.items():
            if self._all.get(name) is not value:
                self._all[name] = value


async def in_thread(evaluate: Any, context: Any, built_in: BuiltIn, ended: copies.Copies) -> Any:
    """What it returns; in a thread that nobody waits for, since it cannot be broken off."""
    import asyncio
    import contextvars
    import threading

    loop = asyncio.get_running_loop()
    future: Any = loop.create_future()

    def settle(value: Any, error: Any) -> None:
        if not future.done():
            future.set_result((value, error))

    def work() -> None:
        own, value, error = asyncio.new_event_loop(), None, None
        asyncio.set_event_loop(own)
        try:
            with ended:
                value = built_in.call(evaluate, context)
                if _is_awaitable(value):
                    value = own.run_until_complete(built_in.awaited(value))
        except BaseException as caught:
            error = caught
        own.close()
        loop.call_soon_threadsafe(settle, value, error)

    run = contextvars.copy_context().run  # what it prints is its own
    threading.Thread(target=run, args=(work,), daemon=True).start()
    value, error = await future
    if error is not None:
        raise error
    return value


def stop_timers() -> None:
    """Those that an evaluator left behind: what they raise would be raised in the next one."""
    signals: Any = sys.modules.get("signal")
    for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF"):
        if (which := getattr(signals, name, None)) is not None:
            signals.setitimer(which, 0)


def seen(context: Any, config: Any) -> Any:
    return context.with_config(unchangeable.unchangeable(config))


def as_json(value: Any) -> Any:
    to_json = getattr(value, "to_json", None)
    return to_json() if callable(to_json) else value


def said_by(error: BaseException) -> str:
    """The message of an exception; of one without its type."""
    if isinstance(error, SystemExit):
        return f"it called sys.exit({error.code!r})"
    try:
        said = str(error).strip()
        if isinstance(error, KeyError) and said:  # its text is the key alone
            said = f"KeyError: {said}"
        return inside.start_of(said or type(error).__name__)
    except Exception:
        return type(error).__name__


def say(answer: dict[str, Any], wire: inside.Wire) -> None:
    try:
        wire.say(answer)
    except (TypeError, ValueError, RecursionError) as error:
        answer.pop("value", None)
        wire.say({**answer, "error": f"its result cannot be written as JSON ({error})"})
