"""Runs inside the child: a user's function answers one JSON line after another.

Started by its path with any Python from 3.9 on, so it imports the standard library only.
"""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltui.child import framework_results, fresh_modules, inside
else:

    def _neighbour(name: str) -> ModuleType:
        place = Path(__file__).with_name(f"{name}.py")
        spec = importlib.util.spec_from_file_location(f"_evaltui_{name}", place)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    inside, fresh_modules = _neighbour("inside"), _neighbour("fresh_modules")
    framework_results = _neighbour("framework_results")


def load(target: str, root: str) -> Callable[..., Any]:
    """The function of `module:function` or `path/file.py:function`."""
    place, _, name = target.rpartition(":")
    found: Any = fresh_modules.load_module(place, root)
    for part in name.split("."):
        found = getattr(found, part)
    if not callable(found):
        raise TypeError(f"`{name}` is {type(found).__name__}, not a function")
    function: Callable[..., Any] = found
    return function


def wanted_arguments(function: Callable[..., Any]) -> set[str] | None:
    """Which keyword arguments it takes besides the message; `None`: any."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return set()
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters):
        return None
    return {each.name for each in parameters[1:]} | {
        each.name for each in parameters[:1] if each.kind is inspect.Parameter.KEYWORD_ONLY
    }


async def last_of(pieces: AsyncIterator[Any], wire: inside.Wire, id_: int) -> Any:
    """Stream the texts of an asynchronous generator; what is no text is the answer."""
    texts, answer = [], None
    async for piece in pieces:
        if isinstance(piece, str):
            texts.append(piece)
            wire.say({"id": id_, "piece": piece})
        else:
            answer = piece
    return "".join(texts) if answer is None else answer


async def as_async(pieces: Iterable[Any]) -> AsyncIterator[Any]:
    for piece in pieces:
        yield piece


def chosen(question: Any, wanted: set[str] | None) -> dict[str, Any]:
    """The keyword arguments that the function takes."""
    given = question["keywords"].items()
    return {key: value for key, value in given if wanted is None or key in wanted}


def answer(
    function: Callable[..., Any],
    wanted: set[str] | None,
    question: Any,
    wire: inside.Wire,
    loop: asyncio.AbstractEventLoop,
) -> Any:
    """What the function returns. It is called outside of our loop: it may run one of its own."""
    asyncio.set_event_loop(loop)  # `asyncio.run` of an earlier question took it away
    value = function(question["message"], **chosen(question, wanted))
    if inspect.isgenerator(value):
        value = as_async(value)
    if inspect.isasyncgen(value):
        value = loop.run_until_complete(last_of(value, wire, question["id"]))
    elif inspect.isawaitable(value):
        value = loop.run_until_complete(awaited(value))
    return value


async def awaited(value: Awaitable[Any]) -> Any:
    return await value


def main(target: str, root: str) -> None:
    wire = inside.Wire()
    printed = sys.stdout = sys.stderr = inside.Printed()
    os.chdir(root)
    try:
        function = load(target, root)
    except BaseException as error:  # also sys.exit at import
        wire.say({"load_error": inside.fault(error, root), "printed": printed.take()})
        return
    wanted = wanted_arguments(function)
    at_once = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
    files = inside.project_files(root)
    wire.say({"ready": True, "at_once": at_once, "files": files, "printed": printed.take()})
    if at_once:
        asyncio.run(serve_at_once(function, wanted, wire, printed, root))
        return
    modules, own_id = len(sys.modules), os.getpid()
    loop = asyncio.new_event_loop()
    while True:
        question = wire.next()
        said: dict[str, Any] = {"id": question["id"]}
        try:
            note(said, answer(function, wanted, question, wire, loop))
        except BaseException as error:
            said["error"] = inside.fault(error, root)
        if os.getpid() != own_id:
            os._exit(0)  # a copy of the process that came back: its parent answers
        said["printed"] = printed.take()
        if len(sys.modules) != modules:  # looking through them all costs milliseconds
            modules = len(sys.modules)
            said["files"] = inside.project_files(root)
        say(said, wire, root)


def note(said: dict[str, Any], value: Any) -> None:
    """What a function returned, and of which class that is, unless of a usual one."""
    said["value"] = framework_results.recognised(value)
    kind = type(value)
    if kind.__module__ != "builtins":
        said["kind"] = f"{kind.__module__}.{kind.__qualname__}"


def say(said: dict[str, Any], wire: inside.Wire, root: str) -> None:
    try:
        wire.say(said)
    except BaseException as error:  # also of methods of what was returned
        if not isinstance(error, (Exception, SystemExit)):
            raise
        said.pop("value", None)
        what = str(error) if isinstance(error, _OF_JSON) else inside.fault(error, root)
        said["error"] = f"what the function returned cannot be written as JSON ({what})"
        wire.say(said)


_OF_JSON = (TypeError, ValueError, RecursionError)


async def serve_at_once(
    function: Callable[..., Any],
    wanted: set[str] | None,
    wire: inside.Wire,
    printed: inside.Printed,
    root: str,
) -> None:
    """Answer all questions that are open, each in a task of its own; say that the loop turns."""
    loop = asyncio.get_running_loop()
    tasks: dict[int, asyncio.Task[None]] = {}
    modules, own_id = len(sys.modules), os.getpid()
    reader = ThreadPoolExecutor(1)

    async def one(question: Any) -> None:
        nonlocal modules
        printed.begin()
        said: dict[str, Any] = {"id": question["id"]}
        try:
            value = function(question["message"], **chosen(question, wanted))
            if inspect.isasyncgen(value):
                value = await last_of(value, wire, question["id"])
            elif inspect.isawaitable(value):
                value = await value
            note(said, value)
        except BaseException as error:  # also sys.exit, which would end the loop
            said["error"] = inside.fault(error, root)
        if os.getpid() != own_id:
            os._exit(0)  # a copy of the process that came back: its parent answers
        said["printed"] = printed.take()
        if len(sys.modules) != modules:
            modules = len(sys.modules)
            said["files"] = inside.project_files(root)
        say(said, wire, root)
        tasks.pop(question["id"], None)

    while True:
        question = await loop.run_in_executor(reader, wire.next)
        if "turns" in question:
            wire.say(question)
        elif "cancel" in question:
            if (task := tasks.get(question["cancel"])) is not None:
                task.cancel()
        else:
            tasks[question["id"]] = loop.create_task(one(question))


if __name__ == "__main__":
    inside.leave_folder(__file__)
    main(sys.argv[1], sys.argv[2])
