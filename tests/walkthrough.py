"""The walk-through of the guide: an evaluator in Python, or one for EvalStudio, and two scenarios
that need no network: in one the agent greets, in the other it does not."""

import json
import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "guide" / "evaluators.md"
SCENARIOS = "evals/welcome.scenario.json"
WELCOME, COLD = "sc-welcome-001", "sc-cold-002"
ENTRIES = {
    "Python": "./evaluators/greeting_check.py",
    "JavaScript": "./dist/evaluators/greeting-check.js",
}
JAVASCRIPT = """
import { defineEvaluator, getMessageContentAsString } from "@evalstudio/core";

export default defineEvaluator({
  type: "greeting-check",
  label: "Greeting Check",
  description: "Verifies the agent greets the user in their first response",
  kind: "assertion",

  configSchema: {
    type: "object",
    properties: {
      greetings: {
        type: "array",
        items: { type: "string" },
        default: ["hello", "hi", "hey", "welcome"],
        description: "List of acceptable greeting words",
      },
    },
  },

  async evaluate(ctx) {
    if (ctx.turn > 1) {
      return { success: true, reason: "Skipped (not first turn)" };
    }

    const greetings = ctx.config.greetings ?? ["hello", "hi", "hey", "welcome"];
    const lastAssistant = ctx.lastInvocation.messages.find((m) => m.role === "assistant");

    if (!lastAssistant) {
      return { success: false, reason: "No assistant message found" };
    }

    const text = getMessageContentAsString(lastAssistant.content).toLowerCase();
    const found = greetings.find((g) => text.includes(g));

    if (!found) {
      return {
        success: false,
        reason: `Response does not contain a greeting. Expected one of: ${greetings.join(", ")}`,
      };
    }

    return {
      success: true,
      reason: `Found greeting: "${found}"`,
    };
  },
});
"""
PROGRAMS = '''
import json


def answer(message):
    """Greets who greets, and has nobody else wait."""
    if "Good morning" in message:
        return {"response": "Welcome! It is booked for three.", "toolCalls": []}
    call = {"name": "book", "params": {"at": "three"}, "success": True, "durationMs": 1}
    return {"response": "It is booked for three.", "toolCalls": [call]}


def judge(question):
    """Whether an appointment was booked."""
    is_met = "is booked" in question
    reasoning = "The appointment is booked." if is_met else "Nothing is booked."
    said = {"successMet": is_met, "failureMet": False, "confidence": 0.9, "reasoning": reasoning}
    return json.dumps(said)
'''
SETTINGS = """
evaluators = ["{entry}"]
agent = "shop"
registry = "tools.json"

[agents.shop]
type = "python"
is_free = true
function = "programs.py:answer"

[judge]
type = "python"
is_free = true
function = "programs.py:judge"
"""


def scenario(id_: str, name: str, line: str) -> dict[str, Any]:
    return {
        "id": id_,
        "name": name,
        "persona": {"name": "Ann", "lines": [line]},
        "successCriteria": "Agent helps the user book an appointment",
        "evaluators": [
            {
                "type": "greeting-check",
                "config": {"greetings": ["hello", "welcome", "good morning"]},
            },
            {"type": "tool-call-count", "config": {}},
        ],
    }


def make_walkthrough(root: Path, language: str) -> Path:
    """`language`: a key of `ENTRIES`."""
    (python,) = (
        text
        for text in re.findall(
            r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        )
        if "GREETINGS" in text
    )
    welcome = scenario(WELCOME, "Welcome Flow", "Good morning, three please")
    scenarios = [welcome, scenario(COLD, "Cold Flow", "Three. Now.")]
    texts = {
        ENTRIES["Python"]: python,
        ENTRIES["JavaScript"]: JAVASCRIPT,
        "package.json": '{"type": "module"}',
        "programs.py": PROGRAMS,
        "tools.json": json.dumps({"tools": [{"name": "book", "description": "Books a date."}]}),
        "evaltui.toml": SETTINGS.format(entry=ENTRIES[language]),
        SCENARIOS: json.dumps(scenarios, indent=2),
    }
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root
