"""What was heard is on disk; a killed run loses nothing that was flushed."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase, Comparison
from evaltui.core.case import Case, CaseKey, ContractCase, RubricCase, RubricDimension, Tier
from evaltui.core.errors import Problem, UserError
from evaltui.core.events import (
    BaselineCompared,
    BaselinePinned,
    CaseFinished,
    CasesStale,
    CaseStarted,
    Event,
    ProblemFound,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunStarted,
    ToolCalled,
    TurnFinished,
)
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.sink import Fanout
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.suite import Suite
from evaltui.core.suite_result import SuiteResult
from evaltui.core.tool import ToolRegistry
from evaltui.disk.codec import encode, encode_event
from evaltui.disk.journal.journal import OPEN_SUFFIX, Journal
from evaltui.disk.journal.journal_head import JournalHead
from evaltui.disk.journal.journal_reading import find_finished, read_events, recover, settle
from evaltui.disk.journal.open_journal import OpenJournal
from evaltui.disk.results.result_wire import to_wire
from evaltui.store.store import Store
from tests.disk.samples import SUITE, errored, failed, many, passed, suite_result

KEYS = (passed().key, failed().key)
OTHER = CaseKey(SUITE, "not run")
PROJECT = ProjectRead(
    (
        Suite(
            SUITE,
            "get_weather",
            Tier.GOLDEN,
            tuple(Case(key, ContractCase("hello")) for key in (*KEYS, OTHER)),
            "0" * 12,
        ),
        Suite("evals/other.json", "other", Tier.GOLDEN, (), "0" * 12),
    ),
    ToolRegistry(),
    (),
)
PINNED = BaselinePinned(
    "embedded",
    "default",
    (
        Baseline(SUITE, "r0", "default", {KEYS[0].case: BaselineCase(CaseStatus.PASSED)}),
        Baseline("evals/other.json", "r0", "default", {}),
    ),
)
STALE = CasesStale(
    "embedded",
    (
        DueCase(KEYS[0], Degree.AFFECTED, ("changed",)),
        DueCase(OTHER, Degree.AFFECTED, ("changed",)),
    ),
    3,
)
STARTED = RunStarted("run-1", "embedded", 7, KEYS, "asked for", started_at=1.0)
CARRIED = replace(errored(), run_id="run-0", carried_from="run-0")
WHOLE = suite_result(passed(), failed(), CARRIED)
FINISHED = RunFinished("run-1", "embedded", RunEnd.COMPLETED, 2.0, (WHOLE,))
COMPARED = BaselineCompared("run-1", "embedded", (Comparison(SUITE, "r0", (), (), ()),))
RUN: tuple[Event, ...] = (
    STARTED,
    CaseStarted("run-1", "embedded", KEYS[0]),
    CaseFinished("run-1", passed()),
    ProblemFound(Problem("", "the endpoint went away")),
    CaseFinished("run-1", failed()),
)
KEPT = (STARTED, *RUN[2:])
"""What a journal holds of `RUN`: a step whose result is there within a frame says nothing new."""


def journal_of(folder: Path, *events: Event) -> Journal:
    journal = Journal(folder)
    for event in events:
        journal.handle(event)
    return journal


def test_a_run_is_replayed(tmp_path: Path) -> None:
    before: tuple[Event, ...] = (PROJECT, ResultsLoaded("embedded", ()), PINNED, STALE)
    journal = journal_of(tmp_path, *before, *RUN, FINISHED, COMPARED)
    events = list(read_events(journal.path("run-1")))
    suite = PROJECT.suites[0]
    assert events[0] == replace(PROJECT, suites=(replace(suite, cases=suite.cases[:2]),))
    assert events[1] == replace(PINNED, baselines=PINNED.baselines[:1])
    assert events[2] == replace(STALE, cases=STALE.cases[:1])
    assert tuple(events[3:7]) == KEPT
    without_carried = replace(FINISHED, suites=(replace(WHOLE, cases=WHOLE.cases[:2]),))
    assert events[7:] == [without_carried, COMPARED]
    store = Store()
    for event in events:
        store.handle(event)
    assert store.board("embedded").rows[KEYS[1]].result == failed()


def test_what_is_wrong_with_cases_that_do_not_run_is_left_out(tmp_path: Path) -> None:
    """Lint may say something of every case: a journal grows with its run, not with the project."""
    told = (
        Problem(SUITE, "no proof value", case=KEYS[0].case),
        Problem(SUITE, "not closed"),
        Problem("tools.json", "not closed"),
        Problem("personas.json", "unknown", case=OTHER.case),
    )
    others = (
        Problem(SUITE, "no proof value", case=OTHER.case),
        Problem("evals/other.json", "no proof value", case=KEYS[0].case),
    )
    project = replace(PROJECT, problems=(*others, *told))
    events = list(read_events(journal_of(tmp_path, project, *RUN, FINISHED).path("run-1")))
    assert isinstance(events[0], ProjectRead)
    assert events[0].problems == told


def test_baselines_that_come_during_a_run_are_replayed_too(tmp_path: Path) -> None:
    elsewhere = replace(PINNED, agent="another")
    journal = journal_of(tmp_path, PROJECT, STARTED, elsewhere, PINNED, *RUN[1:], FINISHED)
    events = list(read_events(journal.path("run-1")))
    assert events[1:3] == [STARTED, replace(PINNED, baselines=PINNED.baselines[:1])]


def test_a_run_that_is_not_under_way_yet_is_on_disk_after_a_flush(tmp_path: Path) -> None:
    journal = journal_of(tmp_path, PROJECT, STARTED)
    journal.flush()
    journal.flush()
    assert [type(event) for event in read_events(journal.path("run-1"))] == [
        ProjectRead,
        RunStarted,
    ]
    journal.close()


def test_results_are_not_written_twice(tmp_path: Path) -> None:
    cases = many(50)
    started = replace(STARTED, cases=tuple(case.key for case in cases))
    finished = replace(FINISHED, suites=(suite_result(*cases),))
    events: list[Event] = [started]
    events += [CaseFinished("run-1", case) for case in cases]
    journal = journal_of(tmp_path, *events)
    journal.flush()
    size = journal.path("run-1").stat().st_size
    journal.handle(finished)
    path = journal.path("run-1")
    assert path.stat().st_size - size < 0.15 * size
    assert list(read_events(path))[-1] == finished


def test_nothing_outside_a_run_makes_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    journal_of(folder, PROJECT, PINNED, STALE, ProblemFound(Problem("", "x")), FINISHED).close()
    assert not folder.exists()


def test_a_killed_run_is_recovered_once(tmp_path: Path) -> None:
    journal_of(tmp_path, PROJECT, *RUN).close()
    with (tmp_path / f"run-1{OPEN_SUFFIX}").open("ab") as file:
        file.write(b'{"event":"CaseFinished","run_id":"run-1","resu')
    (found,) = recover(tmp_path)
    assert found.started == STARTED
    assert found.results == (passed(), failed())
    assert found.finished is None
    path = settle(found)
    assert settle(found) == path
    assert recover(tmp_path) == []
    assert len(list(read_events(path))) == len(KEPT) + 1
    assert find_finished(path, KEYS[1]) == failed()
    assert find_finished(path, OTHER) is None


@pytest.mark.parametrize("how", [b"\0" * 40, b'{"event":"CaseStarted","ru{"event":', b"no event"])
def test_of_a_killed_run_the_lines_that_cannot_be_read_are_named(
    tmp_path: Path, how: bytes
) -> None:
    journal_of(tmp_path, PROJECT, *RUN).close()
    file = tmp_path / f"run-1{OPEN_SUFFIX}"
    lines = file.read_bytes().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if b"CaseFinished" in line)
    lines[at] = how + lines[at][len(how) :]
    file.write_bytes(b"".join(lines) + b'{"event":"CaseFinished"')
    (found,) = recover(tmp_path)
    assert found.damaged == (at + 1,)


def test_killed_after_the_last_event(tmp_path: Path) -> None:
    journal = journal_of(tmp_path, *RUN, FINISHED)
    path = journal.path("run-1")
    path.rename(tmp_path / f"run-1{OPEN_SUFFIX}")
    (found,) = recover(tmp_path)
    assert found.finished is not None
    assert found.finished.suites[0].cases[0] == passed()


def test_a_run_that_goes_on_is_left_alone(tmp_path: Path) -> None:
    journal = journal_of(tmp_path, *RUN)
    assert recover(tmp_path) == []
    journal.close()
    assert len(recover(tmp_path)) == 1


KILLED = """
import sys
from pathlib import Path
from evaltui.core.events import CaseFinished
from evaltui.disk.journal.journal import Journal
from tests.disk.samples import passed
from tests.disk.journal.test_journal import STARTED
journal = Journal(Path(sys.argv[1]))
journal.handle(STARTED)
number = 0
while True:
    number += 1
    journal.handle(CaseFinished("run-1", passed(f"case-{number}")))
    if number % 7 == 0:
        journal.flush()
        print(number, flush=True)
"""


def test_kill_9_loses_nothing_that_was_flushed(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert process.stdout is not None
    shown = 0
    for _ in range(40):
        shown = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    shown = max([shown, *(int(line) for line in process.stdout if line.endswith(b"\n"))])
    process.wait()
    process.stdout.close()
    (found,) = recover(tmp_path)
    assert len(found.results) >= shown
    assert found.results[:3] == (passed("case-1"), passed("case-2"), passed("case-3"))


def full_disk(folder: Path) -> None:
    """`/dev/full` takes the place of the run's file."""
    (folder / f"run-1{OPEN_SUFFIX}").symlink_to("/dev/full")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told_once_and_the_run_goes_on(tmp_path: Path) -> None:
    full_disk(tmp_path)
    told: list[Problem] = []
    journal = Journal(tmp_path, report=told.append)
    for event in RUN:
        journal.handle(event)
        journal.flush()
    journal.handle(FINISHED)
    assert len(told) == 1
    assert "No space left" in told[0].what
    journal.handle(replace(STARTED, run_id="run-2"))
    journal.handle(RunFinished("run-2", "embedded", RunEnd.COMPLETED, 1.0))
    assert len(list(read_events(tmp_path / "run-2.jsonl"))) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told_of_each_of_several_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is told of the one is written to the other, which is lost by that."""
    # Both are the same file here: one would wait for the lock of the other.
    monkeypatch.setattr("evaltui.disk.journal.journal.lock", lambda *_, **__: True)
    told: list[Problem] = []

    def tell(problem: Problem) -> None:
        told.append(problem)
        journal.handle(ProblemFound(problem))
        journal.flush()

    journal = Journal(tmp_path, report=tell)
    for name in ("run-1", "run-2"):
        (tmp_path / f"{name}{OPEN_SUFFIX}").symlink_to("/dev/full")
        journal.handle(replace(STARTED, run_id=name))
    journal.flush()
    assert len(told) == 2
    for name in ("run-1", "run-2"):
        journal.handle(RunFinished(name, "embedded", RunEnd.COMPLETED, 1.0))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_without_anyone_to_tell_it_raises_once(tmp_path: Path) -> None:
    full_disk(tmp_path)
    journal = journal_of(tmp_path, STARTED)
    with pytest.raises(OSError, match="No space left"):
        journal.flush()
    journal.flush()


def test_a_folder_that_cannot_be_made_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = Store()
    fanout = Fanout([store, Journal(tmp_path / "file" / "runs")])
    for event in RUN:
        fanout.handle(event)
    assert "Journal" in store.problems.others[0].what
    assert store.board("embedded").runs.last is not None


def test_old_journals_are_removed(tmp_path: Path) -> None:
    journal = Journal(tmp_path, keep_runs=3)
    for number in range(6):
        run = f"run-{number}"
        journal.handle(replace(STARTED, run_id=run))
        journal.handle(RunFinished(run, "embedded", RunEnd.COMPLETED, 1.0))
        os.utime(tmp_path / f"{run}.jsonl", (number + 1, number + 1))
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["run-3.jsonl", "run-4.jsonl", "run-5.jsonl"]
    small = Journal(tmp_path, keep_bytes=10)
    small.handle(replace(STARTED, run_id="run-9"))
    small.handle(RunFinished("run-9", "embedded", RunEnd.COMPLETED, 1.0))
    assert [path.name for path in tmp_path.iterdir()] == ["run-9.jsonl"]


def test_a_run_id_never_leads_out(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    journal = journal_of(folder, replace(STARTED, run_id="../../evil"))
    journal.close()
    assert [path.parent for path in tmp_path.rglob("*.jsonl")] == [folder]


def test_every_form_of_a_finished_case_is_read(tmp_path: Path) -> None:
    path = tmp_path / "recorded.jsonl"
    event = CaseFinished("run-1", failed())
    path.write_bytes(encode_event(event) + b"\n")
    assert list(read_events(path)) == [event]
    for line in (b'"case":1', b'"suite":"s","agent":"a","case":{}', b'"suite":1,"case":{"id":"x"}'):
        path.write_bytes(b'{"event":"CaseFinished","run_id":"r",' + line + b"}\n")
        with pytest.raises(UserError, match="cannot be played"):
            list(read_events(path))


def test_damaged_lines_name_their_place(tmp_path: Path) -> None:
    path = journal_of(tmp_path, *RUN, FINISHED).path("run-1")
    lines = path.read_bytes().splitlines(keepends=True)
    whole = list(read_events(path))
    path.write_bytes(b"".join([*lines[:2], b"{nonsense\n", *lines[2:], b'{"event":"Nonsense"}\n']))
    *events, last = read_events(path)
    assert events == whole
    assert isinstance(last, ProblemFound)
    assert last.problem.line == 3
    assert "2 lines" in last.problem.what
    with pytest.raises(UserError, match="cannot be played"):
        list(read_events(tmp_path / "nowhere"))


@pytest.mark.parametrize(
    ("content", "line", "why"),
    [
        (b"", 0, "it holds no event"),
        (b"\n \n", 0, "it holds no event"),
        (b'{"event":"RunStarted","run', 0, "it holds no event"),
        (b"\nhello\nworld\n", 2, "the line is not an event"),
        (b"\x00\xff\x01\n", 1, "the line is not an event"),
    ],
)
def test_a_file_without_an_event_is_no_recorded_run(
    tmp_path: Path, content: bytes, line: int, why: str
) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(content)
    with pytest.raises(UserError) as raised:
        list(read_events(path))
    (problem,) = raised.value.problems
    assert (problem.file, problem.line) == (path.as_posix(), line)
    assert why in problem.what
    assert ".evaltui/runs" in problem.hint


def test_cases_that_the_first_version_wrote_have_no_body_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "older.jsonl"
    path.write_bytes(
        b'{"event":"ProjectRead","suites":[{"id":"s","tool_name":"t","tier":"golden","cases":['
        b'{"key":["s","c"],"tier":"golden","message":"hi","expect":{"a":1},"line":4},'
        b'{"key":["s","r"],"tier":"rubric","message":"hello","rubric":'
        b'[{"dimension":"tone","max_score":3,"criteria":"kind"}]}],"file_hash":""}],'
        b'"registry":{"tools":{}},"problems":[]}\n'
    )
    (event,) = read_events(path)
    assert isinstance(event, ProjectRead)
    rubric = RubricCase("hello", dimensions=(RubricDimension("tone", 3, "kind"),))
    assert event.suites[0].cases == (
        Case(CaseKey("s", "c"), ContractCase("hi", expect={"a": 1}), line=4),
        Case(CaseKey("s", "r"), rubric, Tier.RUBRIC),
    )


def said(key: CaseKey) -> tuple[Event, ...]:
    return (
        ToolCalled("run-1", "embedded", key, ToolCall("get_weather", {"city": "Paris"})),
        TurnFinished("run-1", "embedded", key, 1, "It is sunny."),
    )


def test_what_a_case_says_is_on_disk_unless_its_result_is(tmp_path: Path) -> None:
    one, other = KEYS
    journal = journal_of(
        tmp_path, STARTED, *said(one), *said(other), CaseFinished("run-1", passed())
    )
    journal.flush()
    assert list(read_events(journal.path("run-1")))[1:] == [
        *said(other),
        CaseFinished("run-1", passed()),
    ]
    journal.handle(CaseFinished("run-1", failed()))
    journal.handle(FINISHED)
    assert list(read_events(journal.path("run-1")))[1:-1] == [
        *said(other),
        CaseFinished("run-1", passed()),
        CaseFinished("run-1", failed()),
    ]


def test_a_case_that_says_much_before_a_flush_is_kept_whole(tmp_path: Path) -> None:
    turns = [TurnFinished("run-1", "embedded", KEYS[0], turn, "x" * 1000) for turn in range(3000)]
    journal = journal_of(tmp_path, STARTED, *turns)
    journal.close()
    assert list(read_events(tmp_path / f"run-1{OPEN_SUFFIX}"))[1:] == turns


def of(*results: CaseResult) -> tuple[SuiteResult, ...]:
    return (replace(suite_result(*results), stale=False),)


def test_what_stands_of_a_result_is_what_a_result_file_has(tmp_path: Path) -> None:
    results = [*many(40), *many(40, suite="evals/other.json")]
    journal = journal_of(tmp_path, PROJECT, STARTED)
    for number, result in enumerate(results):
        for event in (*said(result.key), *said(OTHER), CaseFinished("run-1", result)):
            journal.handle(event)
        if number % 7 == 0:
            journal.flush()
    lines = journal.lines("run-1", of(*results))
    assert dict(lines) == {one.key: encode(to_wire(one)) for one in results}
    lines.close()
    journal.close()


def test_of_another_result_of_a_case_nothing_stands(tmp_path: Path) -> None:
    one, other = passed(), failed()
    journal = journal_of(tmp_path, STARTED, CaseFinished("run-1", one))
    again = replace(one, error="another")
    assert not journal.lines("run-1", of(again, other))
    assert not journal.lines("run-2", of(one))
    (outdated,) = of(one)
    assert not journal.lines("run-1", [replace(outdated, stale=True)]), "each case says so"
    journal.handle(CaseFinished("run-1", again))
    assert not journal.lines("run-1", of(one))
    assert [*journal.lines("run-1", of(again))] == [one.key]
    journal.close()


def test_of_a_journal_that_is_gone_or_torn_nothing_stands(tmp_path: Path) -> None:
    one, other = passed(), failed()
    journal = journal_of(
        tmp_path, STARTED, CaseFinished("run-1", one), CaseFinished("run-1", other)
    )
    lines = journal.lines("run-1", of(one, other))
    path = journal.path("run-1")
    path.write_bytes(path.read_bytes()[:-3])
    assert (lines.get(one.key), lines.get(other.key)) == (encode(to_wire(one)), None)
    lines.close()
    gone = journal.lines("run-1", of(one))
    path.unlink()
    assert gone.get(one.key) is None
    journal.close()


class Slow(io.BytesIO):
    """Takes a part of what it is given, as the system may; remembers how much it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[int] = []

    def write(self, data: Any) -> int:
        self.given.append(len(memoryview(data)))
        return super().write(memoryview(data)[:1000])


def test_what_a_run_is_about_is_written_line_by_line_and_whole(tmp_path: Path) -> None:
    """A large project would stand in memory three times over if its lines were put together."""
    head = JournalHead()
    for event in (PROJECT, PINNED, STALE):
        head.hear(event)
    opening, file = head.of(STARTED), Slow()
    lines = [*opening.lines()]
    journal = OpenJournal(tmp_path / "run-1.open.jsonl", opening, file)
    journal.write()
    assert file.getvalue() == b"".join(line + b"\n" for line in lines)
    assert max(file.given) == max(map(len, lines))
    journal.close()


def test_a_case_that_is_still_running_is_on_disk_as_started(tmp_path: Path) -> None:
    journal = journal_of(tmp_path, STARTED, RUN[1])
    journal.flush()
    path = journal.path("run-1")
    journal.close()
    assert list(read_events(path)) == [STARTED, RUN[1]]
