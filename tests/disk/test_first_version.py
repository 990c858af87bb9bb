"""Nobody loses what they have: everything that the first version wrote is still read.

`golden/first` is a project as 0.1.0 left it, after a recorded run, two pins, a run of two trials, a
mute and a run that was killed; `state` is its `.evaltui`.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.agents import make_agent
from evaltui.cli.main import run_command
from evaltui.core.case import CaseKey
from evaltui.core.events import (
    BaselineCompared,
    CaseFinished,
    ProjectRead,
    RunFinished,
    RunStarted,
)
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, due_reasons
from evaltui.disk.baselines.baselines import Baselines
from evaltui.disk.history.history import History
from evaltui.disk.journal.journal_reading import find_finished, read_events, recover
from evaltui.disk.last_tools import ToolFiles
from evaltui.disk.mutes import load_mutes
from evaltui.disk.recordings import RecordingFolder
from evaltui.disk.results.result_file import read_suite_result
from evaltui.project import read_project
from evaltui.session.inputs_of import InputsOf
from evaltui.settings.load import load_config
from tests.disk.evidence_table import counted
from tests.disk.samples import no_problem

GOLDEN = Path(__file__).parent / "golden" / "first"
FIRST_RUN, SECOND_RUN, KILLED_RUN = (
    "0f0381ad-9e25-4021-8880-22ef67c385a7",
    "ca38db1b-9466-4925-bd6a-8300181c87fc",
    "9a699f1b-c05f-46ad-8b27-33a73ddf0ebf",
)
ORDERS, MUSIC = "evals/find_order.golden.json", "evals/play_music.golden.json"
P, F, E = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR
STATUSES = {
    **{CaseKey(ORDERS, f"gs-find-order-00{number}"): P for number in (1, 2, 5)},
    CaseKey(ORDERS, "gs-find-order-003"): F,
    CaseKey(ORDERS, "gs-find-order-004"): E,
    CaseKey(MUSIC, "gs-play-music-001"): P,
}
WRONG = CaseKey(ORDERS, "gs-find-order-003")
SONG = CaseKey(MUSIC, "gs-play-music-001")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    shutil.copytree(GOLDEN, root)
    (root / "state").rename(root / ".evaltui")
    return root


@pytest.fixture
def history(project: Path) -> Iterator[History]:
    history = History.open(project / ".evaltui", project / "evals" / "results", no_problem)
    yield history
    history.close()


def test_results(project: Path) -> None:
    folder = project / "evals" / "results"
    result = read_suite_result(folder / f"find_order-golden-{FIRST_RUN}.json")
    assert {case.key: case.status for case in result.cases} == {
        key: status for key, status in STATUSES.items() if key.suite == ORDERS
    }
    assert (result.run_id, result.agent, result.endpoint) == (FIRST_RUN, "mine", "mine")
    assert (result.summary.passed, result.summary.failed, result.summary.errored) == (3, 2, 1)
    wrong = next(case for case in result.cases if case.key == WRONG)
    assert wrong.verdicts[-1].check == "toolParams" and wrong.verdicts[-1].gates
    assert wrong.verdicts[-1].evidence["actual"] == "SO-3"
    assert wrong.response is not None
    assert wrong.response.text == "done: Find order SO-3 über alles"
    assert wrong.response.tool_calls[0].params == {"order_id": "SO-3"}
    assert wrong.inputs.case and wrong.inputs.agent and len(wrong.inputs.tools) == 4
    broken = next(case for case in result.cases if case.status is E)
    assert broken.category == "agent_error"
    (twice,) = read_suite_result(folder / f"play_music-golden-{SECOND_RUN}.json").cases
    assert (twice.trials, twice.passes, len(twice.attempts)) == (2, 2, 2)


def test_history(history: History) -> None:
    found = history.last_results("mine")
    assert {result.key: result.status for result in found.results} == STATUSES
    assert found.numbered == 2, "not made anew from the result files, which know no numbers"
    assert [entry.run_id for entry in history.entries(SONG, "mine")] == [SECOND_RUN, FIRST_RUN]
    evidence = counted(history, "mine")
    assert [(one.passed, one.failed, one.is_current) for one in evidence[SONG]] == [(3, 0, True)]
    assert [(one.passed, one.failed) for one in evidence[WRONG]] == [(0, 1)]
    whole = history.detail(WRONG, "mine")
    assert whole is not None and whole.verdicts and whole.response is not None


def test_nothing_is_asked_again_because_of_an_update(project: Path, history: History) -> None:
    """Answers were not kept then, so that they cannot be judged by the rules of today."""
    config = load_config(project).config
    read = read_project(config)
    profile = config.agents[0]
    agent = make_agent(profile.type, profile.name, profile.options, root=project)
    inputs_of = InputsOf(read, agent)
    cases = {case.key: (case, suite) for suite in read.suites for case in suite.cases}
    results = history.last_results("mine").results
    assert len(results) == len(STATUSES)
    rules_only = (Degree.POSSIBLY, ("rules of judging changed",))
    found = [due_reasons(one, inputs_of(*cases[one.key], one.inputs)) for one in results]
    assert found == [rules_only] * 6, "which asks no agent that costs money"


def test_pins(project: Path) -> None:
    pinned = Baselines.load(project / "evals" / "baselines")
    assert pinned.listed.names("mine") == ("default", "release")
    for name in pinned.listed.names("mine"):
        cases = {
            CaseKey(baseline.suite, case): one.status
            for baseline in pinned.in_force("mine", name, endpoint="mine")
            for case, one in baseline.cases.items()
        }
        assert cases == STATUSES
    assert pinned.problems == []


def test_mutes(project: Path) -> None:
    assert load_mutes(project / ".evaltui" / "mutes.json", no_problem) == {
        str(WRONG): "SO-9 is gone"
    }
    assert load_config(project).config.mutes == {
        f"{ORDERS}::gs-find-order-004": "the agent breaks, it is known"
    }


def test_journals(project: Path) -> None:
    folder = project / ".evaltui" / "runs"
    events = list(read_events(folder / f"{FIRST_RUN}.jsonl"))
    read = events[0]
    assert isinstance(read, ProjectRead)
    assert [len(suite.cases) for suite in read.suites] == [5, 1]
    assert read.suites[0].cases[0].message == "Look up order SO-1"
    assert set(read.registry.tools) == {"find_order", "play_music"}
    assert isinstance(events[1], RunStarted) and events[1].number == 1
    finished = {e.result.key: e.result for e in events if isinstance(e, CaseFinished)}
    assert {key: result.status for key, result in finished.items()} == STATUSES
    ended = events[-1]
    assert isinstance(ended, RunFinished)
    assert {case.key: case for suite in ended.suites for case in suite.cases} == finished
    second = list(read_events(folder / f"{SECOND_RUN}.jsonl"))
    assert [e.comparisons[0].new_passes for e in second if isinstance(e, BaselineCompared)] == [()]
    assert find_finished(folder / f"{SECOND_RUN}.jsonl", SONG) is not None


def test_a_run_that_was_killed(project: Path) -> None:
    (lost,) = recover(project / ".evaltui" / "runs")
    assert lost.started is not None and lost.started.run_id == KILLED_RUN
    assert lost.finished is None
    assert {result.key: result.status for result in lost.results} == {
        key: status for key, status in STATUSES.items() if key != SONG
    }


def test_last_tools(project: Path) -> None:
    (known,) = ToolFiles(project / ".evaltui").load("mcp:.mcp.json").values()
    assert [tool.name for tool in known.tools] == ["find_order", "play_music"]
    assert known.at == 1_790_000_000.0


async def test_recordings(project: Path) -> None:
    folder = RecordingFolder(project / "evals" / "cassettes", project)
    recorded = [key for key in STATUSES if folder.read(key)]
    assert recorded == [key for key, status in STATUSES.items() if status is not E]
    for key in recorded:
        before = folder.path(key).read_bytes()
        await folder.keep(key, folder.read(key)[0])
        assert folder.path(key).read_bytes() == before, (
            "a diff shows what changed, not who wrote it"
        )


def test_a_project_goes_on_where_it_was(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    command = ["run", "--cassettes", "replay", "--baseline", "release"]
    assert run_command(command) == 1, "of which tools its recordings are nobody knows"
    assert "it has no tools, this has 2" in capsys.readouterr().out
    settings = project / "evaltui.toml"
    told = "is_free = true\nreads_registry = false"
    settings.write_text(settings.read_text().replace("is_free = true", told))
    assert run_command(command) == 0, "what does not pass is muted"
    printed = capsys.readouterr().out
    assert printed.count("✓") == 4, "answers come from the recordings, the program is gone"
    assert "REGRESSION" not in printed
    assert not list((project / ".evaltui" / "runs").glob("*.open.jsonl")), "the killed run is kept"
    history = History.open(project / ".evaltui", project / "evals" / "results")
    assert history.last_results("mine").numbered == 5
    assert [entry.number for entry in history.entries(WRONG, "mine")] == [5, 4, 3, 1]
    history.close()
