"""Runs inside the child: evaluators of one entry judge one context after the other.

Started by its path with any Python from 3.9 on, so it imports the standard library only. The first
line says what to load; each further one is a context and the evaluators that are to judge it, each
of which is answered by a line of its own as soon as it is done.

A save waits for its start, so what takes long to import is imported where it is needed.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect as inspection
import os
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltui.child import inside
    from evaltui.evaluators.worker import exports, unchangeable
else:

    def _beside(folder, name):
        place = folder / f"{name}.py"
        spec = importlib.util.spec_from_file_location(f"_evaltui_{name}", place)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    _here = Path(__file__).resolve().parent
    inside = _beside(_here.parent.parent / "child", "inside")
    exports, unchangeable = _beside(_here, "exports"), _beside(_here, "unchangeable")

GROUP = "evaltui.evaluators"
MOST_MEMORY = 4 << 30
"""Bytes of data of the process: who takes more gets a MemoryError instead of all that there is."""


class NotFound(Exception):
    """There is no such entry point or module."""


class Given(inside.FreshLoader):
    """Compiles the source that it was given: what was read is what runs."""

    source = b""

    def get_data(self, path: str) -> bytes:
        return self.source if path == self.path else super().get_data(path)


def found(asked: dict[str, Any], root: str) -> Any:
    """The module of a file, or what an entry point or a module's name stands for."""
    inside.import_fresh(root)
    sys.path.insert(0, root)
    if (Path(root) / "src").is_dir():
        sys.path.insert(1, str(Path(root) / "src"))
    if "path" in asked:
        path = asked["path"]
        sys.path.insert(0, str(Path(path).parent))
        name = f"_evaluators_of_{Path(path).stem}"
        loader = Given(name, path)
        loader.source = asked["source"].encode("latin-1")
        spec = importlib.util.spec_from_file_location(name, path, loader=loader)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        loader.exec_module(module)
        return module
    from importlib import metadata

    name = asked["module"]
    points = metadata.entry_points()
    chosen = points.select(group=GROUP) if hasattr(points, "select") else points.get(GROUP, ())
    for point in chosen:
        if point.name == name:
            return point.load()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise NotFound from None
        raise


def loaded(asked: dict[str, Any], root: str, kit: ModuleType) -> tuple[list[Any], dict[str, Any]]:
    """The evaluators, and what is said of them or of why there are none."""
    try:
        definitions = exports.exported(found(asked, root), kit)
    except NotFound:
        return [], {"fault": "not-found"}
    except exports.InvalidExport as error:
        return [], {"fault": "export", "why": str(error)}
    except BaseException as error:  # also sys.exit at import
        why, place = inside.fault(error, root), inside.place(error, root)
        return [], {"fault": "load", "why": why, "place": place}
    return definitions, {"evaluators": [exports.described(each) for each in definitions]}


class Judging:
    """Calls evaluators, all of them with the same event loop, and tells what each answers."""

    def __init__(self, definitions: list[Any], wire: Any, printed: Any, root: str) -> None:
        self._by_type = {each.type: each.evaluate for each in definitions}
        self._wire, self._printed, self._root = wire, printed, root
        self._own_id = os.getpid()
        self._loop: Any = None

    def together(self, context: Any, checks: list[Any], limits: list[float]) -> None:
        """Those that wait, all at the same time; `limits` in seconds, one for each."""
        loop = self._take_loop()
        tasks = [
            loop.create_task(self._told(context, check, limits[index]))
            for index, check in enumerate(checks)
        ]
        for task in tasks:
            loop.run_until_complete(task)

    def alone(self, context: Any, check: list[Any]) -> None:
        """One that has the process for itself until it is done."""
        id_, type_, config = check
        began, answer = time.perf_counter(), {"id": id_}
        try:
            answer["value"] = self._judged(self._by_type[type_], seen(context, config))
        except BaseException as error:
            answer |= self._broken(error)
        self._tell(answer, began)

    def _judged(self, evaluate: Any, context: Any) -> Any:
        """What an evaluator returned, as JSON knows it; awaited where it is to be."""
        if "asyncio" in sys.modules:  # else nobody asks for an event loop
            self._take_loop()
        value = evaluate(context)
        if inspection.isawaitable(value):
            value = self._take_loop().run_until_complete(_awaited(value))
        return as_json(value)

    async def _told(self, context: Any, check: list[Any], limit: float) -> None:
        import asyncio

        id_, type_, config = check
        self._printed.begin()
        began, answer = time.perf_counter(), {"id": id_}
        task = asyncio.ensure_future(self._waited(self._by_type[type_], seen(context, config)))
        done, _ = await asyncio.wait({task}, timeout=limit)
        if done:
            answer |= task.result()
        else:
            task.cancel()
            answer["error"] = f"timed out after {limit:g} s"
        self._tell(answer, began)

    async def _waited(self, evaluate: Any, context: Any) -> dict[str, Any]:
        """Raises nothing: some exceptions would end the event loop of the others."""
        try:
            return {"value": as_json(await evaluate(context))}
        except BaseException as error:
            return self._broken(error)

    def _broken(self, error: BaseException) -> dict[str, Any]:
        return {"error": said_by(error), "fault": inside.fault(error, self._root)}

    def _tell(self, answer: dict[str, Any], began: float) -> None:
        if os.getpid() != self._own_id:
            os._exit(0)  # a copy of the process that came back: its parent answers
        answer["ms"] = (time.perf_counter() - began) * 1000
        if text := self._printed.take():
            answer["printed"] = text
        say(answer, self._wire)

    def _take_loop(self) -> Any:
        import asyncio

        self._loop = self._loop or asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)  # `asyncio.run` of another evaluator took it away
        return self._loop


async def _awaited(value: Any) -> Any:
    return await value


def seen(context: Any, config: Any) -> Any:
    return context.with_config(unchangeable.unchangeable(config))


def as_json(value: Any) -> Any:
    to_json = getattr(value, "to_json", None)
    return to_json() if callable(to_json) else value


def main(kit_folder: str, root: str) -> None:
    wire = inside.Wire()
    printed = sys.stdout = sys.stderr = inside.Printed()
    os.chdir(root)
    limit_memory()
    sys.path.insert(0, kit_folder)
    kit = importlib.import_module("evaltui")
    definitions, said = loaded(wire.next(), root, kit)
    wire.say({**said, "printed": printed.take(), "files": inside.project_files(root)})
    if not definitions:
        return
    judging = Judging(definitions, wire, printed, root)
    while True:
        asked = wire.next()
        context = kit.EvaluatorContext.from_json(unchangeable.unchangeable(asked["context"]))
        checks, limits = asked["checks"], asked.get("limits", ())
        if limits:
            judging.together(context, checks[: len(limits)], limits)
        for check in checks[len(limits) :]:
            judging.alone(context, check)


def said_by(error: BaseException) -> str:
    """The message of an exception; of one without its type."""
    if isinstance(error, SystemExit):
        return f"it called sys.exit({error.code!r})"
    try:
        return (str(error).strip() or type(error).__name__)[: inside.ERROR_LIMIT]
    except Exception:
        return type(error).__name__


def say(answer: dict[str, Any], wire: inside.Wire) -> None:
    try:
        wire.say(answer)
    except (TypeError, ValueError, RecursionError) as error:
        answer.pop("value", None)
        wire.say({**answer, "error": f"its result cannot be written as JSON ({error})"})


def limit_memory() -> None:
    try:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(hard, MOST_MEMORY)
        if soft == resource.RLIM_INFINITY or soft > most:
            resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    except (ImportError, OSError, ValueError):
        return  # not a POSIX system, or one that sets no such limit


if __name__ == "__main__":
    inside.leave_folder(__file__)
    main(sys.argv[1], sys.argv[2])
