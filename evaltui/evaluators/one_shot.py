"""A command that is started for each judgement: JSON on its stdin, a result on its stdout."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from evaltui.child import Child
from evaltui.core.verdict import Verdict
from evaltui.evaluators.child_job import OpenCheck
from evaltui.evaluators.child_lines import (
    SHOWN,
    command_question,
    quoted,
    read_line,
    verdict_by,
)
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.evaluators.result_reading import error_verdict
from evaltui.net.secret_mask import SecretMask

LIMIT = 4 * 1024 * 1024
"""Bytes of its answer."""


async def run_once(
    entry: PluginEntry,
    check: OpenCheck,
    raw: Mapping[str, Any],
    mask: SecretMask,
    on_print: Callable[[str], None],
) -> Verdict:
    """Its verdict; a program that fails, hangs or writes something else is an evaluator error."""
    pieces: list[bytes] = []
    definition, question = check.definition, command_question(check, raw)

    def take(data: bytes) -> None:
        pieces.append(data)
        if sum(map(len, pieces)) > LIMIT and child is not None:
            child.kill()

    child: Child | None = None
    try:
        child = await Child.start(entry.argv, take, cwd=entry.root)
    except (OSError, ValueError) as error:
        return error_verdict(definition, f"`{entry.argv[0]}` cannot be started: {error}")
    try:
        child.write(json.dumps(question, default=str).encode() + b"\n")
        child.end_input()
        async with asyncio.timeout(definition.timeout):
            ending = await child.ended()
    except TimeoutError:
        return error_verdict(definition, f"timed out after {definition.timeout:g} s")
    finally:
        await child.end()
    said, stdout = child.said, b"".join(pieces)
    end = f": {mask.end_of(said, SHOWN)}" if said else ""
    if len(stdout) > LIMIT:
        return error_verdict(definition, f"it wrote more than {LIMIT // 2**20} MiB")
    if ending.code != 0:
        return error_verdict(definition, f"it ended with {ending}{end}")
    if said:
        on_print(f"{definition.type}: {mask.hide(said)}")
    try:
        answer = read_line(stdout, mask, is_command=True)
    except (ValueError, RecursionError) as error:
        start = quoted(stdout, mask)
        if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
            return error_verdict(definition, f"it wrote more than one answer: {start}{end}")
        return error_verdict(definition, f"it wrote no JSON but {start}{end}")
    if not isinstance(answer, Mapping):
        return error_verdict(definition, "it wrote something else than an object of JSON")
    return verdict_by(answer, check, is_command=True)
