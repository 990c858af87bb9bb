"""The lines exchanged with a child: its questions, and the meaning of its answers."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from evaltui.child.crash import error_in
from evaltui.child.lines import LineChild
from evaltui.core.reported_number import milliseconds
from evaltui.core.verdict import Verdict
from evaltui.evaluators.child_job import ChildJob, OpenCheck
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.evaluators.result_reading import (
    RETURN,
    RETURN_OBJECT,
    error_verdict,
    verdict_of,
)
from evaltui.net.secret_mask import SecretMask

SHOWN = 300
"""Characters of what a child wrote before it ended."""
_CUT = ("error", "fault", "why", "printed")
"""What a child of ours may have cut before anybody could look for secrets in it."""


def first_line(entry: PluginEntry, source: bytes) -> bytes:
    """What a child is told first: what to load, or to say what it has."""
    said: dict[str, str] = {"op": "describe"}
    if not entry.is_command and entry.path is None:
        said["module"] = entry.source.name
    elif entry.path is not None and not entry.is_javascript:
        said |= {"path": str(entry.path), "source": source.decode("latin-1")}
    return msgspec.json.encode(said)


def verdict_by(said: Mapping[str, Any], check: OpenCheck, entry: PluginEntry) -> Verdict:
    """The verdict of one answer; of a command the result itself stands in the line."""
    took, ms = said.get("ms"), 0.0
    if isinstance(took, int | float) and not isinstance(took, bool):
        if (measured_ms := milliseconds(took)) is None:
            return error_verdict(check.definition, "`ms` is not a number of milliseconds")
        ms = measured_ms
    if error := said.get("error"):
        fault = said.get("fault")
        evidence = {"error": str(fault)} if fault else {}
        return error_verdict(check.definition, str(error)[:2000], ms, evidence)
    result = said if entry.is_command else said.get("value")
    advice = RETURN_OBJECT if entry.is_javascript else RETURN
    return verdict_of(check.definition, result, ms, advice)


def command_question(check: OpenCheck, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The contract of commands: one evaluator, one context with its settings in it."""
    context = {**raw, "config": check.config}
    return {"op": "evaluate", "id": check.id, "type": check.definition.type, "context": context}


def command_line(check: OpenCheck, raw: Mapping[str, Any]) -> bytes:
    """What a command that stays is asked."""
    return json_bytes(command_question(check, raw))


def job_line(job: ChildJob) -> bytes:
    """What a child of ours is told of a job."""
    checks = [[one.id, one.definition.type, one.config] for one in job.checks]
    line = b'{"context":%b,"checks":%b' % (job.context, json_bytes(checks))
    if job.together:
        # Each keeps its own limit there: where only one waits too long, all others are judged.
        limits = [one.definition.timeout for one in job.checks if one.id in job.together]
        line += b',"limits":%b' % json_bytes(limits)
    return line + b"}"


def awaited_types(evaluators: object) -> frozenset[str]:
    """Types of those that wait for something while others may judge, as a child says."""
    found = evaluators if isinstance(evaluators, list) else []
    waits = (one for one in found if isinstance(one, dict) and one.get("isAwaited") is True)
    return frozenset(str(one.get("type")) for one in waits)


def json_bytes(value: Any) -> bytes:
    """As far as it can be said in JSON; else its text stands for what cannot."""
    try:
        return msgspec.json.encode(value)
    except (UnicodeEncodeError, TypeError):
        return json.dumps(value, default=str).encode()


def read_line(line: bytes, mask: SecretMask, *, is_command: bool = False) -> Any:
    """What it says; numbers that are none stay, so that whoever needs one can refuse them. Of a
    command a key that stands twice is an error: which of two verdicts is meant nobody knows.

    Raises ValueError, and RecursionError beyond its depth.
    """
    hidden = mask.hide_body(line)
    said = _read_of_command(hidden) if is_command else json.loads(hidden)
    if isinstance(said, dict):
        for name in _CUT:
            if name in said and isinstance(text := said[name], str):
                said[name] = mask.hide(text)
    return said


def _read_of_command(line: bytes) -> Any:
    repeated: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(found)
        if len(value) < len(found):
            counts = Counter(name for name, _ in found)
            repeated.append(counts.most_common(1)[0][0])
        return value

    said = json.loads(line, object_pairs_hook=pairs)
    if repeated and isinstance(said, dict):
        said["error"] = f"the key `{repeated[0][:100]}` stands twice in its answer"
    return said


async def last_words(child: LineChild, mask: SecretMask) -> str:
    """How it ended, and the error that it told, else the end of what it wrote."""
    ending, said = await child.ending()
    end = error_in(mask.hide(said), SHOWN) or mask.end_of(said, SHOWN)
    return f"its process {ending}{f': {end}' if end else ''}"


def quoted(data: bytes, mask: SecretMask) -> str:
    """The start of what was written instead of an answer; no secret shows in it."""
    return mask.start_of(data.decode("utf-8", "replace").strip(), 200) or "nothing"


def unreadable(error: Exception) -> str:
    """What is said of an answer that cannot be taken."""
    return f"its answer cannot be read: {str(error) or type(error).__name__}"
