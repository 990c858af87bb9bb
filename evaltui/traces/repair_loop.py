"""`run-loop`: a program proposes what an agent would do, and repairs it after each verdict."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.agents.adapter_dialect import read_stdout
from evaltui.child.once import ask_once
from evaltui.core.case import Case
from evaltui.core.check import Stage
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.shown_secret import literal_secrets
from evaltui.core.verdict import Kind, Verdict
from evaltui.traces.judge_row import issues_of, row_of
from evaltui.traces.judges.judge import Judge
from evaltui.traces.loop_options import LoopOptions
from evaltui.traces.migration import hex_id
from evaltui.traces.reading import case_document, read_case, trace_body
from evaltui.traces.scoring import score, score_by
from evaltui.traces.tool_responses import ToolResponses
from evaltui.traces.typed_secrets import mask_of

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry


class Looped(Struct, frozen=True):
    """What a loop came to: the case with the trace of the attempt that is kept and the history of
    all, and what that attempt was kept for."""

    case: Case
    verdicts: tuple[Verdict, ...]


class Reply(Struct, frozen=True):
    output: Json = None
    error: str = ""
    side_effects: tuple[dict[str, Any], ...] = ()
    """`{tool, arguments, response, source}` of each call."""
    metadata: JsonObject = field(default_factory=dict)


def read_reply(stdout: bytes, responses: ToolResponses) -> Reply:
    """Text is the output, and so is a JSON value that is no object. What cannot be read, and calls
    that cannot, are an error of the program."""
    try:
        found = read_stdout(stdout.strip())
    except AgentError as unreadable:
        return Reply(error=unreadable.what)
    if not isinstance(found, Mapping):
        return Reply(found)
    output = found.get("assistant_output", found.get("output"))
    error = found.get("error")
    metadata = found.get("metadata")
    known = metadata if isinstance(metadata, Mapping) else {}
    calls = found.get("tool_calls") or []
    effects: list[dict[str, Any]] = []
    for index, call in enumerate(calls if isinstance(calls, list) else [None]):
        tool = call.get("tool", call.get("name")) if isinstance(call, Mapping) else None
        if not isinstance(call, Mapping) or not isinstance(tool, str) or not tool:
            return Reply(output, f"tool_calls[{index}] names no tool", metadata=known)
        arguments = call.get("arguments", call.get("input"))
        response, source = responses.to(tool, arguments)
        effects.append(
            {"tool": tool, "arguments": arguments, "response": response, "source": source}
        )
    said = "" if not error else error if isinstance(error, str) else json.dumps(error)
    return Reply(output, said, tuple(effects), known)


LOOP_KEYS = frozenset({"attempt_history", "selected_attempt", "max_repairs", "loop_passed"})
"""What the loop writes into the metadata of a case, and leaves out when it asks."""


async def run_loop(
    case: Case,
    stage: Stage,
    options: LoopOptions,
    *,
    cwd: Path,
    evaluators: "EvaluatorRegistry | None" = None,
) -> Looped:
    """Every attempt is judged once.

    `evaluators`: all that the case may name; without it those that come along.
    A program that fails, hangs or writes nonsense fails its attempt, and nothing else.
    """
    asked = without_loop(case)
    history: list[dict[str, Any]] = []
    attempts: list[tuple[bool, Case, tuple[Verdict, ...]]] = []
    for attempt in range(options.max_repairs + 1):
        reply = await _ask(asked, attempt, history, options, cwd)
        made = _traced(asked, reply, attempt)
        verdicts = await score(made, stage, evaluators)
        passed = not any(one.gates for one in verdicts)
        history.append(_attempt_row(case.id, attempt, reply, verdicts, passed))
        attempts.append((passed, made, verdicts))
        if passed:
            break
    last = len(attempts) - 1
    kept = last
    if options.keeps_best and not attempts[last][0]:
        kept = max(range(len(attempts)), key=lambda index: _mean(attempts[index][2]))
    passed, made, verdicts = attempts[kept]
    metadata = {
        "attempt_history": history,
        "selected_attempt": kept,
        "max_repairs": options.max_repairs,
        "loop_passed": passed,
    }
    document: Any = msgspec.to_builtins(case_document(made))
    document["metadata"] |= metadata
    whole = read_case(case.key.suite, document, 0)
    return Looped(whole, await _with_judges_of_loop(whole, stage, verdicts))


async def judged_again(
    case: Case, stage: Stage, evaluators: "EvaluatorRegistry | None" = None
) -> Looped | None:
    """What a loop came to before, by its trace; `None` where it passed and does not any more, or
    the other way round: then it would have ended elsewhere."""
    verdicts = await score(case, stage, evaluators)
    passed = not any(one.gates for one in verdicts)
    is_same = trace_body(case).metadata.get("loop_passed") is passed
    return Looped(case, verdicts) if is_same else None


async def _with_judges_of_loop(
    case: Case, stage: Stage, verdicts: Sequence[Verdict]
) -> tuple[Verdict, ...]:
    """The verdicts of an attempt, with those of judges that had to wait for the last one."""
    found = [*verdicts]
    for index, judge in enumerate(stage):
        if isinstance(judge, Judge) and judge.of_loop:
            (found[index],) = await score_by(case, (judge,))
    return tuple(found)


def without_loop(case: Case) -> Case:
    """The case as it was before a loop wrote into it."""
    body = trace_body(case)
    kept = {key: value for key, value in body.metadata.items() if key not in LOOP_KEYS}
    return replace(case, body=replace(body, metadata=kept))


def payload(case: Case, attempt: int, history: Sequence[Mapping[str, Any]], mode: str) -> bytes:
    """What the program reads on its stdin."""
    document = case_document(case)
    names = ("case_id", "input", "expected_output", "tool_contracts", "policy", "metadata")
    shown = {name: document[name] for name in names}
    return msgspec.json.encode(
        {"mode": mode, "attempt": attempt, "previous_attempts": history, **shown}
    )


async def _ask(
    case: Case,
    attempt: int,
    history: Sequence[Mapping[str, Any]],
    options: LoopOptions,
    cwd: Path,
) -> Reply:
    is_repair = attempt > 0 and bool(options.repair)
    command = options.repair if is_repair else options.propose
    question = payload(case, attempt, history, "repair" if is_repair else "propose")
    answer = await ask_once(command, question, cwd=cwd, limit_s=options.limit_s)
    mask = mask_of(literal_secrets(command))
    if answer.code:
        said = mask.end_of(answer.said, 300)
        return Reply(error=f"command exited {answer.code}: {said}".rstrip(": "))
    if answer.fault:
        return Reply(error=f"command {answer.fault}")
    responses = ToolResponses(trace_body(case).metadata)
    reply = read_reply(mask.hide_body(answer.stdout), responses)
    missing = [one["tool"] for one in reply.side_effects if one["source"] == "unknown_tool"]
    if options.strict_side_effects and missing and not reply.error:
        tools = ", ".join(map(str, missing))
        return replace(reply, error=f"no deterministic response for {tools}")
    return reply


def _traced(case: Case, reply: Reply, attempt: int) -> Case:
    """The case with what the program did as its trace."""
    body = trace_body(case)
    steps: list[dict[str, Any]] = [{"actor": "user", "type": "message", "input": body.input}]
    for effect in () if reply.error else reply.side_effects:
        tool, found = effect["tool"], effect["response"]
        is_error = isinstance(found, Mapping) and "error" in found
        output = found.get("output") if isinstance(found, Mapping) and is_error else found
        error = str(found["error"]) if isinstance(found, Mapping) and is_error else None
        common = {"tool": tool, "attributes": {"gen_ai.tool.name": tool}}
        steps += [
            {"actor": "agent", "type": "tool_call", "input": effect["arguments"], **common},
            {"actor": "tool", "type": "tool_result", "output": output, "error": error, **common},
        ]
    said = {"type": "message", "output": reply.output, "error": reply.error or None}
    steps.append({"actor": "agent" if reply.error else "assistant", **said})
    began = datetime.now(UTC)
    trace_id = hex_id(32, case.key.suite, case.id, attempt)
    events = [
        {
            **step,
            "idx": index,
            "ts": (began + timedelta(seconds=index)).isoformat(timespec="microseconds"),
            "attempt": attempt,
            "trace_id": trace_id,
            "span_id": f"{index + 1:016x}",
            "parent_span_id": f"{index:016x}" if index else None,
            "attributes": {"gen_ai.operation.name": step["type"], **step.get("attributes", {})},
        }
        for index, step in enumerate(steps)
    ]
    document: Any = msgspec.to_builtins(case_document(case))
    return read_case(case.key.suite, {**document, "trace": events}, 0)


def _attempt_row(
    case_id: str, attempt: int, reply: Reply, verdicts: Sequence[Verdict], passed: bool
) -> dict[str, Any]:
    """An attempt as the next one is told of it, and as it is kept."""
    failed = [one for one in verdicts if one.gates]
    return {
        "attempt": attempt,
        "passed": passed,
        "hard_failed": any(one.hard for one in failed),
        "response": {
            "assistant_output": reply.output,
            "tool_calls": [
                {"tool": one["tool"], "arguments": one["arguments"]} for one in reply.side_effects
            ],
            "error": reply.error or None,
            "metadata": reply.metadata,
            "side_effects": list(reply.side_effects),
        },
        "judge_results": [row_of(case_id, one) for one in verdicts],
        "replay_issues": issues_of(verdicts),
    }


def _mean(verdicts: Sequence[Verdict]) -> float:
    """Of what is a score: a metric measures something else."""
    judged = [one for one in verdicts if one.kind is Kind.ASSERTION and one.status != "skipped"]
    scores = [one.value for one in judged if one.value is not None]
    return sum(scores) / len(scores) if scores else 0.0
