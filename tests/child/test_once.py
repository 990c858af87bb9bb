"""A program that is asked once: its answer, or why there is none; nothing of it is left."""

import sys
from pathlib import Path

import pytest

from evaltui.child.once import LIMIT, Answered, ask_once
from tests.agents.scripts import until_gone


async def asked(root: Path, program: str, limit_s: float = 60.0) -> Answered:
    words = (sys.executable, "-c", program)
    return await ask_once(words, b"a question\n", cwd=root, limit_s=limit_s)


async def test_what_it_reads_is_the_question_and_what_it_writes_the_answer(tmp_path: Path) -> None:
    program = "import sys; print(sys.stdin.read().upper()); print('noted', file=sys.stderr)"
    answered = await asked(tmp_path, program)
    assert (answered.stdout.strip(), answered.fault) == (b"A QUESTION", "")
    assert (answered.code, answered.said.strip()) == (0, "noted")


@pytest.mark.parametrize(
    ("program", "fault", "code"),
    [
        ("import sys; sys.exit(3)", "it ended with exit code 3", 3),
        ("import os; os.kill(os.getpid(), 9)", "it ended with signal SIGKILL", -9),
        (f"while True: print('x' * {LIMIT})", "it wrote more than 4 MiB", None),
    ],
)
async def test_one_that_breaks_is_told(
    tmp_path: Path, program: str, fault: str, code: int | None
) -> None:
    answered = await asked(tmp_path, program)
    assert (answered.fault, answered.code, answered.stdout) == (fault, code, b"")


async def test_one_that_is_not_there_is_told(tmp_path: Path) -> None:
    answered = await ask_once(("./no-such",), b"", cwd=tmp_path, limit_s=60)
    assert answered.fault.startswith("`./no-such` cannot be started")


@pytest.mark.slow
async def test_one_that_is_late_is_told_and_ended(tmp_path: Path) -> None:
    words = ("/bin/sh", "-c", "echo $$ > id; exec sleep 600")
    answered = await ask_once(words, b"", cwd=tmp_path, limit_s=2)
    assert (answered.fault, answered.is_late) == ("timed out after 2 s", True)
    await until_gone(int((tmp_path / "id").read_text()))
