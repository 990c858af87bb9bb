"""What a run prints can be cut off, and can never act on the terminal."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.projects import case, make_project, write_suite
from tests.test_robustness.command import command, evaltui, make_slow_project, result_documents

HOSTILE = "\x1b[2J\x1b]0;title\x07\x9b31m\r\u202egnp\u2028\x00\x08🎉é"
ACTING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\ud800-\udfff]")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    make_project(tmp_path)
    one = case(HOSTILE, f"Play the song {HOSTILE}", "play_music")
    one |= {"description": HOSTILE, "expect": {"responseContains": [f"no {HOSTILE}"]}}
    write_suite(tmp_path, "hostile", [one], tool=HOSTILE)
    (tmp_path / "evals" / "\x1b[31mred.golden.json").write_text("[")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["run"],
        *(
            pytest.param(words, marks=pytest.mark.slow)
            for words in (["check"], ["run", "--json"], ["baseline", "pin"])
        ),
    ],
)
def test_nothing_in_a_file_acts_on_the_terminal(hostile: Path, words: list[str]) -> None:
    done = evaltui(hostile, *words)
    assert done.returncode in (0, 1, 2)
    assert "🎉" in done.stdout or words[0] != "run"
    for text in (done.stdout, done.stderr):
        assert not ACTING.search(text), ACTING.search(text)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "encoding",
    ["ascii", *(pytest.param(one, marks=pytest.mark.slow) for one in ("cp1252", "utf-8"))],
)
def test_any_encoding_of_the_terminal_will_do(hostile: Path, encoding: str) -> None:
    done = subprocess.run(
        command("run"),
        cwd=hostile,
        env={"PYTHONIOENCODING": encoding, "PATH": ""},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2, "one file is broken"
    assert b"Traceback" not in done.stderr
    assert b"gs-find-order-001" in done.stdout
    assert b"stopped" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "flags",
    [
        (),
        *(
            pytest.param(flags, marks=pytest.mark.slow)
            for flags in (("--json",), ("--reporter", "junit"), ("--reporter", "markdown"))
        ),
    ],
)
def test_a_reader_that_leaves_does_not_stop_the_run(tmp_path: Path, flags: tuple[str, ...]) -> None:
    make_slow_project(tmp_path, 400)
    process = subprocess.Popen(
        command("run", *flags), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(1)
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(30) == 0
    assert err == b""
    assert [len(one["cases"]) for one in result_documents(tmp_path)] == [400]
