"""The JSON of a scenario's run, in the shape of EvalStudio's runs."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from uuid import NAMESPACE_OID, uuid5

from evaltui.core.case import PERSONA_ID, SCENARIO_ID, Case, CaseKey, ScenarioCase
from evaltui.core.chat_format import message_json
from evaltui.core.json_value import Json
from evaltui.core.message_count import message_count
from evaltui.core.response import AgentResponse, Turn
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.evaluators.result_row import row_of
from evaltui.judging.aggregate import ALL_PASSED, aggregate
from evaltui.scenarios.ending import decisive, is_at_limit, is_by_limit, is_of_criteria

_STATUS = {
    CaseStatus.PASSED: "completed",
    CaseStatus.FAILED: "completed",
    CaseStatus.ERROR: "error",
    CaseStatus.SKIPPED: "skipped",
}


def run_json(case: Case, result: CaseResult, number: int, eval_id: str = "") -> dict[str, Json]:
    """One run: how it ended, why, and `output`; with the messages where there are any. `number` and
    `eval_id` are those of the run of ours that it is a part of."""
    body = case.body
    assert isinstance(body, ScenarioCase)
    run: dict[str, Json] = {
        "id": conversation_id(result.run_id, result.agent, result.key),
        "runId": result.run_id,
        "executionId": number,
        **({"evalId": eval_id} if eval_id else {}),
        "scenario": {
            "id": case.names[-1],
            "name": body.name,
            "case": case.id,
            "file": case.key.suite,
        },
        **_ids(case),
        "agent": result.agent,
        "status": _STATUS[result.status],
    }
    if result.finished_at:
        run["startedAt"] = _moment(max(0.0, result.finished_at - result.duration_ms / 1000))
        run["completedAt"] = _moment(result.finished_at)
        run["latencyMs"] = round(result.duration_ms)
    if body.persona.name:
        run["persona"] = {"name": body.persona.name}
    if result.status in (CaseStatus.ERROR, CaseStatus.SKIPPED):
        run["error" if result.status is CaseStatus.ERROR else "reason"] = result.error
    output: dict[str, Json] = {}
    if result.response is not None:
        output = run_output(body, result.response, result.verdicts)
    is_judged = _is_judged(result)
    if is_judged:
        run["status"] = "completed"
    if is_judged or result.status in (CaseStatus.PASSED, CaseStatus.FAILED):
        outcome = aggregate(result.verdicts)
        judged: dict[str, Json] = {"success": outcome.success, "reason": outcome.reason}
        if not result.verdicts:  # read without them
            is_passed = result.status is CaseStatus.PASSED
            reason = result.error or ALL_PASSED
            judged = {"success": is_passed, "reason": reason}
        elif result.response is not None:
            judged["reason"] = _reason(body, result.response, result)
        if outcome.success and result.is_nothing_asserted:
            judged["nothingAsserted"] = True
        evaluation = _evaluation(result.verdicts)
        score = outcome.score if evaluation is None else evaluation.get("confidence")
        if score is None and output.get("maxMessagesReached") is True:
            score = 0
        run["result"] = judged if score is None else {**judged, "score": score}
        broken = (one for one in result.verdicts if one.gates and one.status is VerdictStatus.ERROR)
        if (found := next(broken, None)) is not None:  # another one may have failed first
            run.setdefault("error", found.reason)
    if result.response is not None:
        run["output"] = output
        run["messages"] = [message_json(one) for one in result.response.messages]
    return run


def _moment(at: float) -> str:
    return datetime.fromtimestamp(round(at), UTC).isoformat()


def _is_judged(result: CaseResult) -> bool:
    """Whether the error is an evaluator's own, or of a judge whose answer cannot be read.

    The run is completed then, and has failed; a judge that gave no answer is an error.
    """
    if result.status is not CaseStatus.ERROR or result.response is None:
        return False
    gates = [one for one in result.verdicts if one.gates]
    unanswered = (one for one in gates if is_of_criteria(one) and "evaluation" not in one.evidence)
    return bool(gates) and not any(unanswered)


def _reason(body: ScenarioCase, response: AgentResponse, result: CaseResult) -> str:
    """In EvalStudio's words. At the limit the number of messages is that of the limit."""
    found = decisive(body, result.verdicts)
    if found is not None and is_of_criteria(found):
        return found.reason
    if found is not None:
        return f"Evaluator assertion failed. {found.reason}"
    is_limit = is_at_limit(body, response.messages)
    said = body.max_messages if is_limit else message_count(response.messages)
    return f"Completed {said} messages. {ALL_PASSED}."


def conversation_id(run_id: str, agent: str, key: CaseKey) -> str:
    """Of this conversation alone: a run of ours holds several."""
    return str(uuid5(NAMESPACE_OID, "\n".join((run_id, agent, *key))))


def _ids(case: Case) -> dict[str, Json]:
    """Those of an EvalStudio workspace, where the scenario stands in one."""
    return {key: case.extra[key] for key in (SCENARIO_ID, PERSONA_ID) if key in case.extra}


def run_output(
    body: ScenarioCase, response: AgentResponse, verdicts: Sequence[Verdict]
) -> dict[str, Json]:
    """Latencies in whole ms. Rows and metrics are of the last turn, those of all stand in `turns`.

    `evaluation` is there if criteria were judged, `evaluatorResults` if there are evaluators,
    `metrics` if one measured something, `maxMessagesReached` only where it is true.
    """
    turns = response.conversation
    total = sum(round(turn.duration_ms) for turn in turns)
    output: dict[str, Json] = {
        "avgLatencyMs": round(total / len(turns)) if turns else 0,
        "totalLatencyMs": total,
        "messageCount": message_count(response.messages),
    }
    if is_by_limit(body, response.messages, verdicts):
        output["maxMessagesReached"] = True
    output |= _judged(body, verdicts)
    output["turns"] = [
        _turn(body, number, turn, len(turns)) for number, turn in enumerate(turns, 1)
    ]
    return output


def _turn(body: ScenarioCase, number: int, turn: Turn, last: int) -> dict[str, Json]:
    row: dict[str, Json] = {
        "turn": number,
        "isFinal": turn.is_final,
        "ended": number == last,
        "firstMessage": turn.first,
        "lastMessage": turn.end - 1,
        "latencyMs": round(turn.duration_ms),
    }
    if turn.usage is not None and (told := turn.usage.told_tokens):
        row["tokensUsage"] = dict(told)
    return {**row, **_judged(body, turn.verdicts)}


def _judged(body: ScenarioCase, verdicts: Sequence[Verdict]) -> dict[str, Json]:
    row: dict[str, Json] = {}
    if (evaluation := _evaluation(verdicts)) is not None:
        row["evaluation"] = dict(evaluation)
    rows: list[Json] = [row_of(one) for one in verdicts if not is_of_criteria(one)]
    if body.evaluators or rows:
        row["evaluatorResults"] = rows
    if metrics := aggregate(verdicts).metrics:
        row["metrics"] = dict(metrics)
    return row


def _evaluation(verdicts: Sequence[Verdict]) -> Mapping[str, Json] | None:
    for one in verdicts:
        evaluation = one.evidence.get("evaluation")
        if is_of_criteria(one) and isinstance(evaluation, Mapping):
            return evaluation
    return None
