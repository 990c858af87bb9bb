"""5,000 cases by the embedded agent with 30 tools, by itself and through the whole command.

Must: more than 1,000 a second by itself. python -m benchmarks.embedded [--count 5000] [--rounds 3]
"""

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.command_line import EVALTUI
from benchmarks.contenders import wall_seconds
from evaltui.agents import make_agent
from evaltui.core.agent import AgentRequest
from evaltui.project import read_project
from evaltui.settings.load import load_config

VERBS = ("Finds", "Creates", "Cancels", "Moves", "Lists")
THINGS = ("order", "parcel", "meeting", "invoice", "refund", "song")


def write_project(root: Path, count: int) -> None:
    """30 tools and `count` routing cases over them."""
    tools = [
        {
            "name": f"{verb.lower()[:-1]}_{thing}",
            "description": f"{verb} a {thing}. Use when the user talks about a {thing}.",
            "parameters": {"type": "object", "properties": {f"{thing}_id": {"type": "string"}}},
        }
        for verb in VERBS
        for thing in THINGS
    ]
    cases = [
        {
            "id": f"gs-{number:05d}",
            "input": {"message": f"Please {str(tool['name']).replace('_', ' the ')} SO-{number}"},
            "expect": {"toolsCalled": [tool["name"]]},
        }
        for number, tool in zip(range(count), tools * (count // len(tools) + 1), strict=False)
    ]
    (root / "tools.json").write_text(json.dumps(tools), encoding="utf-8")
    (root / "evals").mkdir()
    document = {"metadata": {"toolName": "all"}, "cases": cases}
    (root / "evals" / "all.golden.json").write_text(json.dumps(document), encoding="utf-8")


async def agent_alone(root: Path) -> float:
    """Seconds in which it answers every case once, each with its calls, stubs and explanation."""
    config = load_config(root, {"registry": "tools.json"}).config
    project = read_project(config, None, None)
    agent = make_agent("embedded", "embedded", {"call_at": config.call_at}, root=root)
    started = time.perf_counter()
    for suite in project.suites:
        for case in suite.cases:
            request = AgentRequest(case.key, case.message, project.registry, case.stubs)
            answer = await agent.respond(request)
            assert answer.tool_calls, case.key
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description="cases a second of the embedded agent")
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="evaltui-bench-") as name:
        root = Path(name)
        write_project(root, options.count)
        run = (*EVALTUI, "run", "--registry", "tools.json", "--fail-on", "never")
        seconds = median(wall_seconds(*run, cwd=root) for _ in range(options.rounds))
        alone = median(asyncio.run(agent_alone(root)) for _ in range(options.rounds))
    print(f"{options.count / alone:7.0f} cases a second, the agent alone (must: > 1,000)")
    print(f"{options.count / seconds:7.0f} cases a second, start, checks and results included")


if __name__ == "__main__":
    main()
