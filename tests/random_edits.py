"""Random edits of a project with any kind of agent, and what a full run makes of it."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

VERBS = ("create", "delete", "find", "send", "cancel", "book", "rename", "print")
NOUNS = ("invoice", "order", "flight", "song", "parcel", "report", "meeting", "ticket", "album",
         "contract")  # fmt: skip
MORE = ("customer", "number", "date", "city", "quickly", "archive", "draft", "price", "again",
        "company", "printer", "mail", "list", "shared", "old")  # fmt: skip
CHOOSE = '''
import json, pathlib
HERE = pathlib.Path(__file__).parent

def choose(message, tools):
    """The tool whose name and description share most words with the message."""
    said = set(message.lower().split())
    def score(tool):
        words = f"{tool['name'].replace('_', ' ')} {tool.get('description') or ''}".lower()
        return len(said & set(words.split()))
    shown = [tool for tool in tools if tool.get("status") != "removed"]
    best = max(shown, key=lambda tool: (score(tool), tool["name"]), default=None)
    return best if best is not None and score(best) > 1 else None

def answer_of(message, tools):
    best = choose(message, tools)
    prompt = (HERE / "prompt.md").read_text()
    calls = [] if best is None else [
        {"name": best["name"], "params": {"by": list(best.get("parameters", {}))}, "success": True}
    ]
    return {"response": f"{prompt} {best and best['name']}", "toolCalls": calls}

def read_tools():
    return json.loads((HERE / "tools.json").read_text())["tools"]
'''
COMMAND = """
import json, sys
from choosing import answer_of, read_tools
STYLE = "%s"
said = answer_of(json.load(sys.stdin)["message"], read_tools())
said["response"] += STYLE
json.dump(said, sys.stdout)
"""
FUNCTION = """
from choosing import answer_of
STYLE = "%s"
def answer(message, tools=()):
    said = answer_of(message, tools)
    said["response"] += STYLE
    return said
"""
PROFILES: dict[str, dict[str, Any]] = {
    "embedded": {"type": "embedded"},
    "command": {
        "type": "command", "command": [sys.executable, "-S", "-E", "ag.py"], "files": ["*.md"],
    },
    "python": {"type": "python", "function": "ag.py:answer", "files": ["*.md"]},
    "http": {"type": "http"},
}  # fmt: skip
Document = dict[str, Any]


class RandomProject:
    """A project below `root` that is edited at random, from a seed."""

    def __init__(
        self, root: Path, kind: str, seed: int, *, url: str = "", tools: int = 40, cases: int = 60
    ) -> None:
        self.root, self.kind, self.random = root, kind, Random(f"{kind} {seed}")
        self.settings: Document = {
            "agent": "it",
            "agents": {"it": {**PROFILES[kind], "is_free": self.random.random() < 0.6}},
            "snapshot": "live.json",
            "snapshot_enabled": True,
            "concurrency": 4,
        }
        if url:
            self.settings["agents"]["it"]["url"] = url
        names = [f"{verb}_{noun}" for verb in VERBS for noun in NOUNS]
        self.tools = [self._tool(name) for name in self.random.sample(names, tools)]
        self.suites = {tool["name"]: self._suite(tool["name"]) for tool in self.tools[:8]}
        for number in range(cases):
            name = self.random.choice([*self.suites])
            self.suites[name]["cases"].append(self._case(name, number))
        self._number = cases
        self.seed = {"a": "x", "b": "y"}
        self.live = {"a": "x", "b": "y"}
        root.mkdir(parents=True, exist_ok=True)
        (root / "prompt.md").write_text("Yes,")
        (root / "choosing.py").write_text(CHOOSE)
        self._write_agent("")
        self.write()
        self._tool_edits: list[Callable[[], str]] = [
            self.describe, self.describe, self.describe, self.describe_two, self.parameters,
            self.version, self.status, self.add_tool, self.remove_tool, self.rename_tool,
        ]  # fmt: skip
        self._others: list[Callable[[], str]] = [
            self.message, self.expect, self.add_case, self.remove_case, self.seed_value,
            self.live_value, self.live_off, self.multiset, self.trials, self.mute, self.hash_,
        ]  # fmt: skip
        self._others += [self.call_at] if kind == "embedded" else [self.script, self.prompt]

    def edit(self, *, tools_only: bool = False) -> str:
        """Do one thing, and say what."""
        choices = self._tool_edits if tools_only or self.random.random() < 0.6 else self._others
        done = self.random.choice(choices)()
        self.write()
        return done

    def write(self) -> None:
        def dump(name: str, value: object) -> None:
            path = self.root / name
            text = json.dumps(value, indent=1)
            path.parent.mkdir(exist_ok=True)
            if not path.exists() or path.read_text() != text:
                path.write_text(text)

        dump("tools.json", {"tools": self.tools})
        dump("evals/seed-manifest.json", self.seed)
        dump("live.json", self.live)
        dump("evaltui.config.json", self.settings)
        for name, suite in self.suites.items():
            dump(f"evals/{name}.golden.json", suite)

    # --- tools

    def _words(self, least: int, most: int) -> str:
        words = (*VERBS, *NOUNS, *MORE)
        return " ".join(self.random.choices(words, k=self.random.randint(least, most)))

    def _tool(self, name: str) -> Document:
        description = f"{name.replace('_', ' ')} {self._words(2, 6)}"
        properties = {self.random.choice(MORE): {"type": "string"}}
        return {
            "name": name, "description": description, "version": "1.0.0",
            "parameters": {"type": "object", "properties": properties},
        }  # fmt: skip

    def describe(self) -> str:
        tool = self.random.choice(self.tools)
        words = str(tool["description"]).split()
        match self.random.randrange(4):
            case 0:
                words.append(self._words(1, 2))
            case 1 if words:
                words.pop(self.random.randrange(len(words)))
            case 2:
                words = self._words(3, 8).split()
            case _:
                words = []
        tool["description"] = " ".join(words)
        return f"describe {tool['name']}"

    def describe_two(self) -> str:
        return f"{self.describe()}, {self.describe()}"

    def parameters(self) -> str:
        tool = self.random.choice(self.tools)
        names = self.random.sample(MORE, self.random.randrange(3))
        properties = {name: {"type": self.random.choice(("string", "integer"))} for name in names}
        tool["parameters"] = {"type": "object", "properties": properties, "required": names[:1]}
        return f"parameters of {tool['name']}"

    def version(self) -> str:
        tool = self.random.choice(self.tools)
        tool["version"] = f"{self.random.randrange(9)}.0.0"
        return f"version of {tool['name']}"

    def status(self) -> str:
        tool = self.random.choice(self.tools)
        tool["status"] = self.random.choice(("active", "deprecated", "removed"))
        return f"status of {tool['name']}"

    def add_tool(self) -> str:
        self._number += 1
        name = f"{self.random.choice(VERBS)}_{self.random.choice(NOUNS)}_{self._number}"
        self.tools.insert(self.random.randrange(len(self.tools)), self._tool(name))
        return f"add {name}"

    def remove_tool(self) -> str:
        if len(self.tools) < 4:
            return self.add_tool()
        return f"remove {self.tools.pop(self.random.randrange(len(self.tools)))['name']}"

    def rename_tool(self) -> str:
        tool = self.random.choice(self.tools)
        self._number += 1
        before = tool["name"]
        tool["name"] = f"{self.random.choice(VERBS)}_{self.random.choice(NOUNS)}_{self._number}"
        return f"rename {before} to {tool['name']}"

    # --- cases

    def _suite(self, tool: str) -> Document:
        return {"metadata": {"toolName": tool, "descriptionHash": "0" * 12}, "cases": []}

    def _expect(self, tool: str) -> Document:
        return self.random.choice(
            [
                {"toolsCalled": [tool]},
                {"toolsCalled": [tool]},
                {"toolsNotCalled": [self.random.choice(self.tools)["name"]]},
                {"toolsAcceptable": [[tool], [tool, tool], []]},
                {"toolsCalled": [tool], "responseContains": ["{{seed:a}}"]},
                {"responseContains": ["{{snapshot:a}}"]},
            ]
        )

    def _case(self, tool: str, number: int) -> Document:
        message = f"{tool.replace('_', ' ')} {self._words(1, 4)} {number}"
        return {
            "id": f"gs-{tool.replace('_', '-')}-{number:03d}",
            "description": "made",
            "input": {"message": message},
            "expect": self._expect(tool),
        }

    def _any(self) -> tuple[str, Document]:
        name = self.random.choice([name for name, suite in self.suites.items() if suite["cases"]])
        return name, self.random.choice(self.suites[name]["cases"])

    def message(self) -> str:
        _, case = self._any()
        case["input"] = {"message": f"{case['input']['message']} {self._words(1, 2)}"}
        return f"message of {case['id']}"

    def expect(self) -> str:
        name, case = self._any()
        case["expect"] = self._expect(name)
        return f"expect of {case['id']}"

    def add_case(self) -> str:
        name = self.random.choice([*self.suites])
        self._number += 1
        self.suites[name]["cases"].append(self._case(name, self._number))
        return f"add a case of {name}"

    def remove_case(self) -> str:
        name, case = self._any()
        if sum(len(suite["cases"]) for suite in self.suites.values()) < 5:
            return self.add_case()
        self.suites[name]["cases"].remove(case)
        return f"remove {case['id']}"

    # --- all else

    def seed_value(self) -> str:
        self.seed["a"] = self.random.choice(("x", "Yes", "order", "None"))
        return "seed"

    def live_value(self) -> str:
        self.live["a"] = self.random.choice(("x", "Yes", "order", "None"))
        return "live values"

    def live_off(self) -> str:
        self.settings["snapshot_enabled"] = not self.settings["snapshot_enabled"]
        return "snapshot_enabled"

    def multiset(self) -> str:
        self.settings["multiset_tools"] = not self.settings.get("multiset_tools", True)
        return "multiset_tools"

    def trials(self) -> str:
        self.settings["trials"] = self.random.choice((1, 1, 2))
        return "trials"

    def call_at(self) -> str:
        self.settings["agents"]["it"]["call_at"] = self.random.choice((0.3, 0.4, 0.6))
        return "call_at"

    def mute(self) -> str:
        name, case = self._any()
        mutes = self.settings.setdefault("mute", {})
        key = f"evals/{name}.golden.json::{case['id']}"
        if mutes.pop(key, None) is None:
            mutes[key] = "known"
        return f"mute {key}"

    def hash_(self) -> str:
        name = self.random.choice([*self.suites])
        self.suites[name]["metadata"]["descriptionHash"] = self.random.choice(("0" * 12, "f" * 12))
        return f"hash of {name}"

    def script(self) -> str:
        self._write_agent(self.random.choice(("", " order", " Yes", " x")))
        return "script"

    def prompt(self) -> str:
        (self.root / "prompt.md").write_text(self.random.choice(("Yes,", "No,", "order")))
        return "prompt"

    def _write_agent(self, style: str) -> None:
        body = COMMAND if self.kind == "command" else FUNCTION
        (self.root / "ag.py").write_text(body % style)


def copied(root: Path, target: Path) -> Path:
    """The project without anything that was kept of earlier runs."""
    shutil.copytree(root, target, ignore=shutil.ignore_patterns(".evaltui", "results", "baselines"))
    return target
