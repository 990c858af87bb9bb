"""A command that stays and writes more lines than it was asked for, or late: each of its neighbours
keeps the verdict that is its own."""

import asyncio
import sys
from pathlib import Path

import pytest

from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.evaluators.loading import EvaluatorLoader
from tests.evaluators.loaded import load, write
from tests.evaluators.seen import answered, verdict_by

PROGRAM = """
import json, sys, threading, time
options = sys.argv[1:]
def say(id_, **said):
    if "ids" in options:
        said["id"] = id_
    sys.stdout.write(json.dumps(said) + "\\n")
    sys.stdout.flush()
types = ("good", "bad", "chatty", "late", "flood", "quits")
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "describe":
        if "once" in options and options.count("asked"):
            time.sleep(60)
        options.append("asked")
        one = {"kind": "assertion"}
        said = {"evaluators": [{"type": each, "label": each, **one} for each in types]}
        print(json.dumps(said), flush=True)
        continue
    kind, id_ = asked["type"], asked["id"]
    time.sleep(0.01)
    if kind == "flood":
        while True:
            say(id_ - 1, success=True, reason="another")
            time.sleep(0.02)
    say(id_, success=kind != "bad", reason=f"about {kind}")
    if kind == "quits":
        sys.exit()
    if kind == "chatty":
        say(id_, success=True, reason="more of chatty")
    if kind == "late":
        more = dict(success=True, reason="more of late")
        threading.Timer(0.005, say, (id_,), more).start()
"""


async def judged(root: Path, types: tuple[str, ...], *options: str) -> list[Verdict]:
    """Of each type one verdict; all are asked at once, four a case."""
    write(root, "theirs.py", PROGRAM)
    entry = {
        "command": (sys.executable, "-IS", "theirs.py", *options),
        "mode": "jsonl",
        "timeout_s": 2.0,
    }
    loader = EvaluatorLoader()
    try:
        registry = load(root, entry, loader=loader).registry
        contexts = [answered(str(at)) for at in range((len(types) + 3) // 4)]
        asked = (
            verdict_by(type_, {"at": at}, contexts[at // 4], registry)
            for at, type_ in enumerate(types)
        )
        async with asyncio.timeout(30):
            return await asyncio.gather(*asked)
    finally:
        await loader.close()


@pytest.mark.parametrize("options", [(), ("ids",)], ids=["without ids", "with ids"])
async def test_neighbours_keep_their_own_verdicts(tmp_path: Path, options: tuple[str, ...]) -> None:
    four = ("chatty", "bad", "late", "good")
    said = await judged(tmp_path, (*four, "late", "bad", "good", "bad", *four), *options)
    for verdict in said:
        if verdict.check in ("good", "bad"):
            wanted = VerdictStatus.PASSED if verdict.check == "good" else VerdictStatus.FAILED
            assert (verdict.status, verdict.reason) == (wanted, f"about {verdict.check}")
        elif verdict.status is not VerdictStatus.ERROR:
            assert verdict.reason == f"about {verdict.check}", "an answer that is its own"


async def test_one_line_too_many_is_an_error_of_its_own(tmp_path: Path) -> None:
    (said,) = await judged(tmp_path, ("chatty",))
    assert said.status is VerdictStatus.ERROR
    assert "it wrote more than one answer" in said.reason


@pytest.mark.slow
async def test_lines_of_other_questions_buy_no_time(tmp_path: Path) -> None:
    flood, good = await judged(tmp_path, ("flood", "good"), "ids")
    assert flood.reason == "Evaluator error: timed out after 2 s"
    assert good.status is VerdictStatus.PASSED


async def test_one_that_ends_after_its_answer_is_believed(tmp_path: Path) -> None:
    quits, good = await judged(tmp_path, ("quits", "good"))
    assert [one.reason for one in (quits, good)] == ["about quits", "about good"]


@pytest.mark.slow
async def test_one_that_describes_itself_only_once_is_told_about_ids(tmp_path: Path) -> None:
    (said,) = await judged(tmp_path, ("good",), "once")
    assert said.status is VerdictStatus.ERROR
    assert "without the `id` of the question" in said.reason
