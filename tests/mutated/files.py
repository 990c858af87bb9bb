"""The kinds of files, and a small project that has one of each."""

import asyncio
import json
from pathlib import Path
from typing import NamedTuple

from evaltui.cli.main import run_command
from evaltui.core.case import CaseKey
from evaltui.core.json_value import JsonObject
from evaltui.disk.recordings import RecordingFolder
from tests.projects import MUSIC, ORDERS, TOOLS, case, make_project
from tests.registries.projects import script, write
from tests.workspaces import ANN, BOB, EVAL, HELLO, REFUND, connector

ZOD = "import { z } from 'zod';\nimport { WORDS } from './words';\n"
SCHEMA = "schema: z.object({ city: z.enum(['a', 'b']).describe(`In ${WORDS[0]}`) }),"
CLASS = (
    "class Base { constructor(n, d) { this.name = n; this.description = d; } }\n"
    "export class T extends Base { static N = 'k'; constructor() { super(T.N, 'K ' + T.N); } }\n"
    "const twice = (n) => [n, n].map((x) => `${x}!`).join(', ');\n"
    "server.tool('registered', twice('R'), { city: z.string() }, async () => {});\n"
)
OPENAPI = {
    "openapi": "3.0.0",
    "info": {"title": "Shop", "version": "1"},
    "paths": {
        "/orders/{id}": {
            "get": {
                "operationId": "getOrder",
                "summary": "Gets an order.",
                "parameters": [{"$ref": "#/components/parameters/Id"}],
            }
        }
    },
    "components": {
        "parameters": {"Id": {"name": "id", "in": "path", "schema": {"$ref": "#/x"}}},
    },
    "x": {"type": "string", "anyOf": [{"$ref": "#/x"}]},
}
YAML = """openapi: 3.0.0
info: {title: Shop, version: "1"}
x: &a {type: string}
paths:
  /orders/{id}:
    get:
      operationId: listOrders
      summary: |
        Lists
        orders.
      parameters:
        - {name: id, in: path, schema: *a}
"""
SETTINGS = """
evals = ["evals"]
concurrency = 2
timeout_ms = 5000
fail_on = "never"
[agents.site]
type = "http"
url = "http://localhost:1/x"
headers = { Authorization = "Bearer x" }
[watch]
debounce_ms = 20
[keys]
quit = "ctrl+q"
[mute]
"evals/find_order.golden.json::gs-find-order-002" = "flaky"
"""
LABELED = {
    **case("ls-find-order-001", "Where is SO-1?", "find_order"),
    "difficulty": "edge",
    "expect": {
        "toolsAcceptable": [["find_order"], ["__none__"]],
        "toolsNotCalled": ["play_music"],
        "toolParams": [
            {"tool": "find_order", "paramName": "order_id", "assertion": "equals", "value": "SO-1"}
        ],
        "responseContainsAny": [["found", "{{seed:orders[0].id}}"]],
        "responseNotContains": ["{{snapshot:x}}"],
        "responseMatches": ["^.{2,}$", "\\bfound\\b"],
        "maxLatencyMs": 500,
        "maxTokens": 100,
    },
}
REGRESSION = {
    **case("rg-find-order-001", "Look up SO-9", "find_order", responseContains=["found"]),
    "difficulty": "regression",
    "createdAt": "2026-01-01",
    "bugRef": "#1",
    "immutable": True,
}
RUBRIC = {
    "id": "rb-1",
    "input": {"message": "Be kind."},
    "rubric": [{"dimension": "tone", "criteria": "kind", "maxScore": 5}],
}


class Kind(NamedTuple):
    name: str
    path: str
    """In the project; the first match of a pattern."""
    command: tuple[str, ...] = ("check", "--json")
    settings: str = ""
    """`evaltui.toml` while a file of this kind is tried."""
    within: str = ""
    """The kind whose file holds the settings meanwhile; other such files are gone."""


RUN = ("run", "--fail-on", "never")
REPLAYED = """
cassettes = "replay"
evals = "evals/find_order.golden.json"
[agents.echo]
type = "command"
command = "echo"
"""
SCREEN = ("screen",)
"""What the dashboard reads before it is drawn."""

SCENARIO = {
    "name": "two orders",
    "instructions": "You look for orders.",
    "messages": [{"role": "user", "content": [{"type": "text", "text": "Where is SO-1?"}]}],
    "persona": {"name": "Ann", "description": "polite", "lines": ["Where is SO-2?", "Thanks"]},
    "maxMessages": 8,
    "failureCriteriaMode": "every_turn",
    "evaluators": [
        {"type": "regex", "config": {"pattern": "."}},
        {"type": "tool-call-count", "config": {}},
    ],
    "stubs": {"find_order": {"state": "sent"}},
    "maxTurns": 3,
}
EVALUATOR = """from evaltui import EvaluatorDefinition, define_evaluator, failed, measured, passed

@define_evaluator("short", label="Short", kind="assertion", config_schema={
    "type": "object", "properties": {"most": {"type": "integer", "minimum": 1}}}, timeout=2)
def short(ctx):
    \"\"\"Few words.\"\"\"
    words = len(ctx.last_response.split())
    return (passed if words <= ctx.config.get("most", 99) else failed)(f"{words} words", 0.5)

async def length(ctx):
    return measured(len(ctx.last_response), "characters", unit="one")

evaluators = [short, EvaluatorDefinition("length", "Length", "metric", length)]
"""
JAVASCRIPT = """import { defineEvaluator, getMessageContentAsString } from "@evalstudio/core";
export default defineEvaluator({
  type: "short", label: "Short", kind: "assertion", configSchema: { type: "object" },
  async evaluate(ctx) {
    const text = getMessageContentAsString(ctx.lastInvocation.messages[0].content);
    return { success: text.length < (ctx.config.most ?? 99), value: 0.5, reason: `${text}!` };
  },
});
"""
JUDGED = {
    **case("gs-find-order-003", "Look up SO-3", "find_order"),
    "evaluators": [
        {"type": "short", "config": {"most": 9}},
        {"type": "length"},
        {"type": "tool-arguments", "config": {"tool": "find_order", "arguments": {"a": 1}}},
    ],
}
BY_PYTHON = 'evals = "judged"\nregistry = "tools.json"\nevaluators = ["./evaluators/mine.py"]\n'
BY_JAVASCRIPT = BY_PYTHON.replace(".py", ".mjs")
COMMAND = """
[[evaluators]]
command = ["python3", "-c", "print(0)"]
mode = "jsonl"
timeout_seconds = 2
"""
WORKSPACE = {
    "version": 3,
    "name": "ws",
    "projects": [{"id": "p-1", "name": "Shop"}],
    "evaluators": ["./evaluators/mine.py"],
    "maxConcurrency": 2,
}
SHORT = {"type": "short", "config": {"most": 9}}
ENTITIES = {
    "personas": [ANN, BOB],
    "scenarios": [{**REFUND, "evaluators": [SHORT, {"type": "length"}]}, HELLO],
    "connectors": [connector()],
    "evals": [EVAL],
}
SETTLING = ("settings-json", "pyproject", "forge", "workspace")
"""Kinds of files with settings, of which the first that is there would hide the others."""
KINDS = (
    Kind("golden", "evals/find_order.golden.json"),
    Kind("golden-run", "evals/find_order.golden.json", RUN),
    Kind("labeled", "evals/orders.labeled.json"),
    Kind("regression", "evals/find_order.regression.json"),
    Kind("rubric", "evals/tone.rubric.json"),
    Kind("seeds", "evals/seed-manifest.json"),
    Kind("settings", "evaltui.toml", settings=SETTINGS),
    Kind("settings-json", "evaltui.config.json"),
    Kind("pyproject", "pyproject.toml"),
    Kind("forge", "forge.config.json"),
    Kind("tools-json", "tools.json", settings='registry = "tools.json"\n'),
    Kind("tools-ts", "tools/a.tool.ts", settings='registry = "tools"\n'),
    Kind("tools-js", "tools/words.js", settings='registry = "tools"\n'),
    Kind("tsconfig", "tsconfig.json", settings='registry = "tools"\n'),
    Kind("openapi", "openapi.json", settings='registry = "openapi.json"\n'),
    Kind("openapi-yaml", "openapi.yaml", settings='registry = "openapi.yaml"\n'),
    Kind("mcp", "mcp.json", settings='registry = "mcp.json"\n'),
    Kind("tools-python", "tools.py", settings='registry = "tools.py"\n'),
    Kind("environment", ".env"),
    Kind("recordings", "evals/cassettes/evals/find_order.golden/*.json", RUN, REPLAYED),
    Kind("results", "evals/results/*.json", RUN),
    Kind("pins", "evals/baselines/pins.json", RUN),
    Kind("scenario", "evals/orders.scenario.json"),
    Kind("scenario-run", "evals/orders.scenario.json", RUN),
    Kind("pinned", "evals/baselines/*/*/*.json", RUN),
    Kind("history", ".evaltui/history.sqlite3", RUN),
    Kind("journal", ".evaltui/runs/*.jsonl", RUN),
    Kind("open-journal", ".evaltui/runs/killed.open.jsonl", RUN),
    Kind("mutes", ".evaltui/mutes.json", RUN),
    Kind("screen", ".evaltui/screen.json", SCREEN),
    Kind("evaluator", "evaluators/mine.py", settings=BY_PYTHON),
    Kind("evaluator-run", "evaluators/mine.py", RUN, BY_PYTHON),
    Kind("evaluator-js", "evaluators/mine.mjs", RUN, BY_JAVASCRIPT),
    Kind("evaluators", "evaltui.toml", settings=BY_PYTHON + COMMAND),
    Kind("judged", "judged/find_order.golden.json", settings=BY_PYTHON),
    Kind("judged-run", "judged/find_order.golden.json", RUN, BY_PYTHON),
    Kind("workspace", "evalstudio.config.json"),
    *(
        Kind(f"workspace-{name}", f"projects/p-1/data/{name}.json", within="workspace")
        for name in ENTITIES
    ),
)


def make(root: Path) -> Path:
    """The project; every file of it is as evaltui or its user would write it."""
    make_project(root)
    cases = {
        "evals/orders.labeled.json": {"metadata": {"tier": "labeled"}, "cases": [LABELED]},
        "evals/find_order.regression.json": {"metadata": None, "cases": [REGRESSION, ORDERS[0]]},
        "evals/tone.rubric.json": [RUBRIC, MUSIC[0]],
        "evals/orders.scenario.json": {"scenarios": [SCENARIO]},
        "evals/seed-manifest.json": {"orders": [{"id": "SO-1", "total": 18.0}]},
        "evaltui.config.json": {"trials": 2, "agents": {"a": {"type": "http", "url": "http://x"}}},
        "forge.config.json": {"project": {"barrelsFile": "tools.json"}, "outputDir": "out"},
        "openapi.json": OPENAPI,
        "mcp.json": {"mcpServers": {"shop": {"url": "http://localhost:1/mcp"}}},
        "judged/find_order.golden.json": [JUDGED],
        "evalstudio.config.json": WORKSPACE,
        **{f"projects/p-1/data/{name}.json": value for name, value in ENTITIES.items()},
        "tsconfig.json": {"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["tools/*"]}}},
    }
    write(root, {name: json.dumps(value, indent=1) for name, value in cases.items()})
    tool = f"export const b = {{ name: 'b', description: `B ${{WORDS.join()}}`, {SCHEMA} }};\n"
    write(
        root,
        {
            "tools/a.tool.ts": ZOD + script("a") + tool + CLASS,
            "tools/words.js": "export const WORDS = ['Oslo', ...['Rome'].map((w) => w + '!')];\n",
            "openapi.yaml": YAML,
            "pyproject.toml": "[project]\nname = 'x'\n[tool.evaltui]\ntrials = 1\n",
            "tools.py": f"TOOLS = {[dict(tool) for tool in TOOLS]!r}\n",
            "evaluators/mine.py": EVALUATOR,
            "evaluators/mine.mjs": JAVASCRIPT,
            ".env": 'KEY=value\nexport OTHER="a b"\n',
            "evaltui.toml": 'cassettes = "record"\nfail_on = "never"\n',
        },
    )
    run_command(["run", "-C", str(root)])
    _record(root)
    run_command(["baseline", "pin", "-C", str(root)])
    done = next((root / ".evaltui" / "runs").glob("*.jsonl"))
    (done.with_name("killed.open.jsonl")).write_bytes(done.read_bytes()[: -len("x") - 200])
    mutes = {"evals/find_order.golden.json::gs-find-order-002": "flaky"}
    write(root, {".evaltui/mutes.json": json.dumps(mutes), ".evaltui/screen.json": "{}"})
    (root / "evaltui.toml").unlink()
    return root


def _record(root: Path) -> None:
    """An answer as the agent of `REPLAYED` would have given it."""
    key = CaseKey("evals/find_order.golden.json", ORDERS[0]["id"])
    entry: JsonObject = {
        "key": "0" * 64,
        "request": {"trial": 0, "turn": 0, "parameters": {"agent": "echo"}, "tools": {"a": "b"}},
        "reply": {"text": "found", "calls": [{"name": "find_order", "params": {}}]},
    }
    asyncio.run(RecordingFolder(root / "evals" / "cassettes", root).keep(key, entry))
