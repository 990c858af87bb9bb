"""An answer that cannot be read costs one verdict: nobody waits, and no secret of it shows."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.evaluators.loading import EvaluatorLoader
from evaltui.net.secret_mask import SecretMask
from tests.evaluators.loaded import load, write
from tests.evaluators.seen import answered, verdict_by

SECRET = "sk-live-0123456789abcdef"
THEIRS = """
import json, pathlib, sys
mode, answer = sys.argv[1], pathlib.Path("answer.txt").read_text()
for line in [sys.stdin.read()] if mode == "oneshot" else sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "describe":
        said = {"evaluators": [{"type": "mine", "label": "Mine", "kind": "assertion"}]}
        print(json.dumps(said), flush=True)
    elif asked["context"]["config"].get("wrong"):
        print(answer, flush=True)
    else:
        print('{"success": true, "reason": "well"}', flush=True)
"""
FILLED = "x" * 190
WRONG = {
    "nested too deeply": (
        '{"success": true, "reason": "", "metadata": {"a": %s}}' % ("[" * 5000 + "]" * 5000), "",
    ),
    "took longer than a double holds": (
        '{"success": true, "reason": "", "ms": 1%s}' % ("0" * 400), "`ms` is not a number",
    ),
    "took less than nothing": ('{"success": true, "reason": "", "ms": -5}', "`ms` is not a number"),
    "took no number": ('{"success": true, "reason": "", "ms": NaN}', "`ms` is not a number"),
    "no JSON": (f"oops {SECRET}", "oops ***"),
    "a secret that is cut": (f"{FILLED}{SECRET}", f"{FILLED}***"),
    "two verdicts": (
        '{"success": false, "success": true, "reason": ""}', "key `success` stands twice",
    ),
    "a key twice within": (
        '{"success": true, "reason": "", "metadata": {"a": [{"b": 1, "b": 2}]}}',
        "key `b` stands twice",
    ),
    "a list": (f'["{SECRET}"]', ""),
}  # fmt: skip


async def judged(root: Path, mode: str, answer: str, *wrong: bool) -> list[Verdict]:
    write(root, "theirs.py", THEIRS)
    write(root, "answer.txt", answer)
    mask = SecretMask()
    mask.add(SECRET)
    loader = EvaluatorLoader(mask)
    entry = {"command": (sys.executable, "-IS", "theirs.py", mode), "mode": mode}
    try:
        registry = load(root, entry, loader=loader).registry
        asked = (verdict_by("mine", {"wrong": one}, answered(), registry) for one in wrong)
        async with asyncio.timeout(10):
            return await asyncio.gather(*asked)
    finally:
        await loader.close()


@pytest.mark.parametrize("mode", ["oneshot", "jsonl"])
@pytest.mark.parametrize("kind", WRONG)
async def test_it_costs_its_own_verdict(tmp_path: Path, kind: str, mode: str) -> None:
    answer, why = WRONG[kind]
    bad, good = await judged(tmp_path, mode, answer, True, False)
    assert bad.status is VerdictStatus.ERROR
    assert bad.reason.startswith("Evaluator error: ")
    assert why in bad.reason
    assert "sk-live" not in bad.reason
    assert (good.status, good.reason) == (VerdictStatus.PASSED, "well")


async def test_true_is_no_id(tmp_path: Path) -> None:
    answer = json.dumps({"id": True, "success": True, "reason": "well"})
    (said,) = await judged(tmp_path, "jsonl", answer, True)
    assert said.status is VerdictStatus.ERROR


@pytest.mark.parametrize(
    "step", ["child_starter.start_child", "evaluator_child.EvaluatorChild.serve"]
)
async def test_nobody_waits_for_a_child_that_cannot_be_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("unheard of")

    monkeypatch.setattr(f"evaltui.evaluators.{step}", fails)
    (said,) = await judged(tmp_path, "jsonl", "", False)
    assert said.status is VerdictStatus.ERROR
    assert "unheard of" in said.reason
