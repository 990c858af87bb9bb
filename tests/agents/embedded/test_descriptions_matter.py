"""A description that is taken away lowers its tool: an edit of it is seen in its cases."""

import json
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from evaltui.registries.reader import read_registry
from tests.agents.embedded.tools import decide, p_of

SAMPLES = Path(__file__).parents[3] / "sample_evals"


def asked() -> Iterator[tuple[str, str]]:
    """Messages of the sample project, each with the one tool that it is to call."""
    for file in sorted((SAMPLES / "evals").glob("*.*.json")):
        document = json.loads(file.read_text("utf-8"))
        for case in document.get("cases", ()) if isinstance(document, dict) else ():
            wanted = case.get("expect", {}).get("toolsCalled", ())
            if len(wanted) == 1 and isinstance(case.get("input"), dict):
                yield case["input"]["message"], wanted[0]


def test_nearly_every_case_loses_by_it() -> None:
    tools = [*read_registry(SAMPLES).registry]
    named = {tool.name for tool in tools}
    lowered = raised = total = 0
    for message, name in asked():
        if name not in named:
            continue
        bare = [replace(tool, description=None) if tool.name == name else tool for tool in tools]
        before, now = (p_of(decide(of, message), name) or 0.0 for of in (tools, bare))
        total += 1
        lowered += now < before
        raised += now > before
    assert total >= 30
    assert total - lowered <= 1, "of 600 others it is 98 of a hundred"
    assert not raised
