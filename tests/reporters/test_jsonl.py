"""What is written can be read back as the same run."""

import io
from pathlib import Path

from msgspec.structs import replace

from evaltui.core.events import CaseFinished, DetailLoaded, RunFinished, RunStarted
from evaltui.core.result import CaseStatus
from evaltui.disk.journal.journal_reading import read_events
from evaltui.reporters.jsonl import JsonlReporter
from tests.reporters.scene import events, result, suite, tell


def test_a_recorded_run_is_the_run(tmp_path: Path) -> None:
    odd = "é🎉\x1b\x9b\u202e\u2028\n|"
    one = suite("a", ["a-1", odd])
    told = events([one], [result(one, "a-1"), result(one, odd, CaseStatus.FAILED, error=odd)])
    out = io.StringIO()
    tell(JsonlReporter(out), told)
    path = tmp_path / "run.jsonl"
    path.write_text(out.getvalue(), encoding="utf-8")
    assert len(path.read_bytes().split(b"\n")) == len(told) + 1, "one line an event"
    read = list(read_events(path))
    assert [type(event) for event in read] == [type(event) for event in told]
    assert [e.result for e in read if isinstance(e, CaseFinished)] == [
        e.result for e in told if isinstance(e, CaseFinished)
    ]
    assert read[-1] == told[-1]


def test_what_was_held_back_is_told_when_the_run_has_no_end() -> None:
    one = suite("a", ["a-1", "a-2"])
    failed = result(one, "a-1", CaseStatus.FAILED)
    told = events([one], [failed, result(one, "a-2")])
    out = io.StringIO()
    reporter = JsonlReporter(out)
    for event in told:
        if isinstance(event, RunStarted):
            event = replace(event, tries_again=True)
        if not isinstance(event, RunFinished):
            reporter.handle(event)
    assert "a-2" in out.getvalue().splitlines()[-1]
    reporter.close()
    assert '"failed"' in out.getvalue().splitlines()[-1]


def test_no_line_acts_on_a_terminal() -> None:
    one = suite("a", ["\x9b31m\u202e"])
    out = io.StringIO()
    tell(JsonlReporter(out), events([one], [result(one, "\x9b31m\u202e")]))
    assert "\\u009b31m\\u202e" in out.getvalue()
    assert not set("\x9b\u202e\x1b") & set(out.getvalue())


def test_an_earlier_result_that_is_read_again_is_not_told_behind_the_new_one() -> None:
    one = suite("a", ["a-1"])
    told = events([one], [result(one, "a-1", CaseStatus.FAILED)])
    out = io.StringIO()
    tell(JsonlReporter(out), [*told, DetailLoaded("mine", result(one, "a-1"))])
    assert len(out.getvalue().splitlines()) == len(told)
    assert "DetailLoaded" not in out.getvalue()
