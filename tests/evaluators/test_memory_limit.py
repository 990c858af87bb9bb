"""No evaluator takes all the memory that there is, whatever it is written in."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.evaluators.loaded import evaluator, load, loading, write
from tests.evaluators.seen import verdict_by

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="no other system limits the data of a process"
)
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
TAKES = "bytes({gib} << 30)"
"""Nothing of it is used, so that the machine needs to have none of it."""
COMMAND = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "describe":
        kinds = [{{"type": "mine", "label": "mine", "kind": "metric"}}]
        print(json.dumps({{"evaluators": kinds}}), flush=True)
        continue
    {takes}
    print(json.dumps({{"id": asked["id"], "success": True, "reason": "taken"}}), flush=True)
"""
JAVASCRIPT = """
const kept = [];
const one = (type, evaluate) => ({ type, label: type, kind: "assertion", evaluate });
const take = (gib) => Buffer.allocUnsafeSlow(gib * 2 ** 30);
export default { evaluators: [
  one("greedy", () => { for (;;) kept.push(take(2)); }),
  one("keeps", () => { kept.push(take(2)); return { success: true, reason: "kept" }; }),
  one("good", () => { take(0.5); return { success: true, reason: "well" }; }),
] };
"""


def entry_of(written: str, root: Path, gib: int) -> str | Mapping[str, Any]:
    """One evaluator that takes so much."""
    takes = TAKES.format(gib=gib)
    if written == "python":
        write(root, "mine.py", evaluator(f"{takes}\nreturn passed('taken')"))
        return "./mine.py"
    write(root, "theirs.py", COMMAND.format(takes=takes))
    return {"command": (sys.executable, "-IS", "theirs.py"), "mode": written}


@pytest.mark.parametrize("written", ["python", "oneshot", "jsonl"])
@pytest.mark.parametrize(("gib", "why"), [(2, "taken"), (5, "MemoryError")])
async def test_who_takes_more_than_the_limit_is_refused_it(
    written: str, gib: int, why: str, tmp_path: Path
) -> None:
    async with loading() as loader:
        loaded = load(tmp_path, entry_of(written, tmp_path, gib), loader=loader)
        said = await verdict_by("mine", registry=loaded.registry)
    assert why in said.reason


@needs_node
@pytest.mark.slow
async def test_buffers_of_javascript_are_counted_and_cost_others_nothing(tmp_path: Path) -> None:
    write(tmp_path, "mine.mjs", JAVASCRIPT)
    async with loading() as loader:
        known = load(tmp_path, "./mine.mjs", loader=loader).registry
        asked = ("keeps", "keeps", "good", "greedy", "good")
        said = [(await verdict_by(type_, registry=known)).reason for type_ in asked]
    refused = "Evaluator error: Array buffer allocation failed"
    assert said == ["kept", "kept", "well", refused, "well"]
