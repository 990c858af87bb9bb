"""`evaltui run --resume` where several trials of a case were open when the run was killed: each one
counts once, and the case comes to what it would have come to."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaltui.cli.main import run_command
from evaltui.core.agent import AgentRequest
from tests.simulated_agent import World, simulate, simulated_project

pytestmark = pytest.mark.slow

CASES, TRIALS = 2, 4
KEPT = (".evaltui", "evals/results")
Failing = frozenset[tuple[str, int]]
FIRST, SECOND = "gs-000", "gs-001"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    # Each trial has its line at once, as where an agent takes a while.
    monkeypatch.setattr("evaltui.disk.journal.journal.FRAME_S", 0.0)
    return simulate(monkeypatch)


@pytest.fixture
def root(tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All of it passed once."""
    return passed_once(tmp_path / "project", world, 4, monkeypatch)


def passed_once(
    root: Path, world: World, concurrency: int, monkeypatch: pytest.MonkeyPatch
) -> Path:
    root.mkdir()
    simulated_project(root, CASES, f"concurrency = {concurrency}")
    monkeypatch.chdir(root)
    world.rate = lambda *_: 1.0
    assert run_command(["run"]) == 0
    return root


def answer(world: World, failing: Failing) -> None:
    """Which trials fail from now on, whenever they are made."""

    def rate(_: str, request: AgentRequest) -> float:
        return float((request.key.case, request.trial) not in failing)

    world.rate = rate
    world.asked.clear()


def killed(root: Path, kept: set[int], *command: str) -> None:
    """A run that is killed when so many of its results are told, each by its number; those before
    it are as they were, and what it took over it told first of all."""
    before = root.with_name("before")
    for folder in KEPT:
        shutil.copytree(root / folder, before / folder)
    run_command(["run", "--fail-on", "never", *command])
    journals = (root / ".evaltui" / "runs").glob("*.jsonl")
    journal = max(journals, key=lambda path: path.stat().st_mtime_ns)
    lines = [*_told(journal, kept)]
    for folder in KEPT:
        shutil.rmtree(root / folder)
        shutil.move(before / folder, root / folder)
    journal.with_name(f"{journal.stem}.open.jsonl").write_text("".join(lines))


def _told(journal: Path, kept: set[int]) -> Iterator[str]:
    count = 0
    for line in journal.read_text().splitlines(keepends=True):
        event = json.loads(line)
        if event["event"] in ("RunFinished", "BaselineCompared"):
            return
        if event["event"] in ("CaseFinished", "TrialFinished"):
            is_own = event.get("result", event)["run_id"] == journal.stem
            count += is_own
            if is_own and count not in kept:
                continue
        yield line


def written(root: Path) -> dict[str, tuple[bool, int, int]]:
    """What the last result file says of each case: passed, of so many trials so many did."""
    files = [*(root / "evals" / "results").glob("*.json")]
    cases = json.loads(max(files, key=lambda path: path.stat().st_mtime_ns).read_text())["cases"]
    return {
        one["id"]: (one["passed"], one.get("trials", 1), one.get("passes", one["passed"]))
        for one in cases
    }


def counted(root: Path) -> dict[str, tuple[int, int]]:
    """Passes and failures of each case that are evidence."""
    with closing(sqlite3.connect(root / ".evaltui" / "history.sqlite3")) as connection:
        rows = connection.execute(
            'SELECT name, sum(passed), sum(failed) FROM evidence JOIN cases ON id="case" GROUP BY 1'
        )
        return {name: (passed, failed) for name, passed, failed in rows}


def test_a_failure_before_the_kill_is_part_of_the_result(
    root: Path, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(world, frozenset({(FIRST, 0)}))
    killed(root, {1}, "--trials", str(TRIALS))
    world.asked.clear()
    capsys.readouterr()
    assert run_command(["run", "--resume"]) == 1
    assert len(world.asked) == CASES * TRIALS - 1
    said = capsys.readouterr().out
    assert "not run now" not in said and said.count(f"✗ {FIRST}") == 1
    assert run_command(["baseline", "pin", "--yes"]) == 0
    assert run_command(["baseline", "diff"]) == 0
    (pin,) = (root / "evals" / "baselines" / "default").rglob("*.json")
    assert [case["passed"] for case in json.loads(pin.read_text())["cases"]] == [False, True]


def test_a_failure_of_the_first_of_three_parts_is_too(root: Path, world: World) -> None:
    answer(world, frozenset({(FIRST, 0)}))
    killed(root, {1}, "--trials", str(TRIALS))
    killed(root, {1}, "--resume")
    world.asked.clear()
    assert run_command(["run", "--resume"]) == 1
    assert len(world.asked) == CASES * TRIALS - 2


@pytest.mark.timeout(900)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    failing=st.frozensets(
        st.tuples(st.sampled_from([FIRST, SECOND]), st.integers(0, TRIALS - 1)), max_size=3
    ),
    parts=st.lists(st.sets(st.integers(1, CASES * TRIALS)), min_size=1, max_size=3),
    concurrency=st.sampled_from([1, 2, 4, 8]),
)
def test_a_run_in_parts_comes_to_what_it_comes_to_as_a_whole(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    world: World,
    failing: Failing,
    parts: list[set[int]],
    concurrency: int,
) -> None:
    """Which trials are in the journal depends on which of those that are open ended first."""
    folder = tmp_path_factory.mktemp("history")
    root = passed_once(folder / "project", world, concurrency, monkeypatch)
    answer(world, failing)
    for number, kept in enumerate(parts):
        killed(root, kept, *(["--resume"] if number else ["--trials", str(TRIALS)]))
    assert run_command(["run", "--resume"]) == bool(failing)
    fallen = {case: sum(case == one for one, _ in failing) for case in (FIRST, SECOND)}
    assert written(root) == {
        case: (not failures, TRIALS, TRIALS - failures) for case, failures in fallen.items()
    }
    assert counted(root) == {
        case: (1 + TRIALS - failures, failures) for case, failures in fallen.items()
    }, "each trial counts once"
    shutil.rmtree(folder)


def test_trials_of_a_killed_run_count_though_nobody_goes_on_with_it(
    root: Path, world: World
) -> None:
    answer(world, frozenset({(FIRST, 0)}))
    killed(root, {1, 2}, "--trials", str(TRIALS))
    for passes in (1, 2):  # it is counted once, whoever comes next
        assert run_command(["run", "--filter", SECOND]) == 0
        assert counted(root) == {FIRST: (2, 1), SECOND: (1 + passes, 0)}
