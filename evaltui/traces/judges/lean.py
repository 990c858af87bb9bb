"""`lean`: a user's program, e.g. a prover, judges the case's payload."""

import json
from collections.abc import Awaitable, Iterable
from pathlib import Path

from evaltui.child.once import ask_once
from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.verdict import Verdict
from evaltui.judging.json_answer import json_answer
from evaltui.traces.judges.judge import Judge, limit_of
from evaltui.traces.typed_secrets import mask_of, secrets_in

REASON = "lean check failed"


class LeanJudge(Judge):
    """`command` is given `metadata.lean_payload` on its stdin and says whether it `passed`."""

    name = "lean"

    @classmethod
    def demands(cls, case: TraceCase) -> Iterable[Json]:
        """That there is a payload; what is in it is what the agent made."""
        return () if case.metadata.get("lean_payload") is None else ["lean_payload"]

    def judge(self, case: TraceCase) -> Verdict | Awaitable[Verdict]:
        payload = case.metadata.get("lean_payload")
        if payload is None:
            return self.skipped("no lean payload")
        command = lean_command(self.config)
        if command is None:
            error = "`command` is no list of words: nothing was checked"
            return self.failed(REASON, {"error": error}, category="judge_error")
        return self._ask(command, payload)

    async def _ask(self, command: list[str], payload: Json) -> Verdict:
        limit_s = limit_of(self.config, "timeout_seconds", 30.0)
        question = json.dumps(payload).encode()
        answer = await ask_once(command, question, cwd=Path.cwd(), limit_s=limit_s)
        mask = mask_of(secrets_in(self.config))
        if answer.fault:
            category = "timeout" if answer.is_late else "judge_error"
            said = mask.end_of(answer.said, 300)
            said = f"{answer.fault}: {said}" if said else answer.fault
            return self.failed(REASON, {"error": said}, category=category)
        try:
            found: JsonObject = json_answer(mask.hide_body(answer.stdout).decode())
        except ValueError as error:
            return self.failed(REASON, {"error": str(error)}, category="parse_error")
        passed = found.get("passed")
        if not isinstance(passed, bool):
            error_ = "`passed` is neither true nor false"
            evidence: JsonObject = {"error": error_, "lean_result": found}
            return self.failed(REASON, evidence, category="parse_error")
        reason = found.get("reason")
        said = reason if isinstance(reason, str) and reason else "lean result"
        if passed:
            return self.passed(said, {"lean_result": found})
        return self.failed(said, {"lean_result": found})


def lean_command(config: object) -> list[str] | None:
    """The command of its settings, where it is one."""
    command = config.get("command") if isinstance(config, dict) else None
    is_one = isinstance(command, list) and command and all(isinstance(w, str) for w in command)
    return command if is_one else None
