"""Runs inside the child: loads the evaluators of one entry, and has them judge.

Started by its path with any Python from 3.9 on, so it imports the standard library only. The first
line says what to load; each further one is a context and the evaluators that are to judge it, each
of which is answered by a line of its own as soon as it is done.

A save waits for its start, so what takes long to import is imported where it is needed.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltui.child import fresh_modules, inside
    from evaltui.evaluators.worker import (
        context_judging,
        copies,
        exports,
        unchangeable,
        used_files,
    )
else:

    def _at(place):
        spec = importlib.util.spec_from_file_location(f"_evaltui_{place.stem}", place)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    _here = Path(__file__).resolve().parent
    context_judging, exports = _at(_here / "context_judging.py"), _at(_here / "exports.py")
    used_files = _at(_here / "used_files.py")
    fresh_modules = _at(_here.parent.parent / "child" / "fresh_modules.py")
    copies, inside = context_judging.copies, context_judging.inside
    unchangeable = context_judging.unchangeable

GROUP = "evaltui.evaluators"


class NotFound(Exception):
    """There is no such entry point or module."""


class Given(fresh_modules.FreshLoader):
    """Compiles the source that it was given: what was read is what runs."""

    source = b""

    def get_data(self, path: str) -> bytes:
        return self.source if path == self.path else super().get_data(path)


def found(asked: dict[str, Any], root: str) -> Any:
    """The module of a file, or what an entry point or a module's name stands for."""
    fresh_modules.import_from(root)
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
        with copies.Copies():
            exported = exports.exported(found(asked, root), kit)
        said = [exports.described(each, kit) for each in exported]
    except NotFound:
        return [], {"fault": "not-found"}
    except exports.InvalidExport as error:
        return [], {"fault": "export", "why": str(error)}
    except BaseException as error:  # also sys.exit at import
        why, place = inside.fault(error, root), inside.place(error, root)
        return [], {"fault": "load", "why": why, "place": place}
    return [one for one in exported if isinstance(one, kit.EvaluatorDefinition)], {
        "evaluators": said
    }


def main(kit_folder: str, root: str) -> None:
    wire = inside.Wire()
    printed = sys.stdout = sys.stderr = inside.Printed()
    sys.path.insert(0, kit_folder)
    kit = importlib.import_module("evaltui")
    asked = wire.next()
    os.chdir(root)  # maybe made anew since this was started
    used = used_files.UsedFiles(root)
    definitions, said = loaded(asked, root, kit)
    files = inside.project_files(root)
    read, written = used.take_read(), used.take_written()
    facts = {"printed": printed.take(), "files": files, "read": read, "written": written}
    wire.say({**said, **facts, "missed": used.missed()})
    if not definitions:
        return
    judging = context_judging.Judging(definitions, wire, printed, root, used)
    while True:
        asked = wire.next()
        context = kit.EvaluatorContext.from_json(unchangeable.unchangeable(asked["context"]))
        checks, limits = asked["checks"], asked.get("limits", ())
        if limits:
            judging.together(context, checks[: len(limits)], limits)
        judging.each(context, checks[len(limits) :])


if __name__ == "__main__":
    inside.leave_folder(__file__)
    main(sys.argv[1], sys.argv[2])
