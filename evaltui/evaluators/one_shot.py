"""A command that is started for each judgement: JSON on its stdin, a result on its stdout."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from evaltui.child.once import ask_once
from evaltui.core.verdict import Verdict
from evaltui.evaluators.child_job import OpenCheck
from evaltui.evaluators.child_lines import (
    SHOWN,
    command_line,
    quoted,
    read_line,
    verdict_by,
)
from evaltui.evaluators.plugin_entry import MOST_MEMORY, PluginEntry
from evaltui.evaluators.result_reading import error_verdict
from evaltui.net.secret_mask import SecretMask


async def run_once(
    entry: PluginEntry,
    check: OpenCheck,
    raw: Mapping[str, Any],
    mask: SecretMask,
    on_print: Callable[[str], None],
) -> Verdict:
    """Its verdict; a program that fails, hangs or writes something else is an evaluator error."""
    definition, question = check.definition, command_line(check, raw) + b"\n"
    answered = await ask_once(
        entry.argv,
        question,
        cwd=entry.root,
        limit_s=definition.timeout,
        most_memory=MOST_MEMORY,
    )
    said = answered.said
    end = f": {mask.end_of(said, SHOWN)}" if said else ""
    if answered.fault:
        return error_verdict(definition, f"{answered.fault}{'' if answered.is_late else end}")
    if said:
        on_print(f"{definition.type}: {mask.hide(said)}")
    stdout = answered.stdout
    try:
        answer = read_line(stdout, mask, is_command=True)
    except (ValueError, RecursionError) as error:
        start = quoted(stdout, mask)
        if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
            return error_verdict(definition, f"it wrote more than one answer: {start}{end}")
        return error_verdict(definition, f"it wrote no JSON but {start}{end}")
    if not isinstance(answer, Mapping):
        return error_verdict(definition, "it wrote something other than a JSON object")
    return verdict_by(answer, check, entry)
