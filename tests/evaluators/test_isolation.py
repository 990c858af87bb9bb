"""Whatever an evaluator does, it costs its own verdict and nothing else."""

import asyncio
import zipfile
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.case_body import EvaluatorUse
from evaltui.core.verdict import VerdictStatus
from evaltui.evaluators import evaluator_child, evaluator_host
from evaltui.evaluators.child_starter import ChildStarter
from evaltui.evaluators.evaluator_check import evaluator_stage
from evaltui.evaluators.evaluator_child import EvaluatorChild
from evaltui.judging.run_plan import run_plan
from tests.evaluators.loaded import evaluator, load, loading, write
from tests.evaluators.seen import answered, verdict_by

BROKEN = {
    "raises": ("raise ValueError('no table')", "no table"),
    "raises nothing to say": ("raise KeyError()", "Evaluator error: KeyError"),
    "misses a key": ("{}['plant']", "Evaluator error: KeyError: 'plant'"),
    "exits": ("import sys; sys.exit(3)", "sys.exit(3)"),
    "ends its process": ("import os; os._exit(3)", "exit code 3"),
    "is killed": ("import os; os.kill(os.getpid(), 9)", "SIGKILL"),
    "hangs": ("while True: pass", "timed out after 0.3 s"),
    "hangs and holds everything": (
        "import re; re.match('(a+)+$', 'a' * 64 + 'b')", "timed out after 0.3 s",
    ),
    "eats memory": ("return passed(str(len(bytearray(1 << 40))))", "MemoryError"),
    "returns something else": ("return 5", "it returned int"),
    "gives no text as its reason": ("return passed(5)", "`reason` is `5`"),
    "gives what JSON has not": ("return {'success': True, (1, 2): 3}", "cannot be written as JSON"),
    "returns a number that is none": ("return measured(float('nan'), '')", "not a finite number"),
    "changes what others see": ("ctx.messages[0]['role'] = 'x'", "cannot be changed"),
    "leaves a copy of itself": (
        "import os\nif os.fork() == 0: return passed('child')\nraise ValueError('parent')",
        "parent",
    ),
}  # fmt: skip


def limit_of(why: str) -> float:
    """Seconds: none that a busy machine reaches, but where the limit is what is to be told."""
    return 0.3 if "timed out" in why else 30


@pytest.mark.slow
async def test_one_that_breaks_costs_its_own_verdict(tmp_path: Path) -> None:
    text = evaluator("return passed('well')", "good")
    for number, (body, why) in enumerate(BROKEN.values()):
        text += evaluator(body, f"bad_{number}", timeout=limit_of(why))
    write(tmp_path, "mine.py", text)
    types = [name for number in range(len(BROKEN)) for name in ("good", f"bad_{number}")]
    async with loading() as loader:
        loaded = load(tmp_path, "./mine.py", loader=loader)
        assert loaded.problems == ()
        stage = evaluator_stage(tuple(map(EvaluatorUse, [*types, "good"])), loaded.registry)
        said = await run_plan((stage,), answered())
    assert [one.reason for one in said[::2]] == ["well"] * (len(BROKEN) + 1)
    for verdict, (name, (_, why)) in zip(said[1::2], BROKEN.items(), strict=True):
        assert verdict.status is VerdictStatus.ERROR, name
        assert verdict.reason.startswith("Evaluator error: ")
        assert why in verdict.reason, name


async def test_what_it_prints_is_passed_on_and_no_part_of_its_answer(tmp_path: Path) -> None:
    write(tmp_path, "mine.py", evaluator("print('{}')\nreturn passed('well')"))
    heard: list[tuple[str, str]] = []
    async with loading() as loader:
        loader.on_print = lambda entry, text: heard.append((entry, text))
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        assert (await verdict_by("mine", registry=registry)).reason == "well"
    assert heard == [("./mine.py", "mine: {}")]


async def test_what_it_writes_past_python_is_no_part_of_its_answer_either(tmp_path: Path) -> None:
    code = "import os, subprocess, sys\n"
    body = """os.write(1, b'{"id": 1}\\n')
subprocess.run([sys.executable, "-c", "print('{}'); print(input())"], check=False)
return passed("well")"""
    write(tmp_path, "mine.py", code + evaluator(body))
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        for _ in range(2):  # what is left on its pipe would be read as the next answer
            assert (await verdict_by("mine", registry=registry)).reason == "well"


async def test_what_one_prints_is_no_reason_of_another_that_ends_the_process(
    tmp_path: Path,
) -> None:
    text = evaluator("print('of the first')\nreturn passed('well')", "first")
    text += evaluator("print('of the second')\nimport os\nos._exit(3)", "second")
    write(tmp_path, "mine.py", text)
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        uses = tuple(map(EvaluatorUse, ("first", "second")))
        said = await run_plan((evaluator_stage(uses, registry),), answered())
    assert said[1].reason == ("Evaluator error: its process ended with exit code 3: of the second")


@pytest.mark.parametrize(("printed", "why"), [("print('in vain')", ": in vain"), ("pass", "")])
async def test_what_is_printed_while_loading_is_no_reason(
    tmp_path: Path, printed: str, why: str
) -> None:
    body = f"{printed}\nimport os\nos._exit(7)"
    write(tmp_path, "mine.py", f"print('loading mine.py')\n{evaluator(body)}")
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        for _ in range(2):
            said = await verdict_by("mine", registry=registry)
            assert said.reason == f"Evaluator error: its process ended with exit code 7{why}"


DEEP = """import os, traceback
def deep(n):
    return deep(n - 1) if n else {}["prices" * 9]
try:
    deep(60)
except KeyError:
    traceback.print_exc()
    os._exit(1)"""


async def test_of_one_that_crashes_the_error_is_told_and_not_the_end_of_its_stack(
    tmp_path: Path,
) -> None:
    write(tmp_path, "mine.py", evaluator(DEEP))
    async with loading() as loader:
        said = await verdict_by(
            "mine", registry=load(tmp_path, "./mine.py", loader=loader).registry
        )
    why = f"its process ended with exit code 1: KeyError: '{'prices' * 9}' (mine.py line 6)"
    assert said.reason == f"Evaluator error: {why}"


FORKED = {
    "raises": ("raise ValueError('no table')", 1, "ValueError: no table"),
    "exits": ("sys.exit(3)", 3, ""),
    "exits with a large number": ("sys.exit(258)", 2, ""),
    "exits with a text": ("sys.exit('no table')", 1, "no table"),
    "exits with nothing": ("sys.exit()", 0, ""),
    "returns": ("return passed('of the child')", 0, ""),
    "returns a mistake": ("return 5", 0, ""),
    "leaves a file open": ("file = open('left', 'w'); file.write('x'); sys.exit(4)", 4, ""),
}
FORKS = """
import asyncio, os, sys, time
WAY = {way!r}
async def asked():
    await asyncio.sleep(0)
if WAY == "in a thread":
    time.sleep(0.05)  # so that it is in one the next time
ours, theirs = os.pipe()
pid = os.fork()
if pid == 0:
    os.dup2(theirs, 2)
    os.close(theirs)
    {body}
os.close(theirs)
with open(ours) as told:
    said = told.read()
code = os.WEXITSTATUS(os.waitpid(pid, 0)[1])
is_traced = said.startswith("Traceback")
return passed(f"{{code}} {{is_traced}} {{said.strip().splitlines()[-1:]}}")"""


@pytest.mark.parametrize("way", ["alone", "in a thread", "awaited"])
async def test_what_it_forked_ends_as_a_program_of_its_own(tmp_path: Path, way: str) -> None:
    """By its exit code, which it may judge by, and by what is on standard error."""
    text = ""
    for number, (body, _, _) in enumerate(FORKED.values()):
        one = evaluator(FORKS.format(body=body, way=way), f"fork_{number}")
        text += one.replace("def fork", "async def fork") if way == "awaited" else one
    write(tmp_path, "mine.py", text)
    heard: list[str] = []
    async with loading() as loader:
        loaded = load(tmp_path, "./mine.py", loader=loader)
        loader.on_print = lambda _, text: heard.append(text)
        uses = tuple(EvaluatorUse(f"fork_{number}") for number in range(len(FORKED)))
        for turn in (1, 2):
            stage = evaluator_stage(uses, loaded.registry)
            said = await run_plan((stage,), replace(answered(), turn=turn))
            for verdict, (name, (_, code, why)) in zip(said, FORKED.items(), strict=True):
                told = f"{code} {name == 'raises'} {[why] if why else []}"
                assert verdict.reason == told, (name, turn)
    assert (tmp_path / "left").read_text() == "x"
    assert heard == [], "what a copy prints is no part of what its parent does"


async def test_what_is_forked_while_loading_is_not_loaded_twice(tmp_path: Path) -> None:
    text = "import os, sys\npid = os.fork()\nif pid == 0: sys.exit(3)\n"
    text += "CODE = os.WEXITSTATUS(os.waitpid(pid, 0)[1])\n"
    write(tmp_path, "mine.py", text + evaluator("return passed(str(CODE))"))
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        assert (await verdict_by("mine", registry=registry)).reason == "3"


async def test_one_that_is_awaited_is_awaited(tmp_path: Path) -> None:
    body = "import asyncio\nasync def later():\n    await asyncio.sleep(0)\n"
    write(tmp_path, "mine.py", evaluator(body + "    return passed('later')\nreturn later()"))
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        assert (await verdict_by("mine", registry=registry)).reason == "later"


TWO = """
import asyncio
import zipfile
from evaltui import define_evaluator, failed, passed
MET = {name: asyncio.Event() for name in ("ann", "bob")}

def meets(own, other):
    async def evaluate(ctx):
        print(f"I am {own}")
        MET[own].set()
        await MET[other].wait()
        return passed(own)
    return define_evaluator(own, label=own, timeout=5)(evaluate)

evaluators = [meets("ann", "bob"), meets("bob", "ann")]
"""


async def test_those_that_are_awaited_wait_at_the_same_time(tmp_path: Path) -> None:
    """Each waits for the other: one after the other they would wait for ever."""
    write(tmp_path, "mine.py", TWO)
    heard: list[str] = []
    async with loading() as loader:
        loader.on_print = lambda _, text: heard.append(text)
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        uses = tuple(map(EvaluatorUse, ("ann", "bob", "ann")))
        said = await run_plan((evaluator_stage(uses, registry),), answered())
    assert [one.reason for one in said] == ["ann", "bob", "ann"]
    assert sorted(heard) == ["ann: I am ann", "ann: I am ann", "bob: I am bob"]


AWAITED_AND_BROKEN = {
    "raises": ("raise ValueError('no table')", "no table"),
    "exits": ("import sys; sys.exit(3)", "sys.exit(3)"),
    "waits too long": ("await asyncio.Event().wait()", "timed out after 0.3 s"),
    "cannot be broken off": ("while True: pass", "timed out after 0.3 s"),
    "ends its process": ("import os; os._exit(3)", "exit code 3"),
    "returns something else": ("return 5", "it returned int"),
}


@pytest.mark.slow
async def test_one_that_is_awaited_beside_others_and_breaks_costs_its_own_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluator_child, "OWN_LIMIT_S", 0.1)
    text = "import asyncio\n" + evaluator("await asyncio.sleep(0)\nreturn passed('well')", "good")
    text += evaluator("return passed('well')", "plain")
    for number, (body, why) in enumerate(AWAITED_AND_BROKEN.values()):
        text += evaluator(body, f"bad_{number}", timeout=limit_of(why))
    for name in ("good", *(f"bad_{number}" for number in range(len(AWAITED_AND_BROKEN)))):
        text = text.replace(f"def {name}(", f"async def {name}(")
    write(tmp_path, "mine.py", text)
    async with loading() as loader:
        loaded = load(tmp_path, "./mine.py", loader=loader)
        assert loaded.problems == ()
        bad = [f"bad_{number}" for number in range(len(AWAITED_AND_BROKEN))]
        types = [one for each in bad for one in (each, "plain", "good")]
        stage = evaluator_stage(tuple(map(EvaluatorUse, types)), loaded.registry)
        said = await run_plan((stage,), answered())
    assert {one.reason for one in (*said[1::3], *said[2::3])} == {"well"}
    for verdict, (name, (_, why)) in zip(said[::3], AWAITED_AND_BROKEN.items(), strict=True):
        assert why in verdict.reason, name


BLOCKING = """
import threading, time
from evaltui import define_evaluator, passed

MET = threading.Barrier(2)
MAIN = threading.main_thread()

def blocks(own, body):
    def evaluate(ctx):
        print(f"I am {own}")
        if ctx.turn == 1:
            time.sleep(0.05)
            return passed("first")
        return passed(body())
    return define_evaluator(own, label=own, timeout=5)(evaluate)

def here():
    if threading.current_thread() is not MAIN:
        raise ValueError("made in another thread")
    return "here"

evaluators = [
    blocks("ann", lambda: str(MET.wait(5) in (0, 1))),
    blocks("bob", lambda: str(MET.wait(5) in (0, 1))),
    blocks("here", here),
    define_evaluator("quick", label="quick")(lambda ctx: passed(here())),
]
"""


async def test_those_that_block_judge_at_the_same_time_once_that_is_known(tmp_path: Path) -> None:
    """Each waits for the other: one after the other neither would pass."""
    write(tmp_path, "mine.py", BLOCKING)
    heard: list[str] = []
    async with loading() as loader:
        loader.on_print = lambda _, text: heard.append(text)
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        uses = tuple(map(EvaluatorUse, ("ann", "quick", "here", "bob")))
        said = []
        for turn in (1, 2, 3):
            context = replace(answered(), turn=turn)
            said.append(await run_plan((evaluator_stage(uses, registry),), context))
    assert [one.reason for one in said[0]] == ["first", "here", "first", "first"]
    assert [[one.reason for one in each] for each in said[1:]] == [
        ["True", "here", "here", "True"]
    ] * 2
    assert sorted(heard) == [
        f"{name}: I am {name}" for name in ("ann", "bob", "here") for _ in "123"
    ]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("threading.Event().wait()", "timed out after 0.3 s"),
        ("sys.exit(3)", "sys.exit(3)"),
        ("os._exit(3)", "exit code 3"),
    ],
)
async def test_one_that_blocks_beside_others_and_breaks_costs_its_own_verdict(
    body: str, why: str, tmp_path: Path
) -> None:
    text = "import os, sys, threading, time\n"
    for name, ending, limit in (("good", "pass", 30), ("bad", body, limit_of(why))):
        lines = f"if ctx.turn == 1: time.sleep(0.05)\nelse: {ending}\nreturn passed('well')"
        text += evaluator(lines, name, timeout=limit)
    write(tmp_path, "mine.py", text)
    async with loading() as loader:
        uses = tuple(map(EvaluatorUse, ("bad", "good", "bad")))
        stage = evaluator_stage(uses, load(tmp_path, "./mine.py", loader=loader).registry)
        await run_plan((stage,), answered())
        said = await run_plan((stage,), replace(answered(), turn=2))
    assert said[1].reason == "well"
    assert [why in said[at].reason for at in (0, 2)] == [True, True], said


RAISES = """
import threading, time
import evaltui

def raises(own, why):
    def evaluate(ctx):
        print(own)
        time.sleep(0.03)
        if own == "own" and ctx.turn > 1:
            raise ValueError(why)
        if threading.current_thread() is not threading.main_thread():
            raise ValueError(why)
        return evaltui.passed("here")
    return evaltui.define_evaluator(own, label=own)(evaluate)

evaluators = [raises("own", "no table"), raises("ours", "only works in main thread")]
"""


async def test_only_who_cannot_be_in_a_thread_is_asked_once_more_where_it_is(
    tmp_path: Path,
) -> None:
    write(tmp_path, "mine.py", RAISES)
    heard: list[str] = []
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        uses = tuple(map(EvaluatorUse, ("own", "ours")))
        await run_plan((evaluator_stage(uses, registry),), answered())
        loader.on_print = lambda _, text: heard.append(text)
        said = await run_plan((evaluator_stage(uses, registry),), replace(answered(), turn=2))
    assert [one.reason for one in said] == ["Evaluator error: no table", "here"]
    assert heard == ["own: own", "ours: ours", "own: own"]  # at last alone: it raises there too


async def test_many_are_judged_each_with_its_own_settings(tmp_path: Path) -> None:
    write(tmp_path, "mine.py", evaluator("return passed(ctx.last_response + ctx.config['a'])"))
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        said = await asyncio.gather(
            *(verdict_by("mine", {"a": str(n)}, answered(f"t{n}-"), registry) for n in range(200))
        )
    assert [one.reason for one in said] == [f"t{n}-{n}" for n in range(200)]


async def test_a_reading_that_ends_after_the_session_starts_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.py", evaluator("return passed('well')"))
    async with loading() as loader:
        load(tmp_path, "./mine.py", loader=loader)
    path.write_text(evaluator("return passed('good')"))
    load(tmp_path, "./mine.py", loader=loader)
    before = asyncio.all_tasks()
    loader.warm_up()
    assert asyncio.all_tasks() == before


async def test_one_that_runs_a_loop_of_its_own_leaves_others_theirs(tmp_path: Path) -> None:
    later = "import asyncio\nasync def later():\n    await asyncio.sleep(0)\n"
    own = evaluator(later + "asyncio.run(later())\nreturn passed('own')", "own")
    mine = evaluator(later + "    return passed('mine')\nreturn later()")
    asks = evaluator("import asyncio\nasyncio.get_event_loop()\nreturn passed('asks')", "asks")
    write(tmp_path, "mine.py", f"{own}{mine}{asks}")
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        for type_ in ("own", "mine", "own", "asks", "mine"):
            assert (await verdict_by(type_, registry=registry)).reason == type_


async def test_a_child_imports_nothing_slow_that_no_evaluator_asks_for(tmp_path: Path) -> None:
    """Every save of an evaluator waits for the start of one."""
    slow = ("asyncio", "importlib.metadata", "email", "logging", "subprocess")
    body = f"import sys\nreturn passed(str(sys.modules.keys() & {slow}))"
    write(tmp_path, "mine.py", evaluator(body))
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        assert (await verdict_by("mine", registry=registry)).reason == "set()"


async def children_of(root: Path, body: str) -> int:
    """How many processes judge sixty contexts."""
    begin = "import os\nfrom pathlib import Path\nfrom time import sleep\n"
    write(root, "mine.py", evaluator(f"{begin}{body}\nreturn passed(str(os.getpid()))"))
    async with loading() as loader:
        registry = load(root, "./mine.py", loader=loader).registry
        asked = (verdict_by("mine", registry=registry) for _ in range(60))
        said = await asyncio.gather(*asked)
    return len({verdict.reason for verdict in said})


async def test_another_child_helps_where_one_cannot_keep_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluator_host, "CHILDREN", 2)
    body = f"""here = Path({str(tmp_path)!r})
(here / f"{{os.getpid()}}.child").touch()
while len(list(here.glob("*.child"))) < 2: sleep(0.01)"""
    assert await children_of(tmp_path, body) == 2


async def test_beside_one_that_has_little_to_do_no_other_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluator_host, "CHILDREN", 2)
    starts: list[ChildStarter] = []
    looks: list[float] = []
    start = ChildStarter.start

    def counted(starter: ChildStarter, *given: Any) -> Any:
        starts.append(starter)
        return start(starter, *given)

    def worked_s(_: EvaluatorChild, now: float) -> float:
        looks.append(now)
        if len(looks) == 3:
            (tmp_path / "looked").touch()
        return 0.0

    monkeypatch.setattr(ChildStarter, "start", counted)
    monkeypatch.setattr(EvaluatorChild, "worked_s", worked_s)
    body = f"while not Path({str(tmp_path / 'looked')!r}).exists(): sleep(0.01)"
    assert await children_of(tmp_path, body) == len(starts) == 1


KEEPS = """known = globals().setdefault("KNOWN", {})
loop = asyncio.get_running_loop()
return passed("the same" if known.setdefault("loop", loop) is loop else "another")"""


async def test_what_is_kept_between_two_judgements_finds_its_event_loop_again(
    tmp_path: Path,
) -> None:
    text = f"import asyncio\n{evaluator(KEEPS)}".replace("def mine(", "async def mine(")
    write(tmp_path, "mine.py", text)
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        for _ in range(3):
            assert (await verdict_by("mine", registry=registry)).reason == "the same"


async def test_what_python_finds_in_archives_and_runs_by_its_path_is_found_here(
    tmp_path: Path,
) -> None:
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("packed.py", "MOST = 3\n")
    write(tmp_path, "limits.py", "LEAST = 1\n")
    body = 'return passed(f\'{MOST} {run_path("limits.py")["LEAST"]}\')'
    head = "import sys\nfrom runpy import run_path\nsys.path.insert(0, 'packed.zip')\n"
    write(tmp_path, "mine.py", f"{head}from packed import MOST\n{evaluator(body)}")
    async with loading() as loader:
        registry = load(tmp_path, "./mine.py", loader=loader).registry
        assert (await verdict_by("mine", {}, registry=registry)).reason == "3 1"
