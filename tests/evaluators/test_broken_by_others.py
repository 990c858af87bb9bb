"""What breaks its process after its own answer costs no other evaluator a verdict."""

import asyncio
import shutil
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.case_body import EvaluatorUse
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.evaluators.evaluator_check import evaluator_stage
from evaltui.judging.run_plan import run_plan
from tests.evaluators.loaded import evaluator, load, loading, write
from tests.evaluators.seen import answered

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
ALL_FDS = """
for fd in range(3, 32):
    try: {}
    except OSError: pass"""
LEFT_BEHIND = {
    "fds that block no more": ALL_FDS.format("os.set_blocking(fd, False)"),
    "nonsense on its way": "def late():"
    + ALL_FDS.format("os.write(fd, b'late\\n')").replace("\n", "\n    ")
    + "\nthreading.Timer(0.02, late).start()",
    "an end that is near": "threading.Timer(0.02, os._exit, (3,)).start()",
    "an alarm": "signal.setitimer(signal.ITIMER_REAL, 0.02)",
    "an alarm that raises": """
def late(*_): raise ValueError("late")
signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, 0.02)""",
    "a process that stops": "threading.Timer(0.02, os.kill, (os.getpid(), 19)).start()",
}
GOOD = "open('asked.txt', 'a').write('good ')\ntime.sleep(0.06)\nreturn passed('well')"
IMPORTS = "import os, signal, threading, time\n"


async def judged(root: Path, entry: str | Mapping[str, Any], cases: Sequence[str]) -> list[Verdict]:
    """The verdicts of cases, one after the other; each names its evaluators."""
    said: list[Verdict] = []
    async with loading() as loader, asyncio.timeout(60):
        loaded = load(root, entry, loader=loader)
        assert loaded.problems == ()
        for case in cases:
            stage = evaluator_stage(tuple(map(EvaluatorUse, case.split())), loaded.registry)
            said += await run_plan((stage,), answered())
    return said


@pytest.mark.parametrize("harm", LEFT_BEHIND)
@pytest.mark.slow
async def test_the_next_one_keeps_its_verdict(tmp_path: Path, harm: str) -> None:
    text = evaluator(f"{LEFT_BEHIND[harm]}\nreturn passed('mine')", "harms")
    write(tmp_path, "mine.py", IMPORTS + text + evaluator(GOOD, "good", timeout=0.9))
    said = await judged(tmp_path, "./mine.py", ("harms", "good", "harms good", "good"))
    assert [one.reason for one in said] == ["mine", "well", "mine", "well", "well"]


EXCHANGED = {
    "how JSON is written": "json.dumps = lambda value, **_: TRUE.replace('ID', str(value['id']))",
    "how JSON is written below": (
        "json.JSONEncoder.encode = json.JSONEncoder.iterencode ="
        " lambda self, value, **_: TRUE.replace('ID', str(value['id']))"
    ),
    "how JSON is read": "json.loads = json.JSONDecoder.decode = lambda *_, **__: {}",
    "the clock": "time.perf_counter = time.thread_time = lambda: 1e9 * random.random()",
    "what is awaited": "inspect.isawaitable = inspect.iscoroutinefunction = lambda _: True",
    "the end": "os._exit = os.getpid = lambda *_: 0",
}
TRUE = """
import inspect, json, os, random, time
TRUE = '{"id": ID, "value": {"success": true, "reason": "exchanged"}}'
"""


@pytest.mark.parametrize("what", EXCHANGED)
async def test_what_one_exchanges_of_the_standard_library_is_its_own_affair(
    tmp_path: Path, what: str
) -> None:
    harms = evaluator(f"{EXCHANGED[what]}\nreturn passed('mine')", "harms")
    bad = evaluator("return failed('it is wrong')", "bad")
    write(tmp_path, "mine.py", TRUE + harms + bad)
    said = await judged(tmp_path, "./mine.py", ("harms", "bad", "harms bad"))
    assert [one.reason for one in said] == ["mine", "it is wrong", "mine", "it is wrong"]
    assert [one.status for one in said[1::2]] == [VerdictStatus.FAILED] * 2
    assert all(0 <= one.duration_ms < 60_000 for one in said)


@needs_node
@pytest.mark.parametrize(
    "harm", ["setTimeout(() => exit(0), 20)", "JSON.parse = () => ({})", "JSON.stringify = () => 5"]
)
async def test_the_next_one_in_javascript_keeps_its_verdict(tmp_path: Path, harm: str) -> None:
    write(
        tmp_path,
        "mine.mjs",
        f"""
const exit = process.reallyExit.bind(process);
const one = (type, evaluate) => ({{ type, label: type, kind: "assertion", evaluate }});
export default {{ evaluators: [
  one("harms", () => {{ {harm}; return {{ success: true, reason: "mine" }}; }}),
  one("good", async () => {{
    await new Promise((done) => setTimeout(done, 60));
    return {{ success: true, reason: "well" }};
  }}),
] }};
""",
    )
    said = await judged(tmp_path, "./mine.mjs", ("harms", "good", "good"))
    wrong = said[0].status is VerdictStatus.ERROR  # its own answer could not be written
    assert wrong == ("stringify" in harm)
    assert [one.reason for one in said[1:]] == ["well", "well"]


COMMAND = """
import json, os, sys, threading, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "describe":
        kinds = [{"type": one, "label": one, "kind": "metric"} for one in ("harms", "good")]
        print(json.dumps({"evaluators": kinds}), flush=True)
        continue
    if asked["type"] == "good":
        time.sleep(0.06)
    print(json.dumps({"id": asked["id"], "success": True, "reason": asked["type"]}), flush=True)
    if asked["type"] == "harms":
        threading.Timer(0.02, HARM).start()
"""


@pytest.mark.parametrize("harm", ["os._exit, (3,)", "print, ('late',)"])
async def test_the_next_one_of_a_command_that_stays_keeps_its_verdict(
    tmp_path: Path, harm: str
) -> None:
    write(tmp_path, "theirs.py", COMMAND.replace("HARM", harm))
    entry = {"command": (sys.executable, "-IS", "theirs.py"), "mode": "jsonl"}
    said = await judged(tmp_path, entry, ("harms", "good", "harms good"))
    assert [one.reason for one in said] == ["harms", "good", "harms", "good"]


CASES = 6


@pytest.mark.parametrize(
    ("body", "why"), [("os._exit(3)", "exit code 3"), ("while True: pass", "timed out after 0.3 s")]
)
@pytest.mark.slow
async def test_one_that_breaks_each_time_does_so_hardly_more_often_than_it_is_asked(
    tmp_path: Path, body: str, why: str
) -> None:
    bad = f"open('asked.txt', 'a').write('bad ')\n{body}"
    text = evaluator(GOOD, "good") + evaluator(bad, "bad", timeout=0.3)
    write(tmp_path, "mine.py", IMPORTS + text)
    uses = tuple(map(EvaluatorUse, ("good", "bad")))
    async with loading() as loader, asyncio.timeout(60):
        stage = evaluator_stage(uses, load(tmp_path, "./mine.py", loader=loader).registry)
        said = await asyncio.gather(*(run_plan((stage,), answered()) for _ in range(CASES)))
    assert {good.reason for good, _ in said} == {"well"}
    assert {bad.reason.split(": ")[-1] for _, bad in said} == {
        f"its process ended with {why}" if "code" in why else why
    }
    asked = Counter((tmp_path / "asked.txt").read_text().split())
    assert asked["good"] == CASES
    assert CASES <= asked["bad"] <= CASES + 3


async def test_one_that_broke_once_is_asked_beside_others_again(tmp_path: Path) -> None:
    """A process for each of its questions would be slow."""
    body = "if ctx.config.get('ends'): os._exit(3)\nreturn passed(str(os.getpid()))"
    write(tmp_path, "mine.py", IMPORTS + evaluator(body))
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        pids: list[str] = []
        for config in ({}, {"ends": True}, {}, {}, {}, {}):
            uses = (EvaluatorUse("mine", config),)
            (one,) = await run_plan((evaluator_stage(uses, registry),), answered())
            pids.append(one.reason)
    assert "exit code 3" in pids[1]
    assert len(set(pids[3:])) == 1


GREEDY = "KEPT.append(bytes(1 << 30))\nreturn passed('kept')"


async def test_who_keeps_all_memory_costs_others_no_verdict(tmp_path: Path) -> None:
    """`greedy` gets what it asks for at first, so that others are the first who get none."""
    needs = "bytes(1 << 29)\nreturn passed('well')"
    text = "KEPT = []\n" + evaluator(GREEDY, "greedy")
    text += evaluator("while True: KEPT.append(bytes(1 << 29))", "eats")
    write(tmp_path, "mine.py", text + evaluator(needs, "good"))
    cases = [*["greedy good"] * 4, "eats good", "good"]
    said = await judged(tmp_path, "./mine.py", cases)
    by_type: dict[str, set[str]] = {}
    for one in said:
        by_type.setdefault(one.check, set()).add(one.reason)
    assert by_type == {
        "greedy": {"kept"}, "good": {"well"}, "eats": {"Evaluator error: MemoryError"},
    }  # fmt: skip


READS = """
open('limits.json').close()
import decimal
time.sleep(0)
return passed(f'read: {os.getpid()}')"""
LEFT = {
    "another folder": "os.chdir('/')",
    "no modules": "sys.modules.clear()",
    "another function": "time.sleep = None",
}


@pytest.mark.parametrize("harm", LEFT)
async def test_what_another_one_left_behind_raises_in_no_other(tmp_path: Path, harm: str) -> None:
    write(tmp_path, "limits.json", "{}")
    text = evaluator(f"{LEFT[harm]}\nreturn passed('mine')", "harms")
    write(tmp_path, "mine.py", "import sys\n" + IMPORTS + text + evaluator(READS, "reads"))
    said = await judged(tmp_path, "./mine.py", ["harms reads"] * 3)
    assert {one.status for one in said} == {VerdictStatus.PASSED}
    # Once it is known, it is not asked twice: its process is kept.
    assert len({one.reason for one in said if one.check == "reads"}) == 1


BUILT_IN = {
    "another": "builtins.open = None",
    "none": "del builtins.open",
    "what judging itself uses": "builtins.isinstance = builtins.getattr = builtins.len = None",
    "what imports": "builtins.__import__ = None",
}


@pytest.mark.parametrize("kind", ["def", "async def"])
@pytest.mark.parametrize("harm", BUILT_IN)
async def test_who_exchanges_a_built_in_function_costs_others_no_start(
    tmp_path: Path, harm: str, kind: str
) -> None:
    write(tmp_path, "limits.json", "{}")
    body = f"mine = passed(f'mine: {{os.getpid()}}')\n{BUILT_IN[harm]}\nreturn mine"
    text = evaluator(body, "harms").replace("def ", f"{kind} ", 1)
    write(tmp_path, "mine.py", "import builtins\n" + IMPORTS + text + evaluator(READS, "reads"))
    said = await judged(tmp_path, "./mine.py", ["harms reads"] * 3)
    assert {one.status for one in said} == {VerdictStatus.PASSED}
    assert len({one.reason.partition(": ")[2] for one in said}) == 1, "all in one process"


async def test_one_that_raises_alone_too_is_asked_twice_only_once(tmp_path: Path) -> None:
    asked = "open('asked.txt', 'a').write('.')\nraise ValueError('mine')"
    text = evaluator("return passed('well')", "good") + evaluator(asked, "raises")
    write(tmp_path, "mine.py", text)
    said = await judged(tmp_path, "./mine.py", ["good raises"] * 5)
    assert [one.reason for one in said[1::2]] == ["Evaluator error: mine"] * 5
    assert len((tmp_path / "asked.txt").read_text()) == 6


LEAVES = """
import { readFileSync } from "node:fs";
const one = (type, evaluate) => ({ type, label: type, kind: "assertion", evaluate });
const read = () => ({ success: true, reason: readFileSync("limits.json", "utf8") });
export default { evaluators: [
  one("moves", () => { process.chdir("/"); return { success: true, reason: "moved" }; }),
  one("poisons", () => { globalThis.JSON.parse = null; return { success: true, reason: "it" }; }),
  one("reads", read),
  one("parses", () => ({ success: JSON.parse(read().reason).a === 1, reason: "parsed" })),
] };
"""


@needs_node
@pytest.mark.parametrize("case", ["moves reads", "moves parses"])
async def test_a_javascript_evaluator_judges_in_the_folder_of_all(
    tmp_path: Path, case: str
) -> None:
    write(tmp_path, "limits.json", '{"a": 1}')
    write(tmp_path, "mine.mjs", LEAVES)
    said = await judged(tmp_path, "./mine.mjs", [case] * 2)
    assert {one.status for one in said} == {VerdictStatus.PASSED}
