"""Evaluators in a child, against a bare child that decodes the same contexts and calls the same.

`python benchmarks/evaluators.py [RESPONSES]`: 10,000 responses by five evaluators of 0.2 ms each,
unless said otherwise. Prints seconds of both and their ratio, and ends with 1 where the median of
three is above the limit.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.check import CheckContext
from evaltui.core.config import EvaluatorSource
from evaltui.core.permit import EVERYTHING
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.evaluators.evaluator_check import evaluator_stage
from evaltui.evaluators.kit import evaltui as kit
from evaltui.evaluators.loading import EvaluatorLoader
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.evaluators.seen_by_evaluators import context_json
from evaltui.judging.judge import judge

TYPES = [f"busy-{number}" for number in range(5)]
EVALUATORS = """
from time import perf_counter
from evaltui import EvaluatorDefinition, passed

def busy(ctx):
    until = perf_counter() + 0.0002
    text = ctx.last_response
    while perf_counter() < until:
        pass
    return passed(f"{len(text)} characters")

evaluators = [
    EvaluatorDefinition(f"busy-{number}", "Busy", "assertion", busy) for number in range(5)
]
"""
BARE = """
import json, sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
import evaltui
from busy import evaluators
done = 0
for line in sys.stdin:
    context = evaltui.EvaluatorContext.from_json(json.loads(line))
    for evaluator in evaluators:
        done += evaluator(context.with_config({})).success
print(done)
"""
MOST_RATIO = 1.5
TOGETHER = 64
"""As many as are judged at once after a save."""


def contexts(count: int) -> list[CheckContext]:
    made: list[CheckContext] = []
    for number in range(count):
        case = Case(
            CaseKey("evals/a.json", f"c-{number}"), ContractCase("Where is my order?", expect={})
        )
        call = ToolCall("find_order", {"order_id": f"SO-{number}"}, True, 3.0, {"state": "found"})
        response = AgentResponse(f"Order SO-{number} was found. " * 4, (call,), 120.0)
        made.append(CheckContext(case, response))
    return made


def bare(root: Path, found: list[CheckContext]) -> float:
    lines = "".join(json.dumps(context_json(one)) + "\n" for one in found)
    kit_folder = str(Path(kit.__file__).parent.parent)
    argv = [sys.executable, "-c", BARE, kit_folder, str(root)]
    began = perf_counter()
    done = subprocess.run(argv, input=lines, capture_output=True, text=True, check=True)
    assert int(done.stdout) == len(found) * len(TYPES)
    return perf_counter() - began


async def ours(root: Path, found: list[CheckContext]) -> float:
    loader = EvaluatorLoader()
    loader.permit = EVERYTHING
    entry = PluginEntry(EvaluatorSource("./busy.py"), root)
    registry = loader.load([entry]).registry
    uses = tuple(map(EvaluatorUse, TYPES))
    began = perf_counter()
    for start in range(0, len(found), TOGETHER):
        some = found[start : start + TOGETHER]
        plans = ((evaluator_stage(uses, registry),) for _ in some)
        outcomes = await asyncio.gather(*map(judge, plans, some))
        assert all(outcome.success for outcome in outcomes), outcomes[0]
    took = perf_counter() - began
    await loader.close()
    return took


def main() -> int:
    count = int(sys.argv[1]) if sys.argv[1:] else 10_000
    found = contexts(count)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "busy.py").write_text(EVALUATORS)
        ratios: list[float] = []
        for _ in range(3):
            theirs, mine = bare(root, found), asyncio.run(ours(root, found))
            ratios.append(mine / theirs)
            print(f"bare child {theirs:.2f} s, evaltui {mine:.2f} s, ratio {ratios[-1]:.2f}")
        ratio = sorted(ratios)[1]
        print(f"median ratio {ratio:.2f} (must: ≤ {MOST_RATIO}) for {count:,} responses")
        return 0 if ratio <= MOST_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
