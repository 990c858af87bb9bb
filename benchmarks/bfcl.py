"""How often the embedded agent chooses the right tools and values on function-calling cases.

Reads a folder of `*.jsonl`, one case a line: `category`, `message`, `tools` (name, description,
inputSchema) and `calls`, each `{tool: {param: [accepted values]}}` where "" means may be left out.
    python benchmarks/bfcl.py [FOLDER] [--call-at 0.40] [--json]
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from evaltui.agents.embedded.decision import Decision
from evaltui.agents.embedded.index import build_index
from evaltui.agents.embedded.route import route
from evaltui.core.config import CALL_AT
from evaltui.core.tool import ToolDefinition

FOLDER = Path(__file__).parent.parent.parent / "shared/data/bfcl_dev"
GROUPS = {
    "right tool, clean": ("simple_python", "multiple"),
    "right tool, user-contributed": ("live_simple", "live_multiple"),
    "refused": ("irrelevance", "live_irrelevance"),
    "tool set right": ("parallel_multiple", "live_parallel_multiple"),
}
MARGINS = ((0.40, 1.01), (0.10, 0.40), (0.02, 0.10), (0.0, 0.02))
_IGNORED = str.maketrans("", "", " ,./-_*^'\"")
Case = Mapping[str, Any]


@dataclass
class Tally:
    """Counts over some cases."""

    cases: int = 0
    right: int = 0
    single: int = 0
    """Cases of one call whose tool was right."""
    required: int = 0
    required_right: int = 0
    whole: int = 0
    seconds: float = 0.0
    margins: dict[float, list[bool]] = field(default_factory=lambda: defaultdict(list))

    def add(self, other: "Tally") -> None:
        for name in ("cases", "right", "single", "required", "required_right", "whole", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for low, seen in other.margins.items():
            self.margins[low] += seen


def tools_of(case: Case) -> list[ToolDefinition]:
    return [
        ToolDefinition(tool["name"], tool.get("description"), parameters=tool.get("inputSchema"))
        for tool in case["tools"]
    ]


def is_same(got: Any, wanted: Any) -> bool:
    """Texts without case, spaces and punctuation, numbers by value, lists member by member."""
    if isinstance(got, bool) or isinstance(wanted, bool):
        return str(got).lower() == str(wanted).lower()
    if isinstance(got, int | float) and isinstance(wanted, int | float):
        return abs(got - wanted) < 1e-9
    if isinstance(got, str) and isinstance(wanted, str):
        return got.lower().translate(_IGNORED) == wanted.lower().translate(_IGNORED)
    if isinstance(got, list) and isinstance(wanted, list):
        return len(got) == len(wanted) and all(map(is_same, got, wanted))
    if isinstance(got, dict) and isinstance(wanted, dict):
        return all(
            name in wanted and accepts(_listed(wanted[name]), value) for name, value in got.items()
        ) and all(name in got or "" in _listed(value) for name, value in wanted.items())
    return bool(got == wanted)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def accepts(values: Iterable[Any], got: Any) -> bool:
    return any(is_same(got, value) for value in values)


def judge(case: Case, decision: Decision, seconds: float) -> Tally:
    """One case; several-tool categories are compared as sets, since tools are called once."""
    wanted = [name for call in case["calls"] for name in call]
    several = "parallel" in case["category"]
    right = (
        set(decision.tools) == set(wanted) if several else sorted(decision.tools) == sorted(wanted)
    )
    tally = Tally(cases=1, right=int(right), seconds=seconds)
    if decision.calls and len(wanted) == 1 and len(case["tools"]) > 1 and not several:
        low = next((low for low, high in MARGINS if low <= decision.margin < high), 0.0)
        tally.margins[low].append(decision.candidates[0].tool == wanted[0])
    if right and len(wanted) == 1 and not several:
        _judge_params(case, decision, wanted[0], tally)
    return tally


def _judge_params(case: Case, decision: Decision, tool: str, tally: Tally) -> None:
    accepted: Mapping[str, list[Any]] = case["calls"][0][tool]
    got = decision.calls[0].params
    schema = next(t["inputSchema"] for t in case["tools"] if t["name"] == tool)
    ok = {
        name: accepts(values, got[name]) if name in got else "" in values
        for name, values in accepted.items()
    }
    required = [name for name in schema.get("required", []) if name in accepted]
    tally.single = 1
    tally.required = len(required)
    tally.required_right = sum(ok[name] for name in required)
    tally.whole = int(all(ok.values()) and got.keys() <= accepted.keys())


def measure(cases: Iterable[Case], call_at: float) -> dict[str, Tally]:
    """A tally per category; the time is that of deciding, the index not included."""
    tallies: dict[str, Tally] = {}
    for case in cases:
        index = build_index(tools_of(case))
        began = perf_counter()
        decision = route(index, case["message"], call_at)
        seconds = perf_counter() - began
        tallies.setdefault(case["category"], Tally()).add(judge(case, decision, seconds))
    return tallies


def share(part: float, whole: float) -> str:
    return f"{part / whole:.3f}" if whole else "    –"


def table(tallies: Mapping[str, Tally]) -> list[str]:
    lines = [f"{'category':30} {'n':>5} {'right':>6} {'required':>9} {'whole':>6} {'ms':>6}"]
    groups = {name: [name] for name in tallies} | {k: list(v) for k, v in GROUPS.items()}
    overall = Tally()
    for name, members in groups.items():
        tally = Tally()
        for member in members:
            tally.add(tallies.get(member, Tally()))
        if name in tallies:
            overall.add(tally)
        lines.append(
            f"{name:30} {tally.cases:5} {share(tally.right, tally.cases):>6} "
            f"{share(tally.required_right, tally.required):>9} "
            f"{share(tally.whole, tally.cases if tally.single else 0):>6} "
            f"{tally.seconds / max(1, tally.cases) * 1000:6.2f}"
        )
    lines.append(
        "how often the best tool is the expected one, by margin (one call, several tools offered)"
    )
    for low, high in MARGINS:
        seen = overall.margins[low]
        bounds = f"{low:.2f} to {min(high, 1.0):.2f}"
        lines.append(f"  {bounds:28} {len(seen):5} {share(sum(seen), len(seen)):>6}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--call-at", type=float, default=CALL_AT)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    cases = [
        json.loads(line)
        for file in sorted(arguments.folder.glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
        if line.strip()
    ]
    tallies = measure(cases, arguments.call_at)
    if arguments.json:
        rows = {name: {**vars(t), "margins": None} for name, t in tallies.items()}
        print(json.dumps(rows, indent=2))
    else:
        print("\n".join(table(tallies)))


if __name__ == "__main__":
    main()
