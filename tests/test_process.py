"""Nothing but `process.py` touches the interpreter, and the command line lets it."""

import gc
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "evaltui"
TOUCHES = re.compile(
    r"\bgc\.(?!False)\w+\(|^import gc\b|^from gc\b|setswitchinterval|os\._exit|atexit\._"
    r"|excepthook|add_signal_handler|\bsignal\.(signal|setitimer|pthread_sigmask)\b",
    re.MULTILINE,
)
BESIDE_US = (
    PACKAGE / "child",
    PACKAGE / "evaluators" / "worker",
    PACKAGE / "expectations" / "pattern_child.py",
)
"""Programs with an interpreter of their own."""


def test_no_other_module_touches_the_interpreter() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if not any(path.is_relative_to(one) for one in BESIDE_US)
        and TOUCHES.search(path.read_text("utf-8"))
    }
    assert found == {"process.py"}


@pytest.mark.parametrize(
    "text",
    [
        "gc.freeze()",
        "import gc\n",
        "os._exit(0)",
        "sys.setswitchinterval(1)",
        "threading.excepthook = x",
    ],
)
def test_the_search_finds_what_it_looks_for(text: str) -> None:
    assert TOUCHES.search(text)


def test_every_trick_names_a_benchmark_that_is_there() -> None:
    named = re.findall(r"`benchmarks/(\w+\.py)`", (PACKAGE / "process.py").read_text("utf-8"))
    assert len(named) == 3
    assert all((PACKAGE.parent / "benchmarks" / name).is_file() for name in named)


def test_a_command_looks_for_garbage_rarely_and_not_at_its_end() -> None:
    script = (
        "import atexit, gc, sys\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 0, file=sys.stderr))\n"
        "from evaltui.__main__ import main\n"
        "sys.argv = ['evaltui', 'completion', 'bash']\n"
        "before = gc.get_threshold()\n"
        "main()\n"
        "print(gc.get_threshold() != before, gc.isenabled(), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr.split() == ["True", "True", "True"]


def test_this_process_was_left_alone() -> None:
    assert gc.get_threshold()[0] != 50_000


AFTER = """
import asyncio, os, signal
from evaltui.process import end_on_signals

async def main():
    end_on_signals(lambda number: None, lambda: print("restored", flush=True))

asyncio.run(main())
os.kill(os.getpid(), signal.{name})
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_after_the_dashboard_ends_it_at_once(name: str) -> None:
    program = [sys.executable, "-c", AFTER.format(name=name)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=20, check=False)
    # The terminal was restored by then: to do it twice would move its cursor.
    assert (done.stdout, done.stderr) == ("", "")
    assert done.returncode == 128 + signal.Signals[name]


PATIENT = """
import asyncio, os, signal
from evaltui.process import end_on_signals

async def main():
    end_on_signals(lambda number: print("told", flush=True), lambda: None, further=2)
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0)
    print("still there", flush=True)
    os.kill(os.getpid(), signal.SIGTERM)
    print("never", flush=True)

asyncio.run(main())
"""


def test_one_that_is_told_to_end_twice_may_end_in_order() -> None:
    program = [sys.executable, "-c", PATIENT]
    done = subprocess.run(program, capture_output=True, text=True, timeout=20, check=False)
    assert (done.stdout.split("\n"), done.stderr) == (["told", "still there", ""], "")
    assert done.returncode == 128 + signal.SIGTERM


DEAF = """
import asyncio, os, signal
from evaltui.process import cancel_on_signals

async def main():
    cancel_on_signals([])
    print("ready", flush=True)
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            print("told", flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("first", [signal.SIGTERM, signal.SIGHUP])
def test_a_second_sigterm_ends_a_run_that_waits_for_something(first: signal.Signals) -> None:
    program = [sys.executable, "-c", DEAF]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        try:
            assert run.stdout.readline() == "ready\n"
            run.send_signal(first)
            assert run.stdout.readline() == "told\n"
            run.send_signal(signal.SIGTERM)
            assert run.wait(10) == 128 + signal.SIGTERM
        finally:
            run.kill()


HEARD_WITHIN_A_TASK = """
import asyncio, os, signal
from contextvars import ContextVar
from evaltui.process import end_on_signals

task = ContextVar("task", default="none")

async def main():
    ended = asyncio.Event()
    seen = []
    end_on_signals(lambda number: (seen.append(task.get()), ended.set()), lambda: None)

    async def busy():
        task.set("busy")
        signal.raise_signal(signal.SIGTERM)

    await asyncio.gather(busy(), ended.wait())
    print(seen)
    os._exit(0)

asyncio.run(main())
"""


def test_what_ends_the_dashboard_is_no_part_of_the_task_in_which_the_signal_came() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HEARD_WITHIN_A_TASK],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.stdout == "['none']\n", "it could not wait for the end of that task"
