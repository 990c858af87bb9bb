"""Runs inside the child: a custom judge judges one case after another.

Started by its path with any Python from 3.9 on, so it imports the standard library only. The first
line says what to load and with which settings; each further one is a case.
"""

from __future__ import annotations

import importlib
import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltui.child import fresh_modules, inside
else:
    import importlib.util

    def _in_child(name):
        place = Path(__file__).resolve().parents[2] / "child" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(f"_evaltui_{name}", place)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    inside, fresh_modules = _in_child("inside"), _in_child("fresh_modules")

FIELDS = ("passed", "score", "reason", "evidence_refs", "hard_fail", "skipped", "category")


def found(asked: dict[str, Any], root: str) -> Any:
    """The class of `module:Class`, or what an entry point stands for."""
    name = asked["judge"]
    if ":" not in name:
        from importlib import metadata

        points = metadata.entry_points()
        for group in asked["groups"]:
            chosen = points.select(group=group) if hasattr(points, "select") else points.get(group)
            for point in chosen or ():
                if point.name == name:
                    return point.load()
        raise LookupError(f"no entry point of {' or '.join(asked['groups'])} is called so")
    module, _, attribute = name.partition(":")
    value = fresh_modules.load_module(module, root)
    for part in attribute.split("."):
        value = getattr(value, part)
    return value


def made(asked: dict[str, Any], root: str) -> Any:
    """The judge, with its settings. Raises whatever it raises."""
    judge = found(asked, root)
    if isinstance(judge, type):
        judge = judge(asked["config"])
    if not callable(getattr(judge, "evaluate", None)):
        raise TypeError("it has no `evaluate(case)`")
    return judge


def seen(document: dict[str, Any]) -> SimpleNamespace:
    """A case whose keys are attributes, as are those of its events, contracts and policy."""
    return SimpleNamespace(
        **{
            **document,
            "trace": [SimpleNamespace(**event) for event in document["trace"]],
            "policy": SimpleNamespace(**document["policy"]),
            "tool_contracts": {
                tool: SimpleNamespace(**one) for tool, one in document["tool_contracts"].items()
            },
        }
    )


def answer_json(answer: Any) -> dict[str, Any]:
    """What a judge returned, an object or a mapping, by the keys of the answer."""
    if not isinstance(answer, Mapping):
        answer = {name: getattr(answer, name) for name in FIELDS if hasattr(answer, name)}
    said = {name: answer[name] for name in FIELDS if answer.get(name) is not None}
    score = said.get("score")
    if isinstance(score, float) and not math.isfinite(score):
        raise ValueError("`score` is no finite number")
    return said


def main(root: str) -> None:
    wire = inside.Wire()
    printed = sys.stdout = sys.stderr = inside.Printed()
    os.chdir(root)
    asked = wire.next()
    try:
        judge = made(asked, root)
    except BaseException as error:  # also sys.exit at import
        wire.say({"fault": inside.fault(error, root)})
        return
    wire.say({"judge_id": str(getattr(judge, "judge_id", "") or "")})
    while True:
        case = seen(wire.next())
        answer: dict[str, Any] = {}
        try:
            answer = {"result": answer_json(judge.evaluate(case))}
        except BaseException as error:
            answer = {"fault": inside.fault(error, root)}
        printed.take()
        try:
            wire.say(answer)
        except (TypeError, ValueError, RecursionError) as error:
            wire.say({"fault": f"its result cannot be written as JSON ({error})"})


if __name__ == "__main__":
    inside.leave_folder(__file__)
    main(sys.argv[1])
