"""`evaltui init --out DIR`: a first suite of traces, settings of judges and gate, a file for CI."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.structured import answer, structured
from evaltui.core.errors import UserError
from evaltui.disk.atomic import write_atomic
from evaltui.files import leads_out
from evaltui.traces.reading import VERSION
from evaltui.traces.wire import pretty

SUITE: dict[str, Any] = {
    "dataset_id": "starter-suite",
    "metadata": {"schema_version": VERSION},
    "cases": [
        {
            "case_id": "starter-1",
            "input": "What is the weather in San Francisco?",
            "expected_output": "72F and sunny",
            "tool_contracts": {
                "search_weather": {"required_args": ["city"], "forbidden_args": ["admin"]}
            },
            "policy": {
                "required_tools": ["search_weather"],
                "forbidden_tools": ["delete_database"],
            },
            "regex_patterns": ["72F"],
            "json_schema": None,
            "metadata": {"tool_responses": {"search_weather": {"temperature": "72F"}}},
            "trace": [
                {
                    "idx": 0,
                    "actor": "user",
                    "type": "message",
                    "input": "What is the weather in San Francisco?",
                },
                {
                    "idx": 1,
                    "actor": "agent",
                    "type": "tool_call",
                    "tool": "search_weather",
                    "input": {"city": "San Francisco"},
                },
                {
                    "idx": 2,
                    "actor": "tool",
                    "type": "tool_result",
                    "tool": "search_weather",
                    "output": {"temperature": "72F"},
                },
                {
                    "idx": 3,
                    "actor": "assistant",
                    "type": "message",
                    "output": "It is 72F and sunny in San Francisco.",
                },
            ],
        }
    ],
}
JUDGES = {"trajectory_step": {"allow_tool_errors": False}}
GATE = {"min_pass_rate": 0.95, "max_hard_fail_increase": 0.0}
WORKFLOW = """\
name: evals
on: [push]
jobs:
  evidence:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      # install evaltui here, and fetch the evidence of the baseline to runs/baseline
      - name: Judge the traces
        run: evaltui run --suite suites/starter_suite.json --out runs/candidate
      - name: Compare with the baseline
        run: evaltui compare --baseline runs/baseline --candidate runs/candidate
      - name: Let the release pass, or not
        run: evaltui gate --compare runs/candidate/compare/baseline_delta.json
"""
FILES = {
    "suites/starter_suite.json": pretty(SUITE),
    "config/judges.json": pretty(JUDGES),
    "config/gate.json": pretty(GATE),
    "ci/github-actions-evaltui.yml": WORKFLOW.encode(),
}


@structured
def run(flags: Namespace) -> int:
    """Exit code 1 when one is there already, which --force replaces; missing ones are written.

    Raises UserError where a link leads a folder of them elsewhere, before anything is written.
    """
    for folder in dict.fromkeys((Path(flags.out) / name).parent for name in FILES):
        if place := leads_out(folder, Path(flags.out)):
            raise UserError(f"`{folder}` leads to `{place}`.", "Remove the link.")
    created: list[str] = []
    skipped: list[str] = []
    for name, content in FILES.items():
        path = Path(flags.out) / name
        if path.exists() and not flags.force:
            skipped.append(str(path))
            continue
        write_atomic(path, content)
        created.append(str(path))
    output: dict[str, Any] = {
        "out": str(flags.out),
        "created": created,
        "skipped_existing": skipped,
    }
    lines = [*(f"Wrote {one}" for one in created), *(f"Left {one} as it is" for one in skipped)]
    if skipped:
        output["hint"] = "Replace them with --force."
        lines.append(output["hint"])
    answer(output, flags, "\n".join(lines))
    return ExitCode.FAILED if skipped else ExitCode.OK
