"""A process that begins in the middle of a run may load other files than the run began with."""

import sys
from pathlib import Path

import pytest

from evaltui.core.verdict import VerdictStatus
from tests.evaluators.loaded import evaluator, load, loading, write
from tests.evaluators.seen import verdict_by

BODY = "if ctx.config.get('ends'): os._exit(3)\nreturn passed(f'at most {MOST}')"
ONCE = """
import json, sys
MOST = 3
asked = json.loads(sys.stdin.read())
if asked["op"] == "describe":
    print(json.dumps({"evaluators": [{"type": "mine", "label": "Mine", "kind": "assertion"}]}))
else:
    print(json.dumps({"success": True, "reason": f"at most {MOST}"}))
"""


@pytest.mark.parametrize("is_saved", [False, True])
async def test_one_that_takes_the_place_of_another_judges_as_that_did_or_not_at_all(
    tmp_path: Path, *, is_saved: bool
) -> None:
    """Its verdicts would be kept as those of what was loaded before."""
    write(tmp_path, "most.py", "MOST = 3\n")
    write(tmp_path, "mine.py", f"import os\nfrom most import MOST\n{evaluator(BODY)}")
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        assert (await verdict_by("mine", {}, registry=registry)).reason == "at most 3"
        ended = await verdict_by("mine", {"ends": True}, registry=registry)
        assert "exit code 3" in ended.reason
        if is_saved:
            write(tmp_path, "most.py", "MOST = 1000\n")
        after = await verdict_by("mine", {}, registry=registry)
        assert after.status is (VerdictStatus.ERROR if is_saved else VerdictStatus.PASSED)
        assert ("saved while it was judging" if is_saved else "at most 3") in after.reason
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        again = await verdict_by("mine", {}, registry=registry)
        assert again.reason == f"at most {1000 if is_saved else 3}"


async def test_a_command_that_is_started_for_each_answer_neither(tmp_path: Path) -> None:
    write(tmp_path, "once.py", ONCE)
    entry = {"command": (sys.executable, "once.py"), "mode": "oneshot"}
    async with loading() as loader:
        registry = load(tmp_path, entry, loader=loader).registry
        assert (await verdict_by("mine", {}, registry=registry)).reason == "at most 3"
        write(tmp_path, "once.py", ONCE.replace("MOST = 3", "MOST = 1000"))
        after = await verdict_by("mine", {}, registry=registry)
        assert after.status is VerdictStatus.ERROR
        assert "saved while it was judging" in after.reason
        registry = load(tmp_path, entry, loader=loader).registry
        assert (await verdict_by("mine", {}, registry=registry)).reason == "at most 1000"
