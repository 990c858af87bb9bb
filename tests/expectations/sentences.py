"""What is said of a case, word for word: questions and answers, a file for each assertion.

A line at the margin is a question in JSON: a case and a response to it. Below it stands all that
lint and the verdicts say. `python -m tests.expectations.sentences` writes the answers anew; look at
the difference.
"""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaltui.core.case import Tier
from evaltui.core.response import Execution, ToolCall
from evaltui.core.suite import Suite
from evaltui.expectations.lint import lint_suite
from tests.expectations.judging import judge, make_case

FOLDER = Path(__file__).with_suffix("")


def answered(text: str) -> str:
    """The questions of a file, each with its answers as they are now."""
    questions = [line for line in text.splitlines() if line.startswith("{")]
    return "\n".join(line for one in questions for line in (one, *_answers(json.loads(one)))) + "\n"


def _answers(question: dict[str, Any]) -> Iterator[str]:
    expect, tier = question["expect"], question.get("tier", "labeled")
    case = make_case(expect, None, tier=tier, message=question.get("message", "How is it there?"))
    for problem in lint_suite(Suite("evals/x.json", "t", Tier(tier), (case,), "f" * 12)):
        key, what = problem.key.removeprefix("cases[0]."), problem.what.removeprefix("Case `c1`: ")
        yield f"  {problem.severity} {problem.code} {key}"
        yield f"    {what}"
        yield f"    {problem.hint}"
    verdicts = judge(
        expect,
        question.get("text", ""),
        *(ToolCall(**call) for call in question.get("calls", ())),
        seed=question.get("seed"),
        snapshot=question.get("snapshot"),
        stubs=question.get("stubs"),
        execution=Execution(question.get("execution", "real")),
        duration_ms=question.get("ms", 0.0),
    )
    for verdict in asyncio.run(verdicts):
        category = f" {verdict.category}" if verdict.category else ""
        yield f"  {verdict.status}{category} {verdict.check} `{verdict.label}`"
        yield f"    {verdict.reason}"
        yield f"    {json.dumps(verdict.evidence, ensure_ascii=False)}"


if __name__ == "__main__":
    for file in FOLDER.glob("*.txt"):
        file.write_text(answered(file.read_text("utf-8")), "utf-8")
