"""Custom judges: `module:Class` or an entry point, each in a child process."""

import asyncio
from collections.abc import Awaitable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from evaltui.agents.own_files import content_of
from evaltui.child.interpreter import project_python
from evaltui.child.lines import Ended, LineChild, LineTooLong, Pool
from evaltui.child.python_files import tree_of_target
from evaltui.core.case import Case, TraceCase
from evaltui.core.check import CheckContext
from evaltui.core.errors import UserError
from evaltui.core.failure_category import category_of
from evaltui.core.finite_json import decode_external
from evaltui.core.json_value import JsonObject
from evaltui.core.reported_number import finite
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.traces.judges.judge import Judge, limit_of
from evaltui.traces.reading import case_document
from evaltui.traces.typed_secrets import mask_of, secrets_in

GROUPS = ("evaltui.judges", "agent_eval_suite.judges")
"""Of entry points."""
LOAD_S, JUDGE_S = 20.0, 30.0
"""Seconds that it may take to be loaded, and for a case."""
SERVE = Path(__file__).with_name("serve_judge.py")
FAILED = "the judge failed"


class PluginJudge(Judge):
    """`evaluate(case)` of a class that is made with the settings; `name` is its `judge_id`."""

    name = ""

    def __init__(self, named: str, config: JsonObject, root: Path) -> None:
        super().__init__(config)
        self.named = self.name = named
        self._root = root
        self._limit_s = limit_of(config, "timeout_seconds", JUDGE_S)
        self._mask = mask_of(secrets_in(config))
        self._children = Pool(self._start)

    @property
    def code(self) -> str:
        """12 hex digits of the files of the project that it is made of; empty where these are not
        known, as of an entry point."""
        module, _, class_ = self.named.partition(":")
        tree = tree_of_target(module, self._root) if class_ else None
        return "" if tree is None else content_of(tree.files, self._root)

    async def open(self) -> None:
        """Load it. Raises UserError where that cannot be done."""
        self._children.give_back(await self._children.take())

    async def close(self) -> None:
        await self._children.close()

    def run(self, context: CheckContext) -> Awaitable[Verdict]:
        return self._ask(context.case)

    def judge(self, case: TraceCase) -> Verdict:
        raise NotImplementedError

    async def _ask(self, case: Case) -> Verdict:
        child = await self._children.take()
        try:
            child.say(msgspec.json.encode(case_document(case)))
            async with asyncio.timeout(self._limit_s):
                said = _object(self._mask.hide_body(await child.line()))
            self._children.give_back(child)
        except TimeoutError:
            error = f"it took longer than {self._limit_s:g} s"
            return self.failed("the judge did not finish", {"error": error}, category="timeout")
        except Ended:
            ending, end = await child.ending()
            end = self._mask.end_of(end, 300)
            error = f"its process {ending}{f': {end}' if end else ''}"
            return self.failed(FAILED, {"error": error}, category="judge_error")
        except (LineTooLong, ValueError, RecursionError) as error:
            return self.failed(
                FAILED, {"error": f"its answer is no JSON: {error}"}, 0, "parse_error"
            )
        finally:
            self._children.drop_unless_idle(child)
        if fault := said.get("fault"):
            why = self._mask.hide(str(fault))
            return self.failed(FAILED, {"error": why}, category="judge_error")
        result = said.get("result")
        return self._read(result if isinstance(result, dict) else {})

    def _read(self, said: Mapping[str, Any]) -> Verdict:
        """Nothing passes by being something else than `passed: true`."""
        evidence = said.get("evidence_refs", {})
        if said.get("skipped") is True:
            return self.skipped(str(said.get("reason") or "skipped"))
        if not isinstance(said.get("passed"), bool):
            what = "`passed` is neither true nor false"
        elif not isinstance(evidence, dict):
            what = "`evidence_refs` is no object"
        elif isinstance(score := said.get("score"), bool) or not isinstance(
            score, int | float | None
        ):
            what = "`score` is no number"
        elif score is not None and finite(score) is None:
            what = "`score` is no finite number"
        else:
            has_passed = said["passed"]
            return Verdict(
                self.name,
                VerdictStatus.PASSED if has_passed else VerdictStatus.FAILED,
                str(said.get("reason") or ("holds" if has_passed else "does not hold")),
                value=float(has_passed) if score is None else score,
                evidence=evidence,
                hard=said.get("hard_fail") is not False,
                category="" if has_passed else category_of(str(said.get("category")), "assertion"),
            )
        return self.failed(FAILED, {"error": what}, category="judge_error")

    async def _start(self) -> LineChild:
        argv = (project_python(self._root), "-X", "utf8", str(SERVE), str(self._root))
        child: LineChild | None = None
        try:
            child = await LineChild.start(argv, cwd=self._root)
            asked = {"judge": self.named, "groups": GROUPS, "config": self.config}
            child.say(msgspec.json.encode(asked))
            async with asyncio.timeout(LOAD_S):
                said = _object(self._mask.hide_body(await child.line()))
        except TimeoutError:
            why = f"it was not loaded within {LOAD_S:g} s"
        except (Ended, LineTooLong, OSError, ValueError, RecursionError) as error:
            why = str(error) or (
                self._mask.hide(" ".join(await child.ending())) if child else "it cannot be started"
            )
        else:
            if "fault" not in said:
                self.name = str(said.get("judge_id") or self.named)
                return child
            why = self._mask.hide(str(said["fault"]))
        if child is not None:
            await child.end()
        raise UserError(f"The judge `{self.named}` could not be loaded: {why}.", "Correct it.")


def _object(line: bytes) -> JsonObject:
    """Raises ValueError and RecursionError."""
    said = decode_external(line.decode())
    if not isinstance(said, dict):
        raise ValueError("it wrote something else into what it answers through")
    return said


def is_plugin(name: str, root: Path) -> bool:
    """Whether it is written as a class, or an entry point is called so. Nothing is run."""
    return ":" in name or name in plugin_names(root)


def plugin_names(root: Path) -> frozenset[str]:
    """Entry points of judges, of the Python that runs them and of ours."""
    packages = Path(project_python(root)).parent.parent.glob("lib/python*/site-packages")
    beside = [metadata.Distribution.discover(path=[str(one)]) for one in packages]
    return frozenset(
        point.name
        for found in (metadata.distributions(), *beside)
        for distribution in found
        for point in distribution.entry_points
        if point.group in GROUPS
    )
