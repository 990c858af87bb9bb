"""`evaltui run --resume`: an interrupted run goes on, and nothing of it is lost or asked twice."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaltui.cli.main import run_command
from evaltui.core.comparison import Effect
from evaltui.disk.history.history import History

pytestmark = pytest.mark.slow

CASES = 6
AGENT = """
import pathlib, time

def answer(message):
    with pathlib.Path(__file__).with_name("asked.txt").open("a") as asked:
        asked.write(message + "\\n")
    time.sleep(float(pathlib.Path(__file__).with_name("takes.txt").read_text()))
    wrong = pathlib.Path(__file__).with_name("wrong.txt").read_text().split()
    return "no" if message in wrong else "yes"
"""
SETTINGS = """
agent = "mine"
concurrency = 1

[agents.mine]
type = "python"
function = "agent.py:answer"
"""


def make(root: Path, wrong: str = "", settings: str = SETTINGS) -> None:
    (root / "evals").mkdir(parents=True)
    (root / "agent.py").write_text(AGENT)
    (root / "wrong.txt").write_text(wrong)
    (root / "takes.txt").write_text("0")
    (root / "evaltui.toml").write_text(settings)
    for suite in "ab":
        cases = [
            {
                "id": f"gs-{suite}-{number:03d}",
                "input": {"message": f"{suite}{number}"},
                "expect": {"responseContains": ["yes"]},
            }
            for number in range(CASES // 2)
        ]
        (root / "evals" / f"{suite}.golden.json").write_text(json.dumps({"cases": cases}))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make(tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def asked(root: Path) -> list[str]:
    """The messages since the last look."""
    file = root / "asked.txt"
    words = file.read_text().split() if file.exists() else []
    file.unlink(missing_ok=True)
    return words


def interrupt(root: Path, keep: Callable[[int, str], bool]) -> None:
    """Leave of the last run what a killed process would have: some lines of its journal, of which
    older versions wrote none about what was asked for."""
    journals = (root / ".evaltui" / "runs").glob("*.jsonl")
    journal = max(journals, key=lambda path: path.stat().st_mtime_ns)
    kept, count = [], 0
    for line in journal.read_text().splitlines(keepends=True):
        kind = json.loads(line)["event"]
        if kind in ("CaseFinished", "TrialFinished"):
            count += 1
            if not keep(count, kind):
                continue
        if kind not in ("RunFinished", "BaselineCompared", "SpendingChanged"):
            kept.append(line)
    shutil.rmtree(root / ".evaltui")
    shutil.rmtree(root / "evals" / "results", ignore_errors=True)
    journal.parent.mkdir(parents=True)
    journal.with_name(f"{journal.stem}.open.jsonl").write_text("".join(kept))


def test_going_on_with_trials_for_a_pin_says_that_it_pins_nothing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["baseline", "pin", "--trials", "2", "--yes"]) == 0
    interrupt(root, lambda number, _: number <= 2)
    capsys.readouterr()
    assert run_command(["run", "--resume"]) == 0
    said = capsys.readouterr().err
    assert "runs the remaining trials, and pins nothing: `evaltui baseline pin" in said
    assert run_command(["run"]) == 0
    interrupt(root, lambda number, _: number <= 2)
    capsys.readouterr()
    assert run_command(["run", "--resume"]) == 0
    assert "pins nothing" not in capsys.readouterr().err


def test_a_journal_with_a_damaged_line_is_not_gone_on_with(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "wrong.txt").write_text("a1")
    assert run_command(["run"]) == 1
    interrupt(root, lambda number, _: number <= 3)
    (root / "wrong.txt").write_text("")
    (journal,) = (root / ".evaltui" / "runs").glob("*.open.jsonl")
    lines = journal.read_bytes().splitlines(keepends=True)
    (at,) = (n for n, line in enumerate(lines) if b"CaseFinished" in line and b"gs-a-001" in line)
    lines[at] = lines[at][:50] + b"\0" * 20 + lines[at][70:]
    journal.write_bytes(b"".join(lines))
    asked(root)
    for _ in range(2):  # the first time makes of it a finished journal
        assert run_command(["run", "--resume"]) == 2
        said = capsys.readouterr().err
        assert f".jsonl:{at + 1}: line {at + 1} of the recorded run cannot be understood" in said
        assert "Run without --resume" in said
        assert not asked(root)
    assert run_command(["run"]) == 0


def test_only_what_was_left_is_asked_and_the_report_is_of_the_whole(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "wrong.txt").write_text("a0")
    assert run_command(["run"]) == 1
    interrupt(root, lambda number, _: number <= 2)
    asked(root), capsys.readouterr()
    report = root / "report.xml"
    assert (
        run_command(["run", "--resume", "--reporter", "console", f"--reporter=junit={report}"]) == 1
    )
    assert sorted(asked(root)) == ["a2", "b0", "b1", "b2"]
    printed = capsys.readouterr().out
    assert "2 finished before, 4 to go" in printed
    assert "gs-a-000" in printed
    assert "2/3 passed | 1 failed" in printed and "3/3 passed" in printed
    document = ElementTree.parse(report).getroot()
    assert len(document.findall(".//testcase")) == CASES
    assert len(document.findall(".//failure")) == 1
    files = (root / "evals" / "results").glob("*.json")
    cases = [case for file in files for case in json.loads(file.read_text())["cases"]]
    assert len(cases) == CASES
    assert all(case["verdicts"] for case in cases), "of the run that was killed too"


@pytest.mark.parametrize(
    "chosen",
    [
        ("--filter", "gs-b"),
        ("evals/b.golden.json",),
        ("evals/b.golden.json::gs-b-000", "evals/a.golden.json"),
        ("--failed",),
        ("--tier", "labeled"),
    ],
    ids=" ".join,
)
def test_what_failed_before_is_not_left_out_by_flags(
    root: Path, capsys: pytest.CaptureFixture[str], chosen: tuple[str, ...]
) -> None:
    (root / "wrong.txt").write_text("a0")
    run_command(["run"])
    interrupt(root, lambda number, _: number <= 2)
    asked(root), capsys.readouterr()
    assert run_command(["run", "--resume", *chosen]) == 2
    said = capsys.readouterr().err
    assert chosen[0] == "--tier" or "The interrupted run was about `evals/" in said
    assert asked(root) == []
    assert run_command(["run", "--resume"]) == 1, "it can be gone on with still"
    assert run_command(["run", "--resume"]) == 2


def test_the_run_of_another_agent_is_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_command(["run"])
    interrupt(root, lambda number, _: number <= 2)
    asked(root), capsys.readouterr()
    assert run_command(["run", "--resume", "--agent", "embedded"]) == 2
    said = capsys.readouterr().err
    assert "asked `mine`" in said and "`evaltui run --resume --agent mine`" in said
    assert run_command(["run", "--resume", "--agent", "mine"]) == 0
    assert len(asked(root)) == CASES - 2


def broken(root: Path) -> None:
    (root / "evals" / "a.golden.json").write_text("{")


def not_named(root: Path) -> None:
    file = root / "evaltui.toml"
    file.write_text('evals = ["evals/b.golden.json"]' + file.read_text())


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (broken, "and `evals/a.golden.json` cannot be read now. Correct that first"),
        (not_named, "Have `evals` in the settings name `evals/a.golden.json` again"),
    ],
)
def test_why_a_case_of_the_interrupted_run_is_left_out_is_said(
    root: Path, capsys: pytest.CaptureFixture[str], edit: Callable[[Path], None], reason: str
) -> None:
    run_command(["run"])
    interrupt(root, lambda number, _: number <= 2)
    edit(root)
    asked(root), capsys.readouterr()
    assert run_command(["run", "--resume"]) == 2
    said = capsys.readouterr().err
    assert reason in said and "flags" not in said
    assert ("evals/a.golden.json:1" in said) == (edit is broken)
    assert asked(root) == []


def test_an_agent_of_the_interrupted_run_is_not_left_out_by_itself(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["run", "--agent", "mine", "--agent", "embedded", "--fail-on", "never"])
    for journal in (root / ".evaltui" / "runs").glob("*.jsonl"):
        lines = journal.read_text().splitlines(keepends=True)
        last = max(i for i, line in enumerate(lines) if '"event":"CaseFinished"' in line)
        lines = [x for i, x in enumerate(lines) if i != last and '"event":"RunFinished"' not in x]
        journal.write_text("".join(lines))
    asked(root), capsys.readouterr()
    assert run_command(["run", "--resume"]) == 2
    said = capsys.readouterr().err
    assert "asked `embedded` too" in said
    assert "--resume --agent mine --agent embedded" in said
    assert asked(root) == []
    assert run_command(["run", "--resume", "--agent", "mine", "--fail-on", "never"]) == 0
    assert "asked `embedded` too" in capsys.readouterr().err
    assert len(asked(root)) == 1


def renamed(root: Path) -> None:
    file = root / "evals" / "a.golden.json"
    file.write_text(file.read_text().replace("gs-a-000", "gs-a-900"))


def removed(root: Path) -> None:
    file = root / "evals" / "a.golden.json"
    file.write_text(json.dumps({"cases": json.loads(file.read_text())["cases"][1:]}))


def without_file(root: Path) -> None:
    (root / "evals" / "a.golden.json").unlink()


@pytest.mark.parametrize("edit", [renamed, removed, without_file])
def test_what_failed_before_is_not_forgotten_when_its_case_is_gone(
    root: Path, capsys: pytest.CaptureFixture[str], edit: Callable[[Path], None]
) -> None:
    (root / "wrong.txt").write_text("a0")
    run_command(["run"])
    interrupt(root, lambda number, _: number <= 2)
    before = (root / "evals" / "a.golden.json").read_text()
    edit(root)
    asked(root), capsys.readouterr()
    assert run_command(["run", "--resume"]) == 2
    said = capsys.readouterr().err
    assert "failures in cases that are gone: `evals/a.golden.json::gs-a-000`." in said
    assert "Put them back" in said
    assert asked(root) == []
    (root / "evals" / "a.golden.json").write_text(before)
    assert run_command(["run", "--resume"]) == 1, "it can be gone on with still"
    assert "gone" not in capsys.readouterr().err


def test_nor_when_an_interrupted_run_went_on_with_it(root: Path) -> None:
    (root / "wrong.txt").write_text("a0")
    run_command(["run"])
    interrupt(root, lambda number, _: number <= 1)
    run_command(["run", "--resume"])
    last = max((root / ".evaltui" / "runs").glob("*.jsonl"), key=lambda one: one.stat().st_mtime_ns)
    lines = last.read_text().splitlines(keepends=True)
    finished = [line for line in lines if '"event":"CaseFinished"' in line]
    last.write_text("".join(x for x in lines if x not in finished[1:] and "RunFinished" not in x))
    removed(root)
    assert run_command(["run", "--resume"]) == 2


@pytest.mark.parametrize("edit", [renamed, removed, without_file])
def test_a_case_that_is_gone_and_did_not_fail_is_told_of(
    root: Path, capsys: pytest.CaptureFixture[str], edit: Callable[[Path], None]
) -> None:
    (root / "wrong.txt").write_text("b2")
    run_command(["run"])
    interrupt(root, lambda number, _: number <= 2)
    edit(root)
    asked(root), capsys.readouterr()
    (root / "wrong.txt").write_text("")
    assert run_command(["run", "--resume"]) == 0
    said = capsys.readouterr().err
    assert "left out: `evals/a.golden.json::gs-a-000`" in said
    assert "not asked" in said
    assert {"b0", "b1", "b2"} <= {*asked(root)}


def test_a_muted_failure_that_is_gone_counts_for_nothing(root: Path) -> None:
    (root / "wrong.txt").write_text("a0")
    run_command(["run"])
    interrupt(root, lambda number, _: number <= 2)
    removed(root)
    muted = '[mute]\n"evals/a.golden.json::gs-a-000" = "known"\n'
    (root / "evaltui.toml").write_text(f"{SETTINGS}\n{muted}")
    assert run_command(["run", "--resume"]) == 0


def test_flags_that_choose_all_that_is_left_go_on(root: Path) -> None:
    (root / "wrong.txt").write_text("b0")
    run_command(["run", "evals/b.golden.json"])
    interrupt(root, lambda number, _: number <= 2)
    (root / "evals" / "a.golden.json").unlink()
    assert run_command(["run", "--resume", "evals/b.golden.json"]) == 1


@pytest.mark.usefixtures("root")
def test_where_nothing_ran_before_nothing_is_known_to_have_failed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_command(["run", "--failed"]) == 2
    assert "No earlier run is known." in capsys.readouterr().err
    assert run_command(["run"]) == 0
    assert run_command(["run", "--failed"]) == 0
    assert "Nothing failed last time" in capsys.readouterr().err


def test_a_chain_of_interruptions_is_one_whole(root: Path) -> None:
    (root / "wrong.txt").write_text("a0")
    run_command(["run"])
    interrupt(root, lambda number, _: number <= 1)
    run_command(["run", "--resume"])
    interrupted_again = (root / ".evaltui" / "runs").glob("*.jsonl")
    assert len([*interrupted_again]) == 2
    # The second run is cut as well: its first result is kept, the first run's is in the history.
    last = max((root / ".evaltui" / "runs").glob("*.jsonl"), key=lambda one: one.stat().st_mtime_ns)
    lines = last.read_text().splitlines(keepends=True)
    finished = [line for line in lines if '"event":"CaseFinished"' in line]
    last.write_text("".join(x for x in lines if x not in finished[1:] and "RunFinished" not in x))
    asked(root)
    assert run_command(["run", "--resume"]) == 1, "what failed in the first of the three counts"
    assert len(asked(root)) == CASES - 2


def test_without_an_interrupted_run_it_says_so_and_is_no_success(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["run", "--resume"]) == 2
    assert "No run was interrupted" in capsys.readouterr().err
    assert run_command(["run"]) == 0
    asked(root)
    assert run_command(["run", "--resume"]) == 2
    assert "Run without --resume" in capsys.readouterr().err
    assert asked(root) == []


def test_answers_that_are_judged_again_first_are_no_end_of_their_own(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is to come counts for nothing yet, and what fell is told once, by the end of it all."""
    assert run_command(["run"]) == 0
    assert run_command(["baseline", "pin"]) == 0
    assert run_command(["run"]) == 0
    interrupt(root, lambda number, _: number <= 2)
    file = root / "evals" / "a.golden.json"
    suite = json.loads(file.read_text())
    suite["cases"][0]["expect"] = {"responseContains": ["gone"]}
    file.write_text(json.dumps(suite))
    asked(root), capsys.readouterr()
    report = root / "report.md"
    reporters = ["--reporter", "console", f"--reporter=markdown={report}"]
    assert run_command(["run", "--resume", *reporters]) == 1
    assert len(asked(root)) == CASES - 2
    said, written = capsys.readouterr().out, report.read_text()
    assert "1 case judged again from kept answers" in said
    for text in (said, written):
        assert "not run now" not in text
    assert said.count("MOVED gs-a-000") == 1
    assert said.index("MOVED") > said.index("All 2 suites: 5/6 passed")
    assert "## 5/6 evals passed" in written


def test_older_results_do_not_stand_for_what_the_run_was_to_ask(root: Path) -> None:
    run_command(["run"])
    shutil.copytree(root / ".evaltui", root / "before")
    run_command(["run"])
    journals = sorted(
        (root / ".evaltui" / "runs").glob("*.jsonl"), key=lambda p: p.stat().st_mtime_ns
    )
    last = journals[-1]
    lines = last.read_text().splitlines(keepends=True)
    finished = [line for line in lines if '"event":"CaseFinished"' in line]
    kept = [x for x in lines if x not in finished[2:] and "RunFinished" not in x]
    shutil.rmtree(root / ".evaltui")
    shutil.copytree(root / "before", root / ".evaltui")
    (root / ".evaltui" / "runs" / f"{last.stem}.open.jsonl").write_text("".join(kept))
    asked(root)
    assert run_command(["run", "--resume"]) == 0
    assert len(asked(root)) == CASES - 2


def test_finished_trials_are_not_made_again(root: Path) -> None:
    (root / "evaltui.toml").write_text(SETTINGS.replace("concurrency", "trials = 3\nconcurrency"))
    (root / "takes.txt").write_text("0.04")  # attempts that come singly are written singly
    run_command(["run"])
    assert len(asked(root)) == 3 * CASES
    interrupt(root, lambda number, _: number <= 5)  # a case, and two of the trials of another
    (root / "takes.txt").write_text("0")
    assert run_command(["run", "--resume"]) == 0
    assert len(asked(root)) == 3 * CASES - 5
    files = (root / "evals" / "results").glob("*.json")
    cases = [case for file in files for case in json.loads(file.read_text())["cases"]]
    assert len(cases) == CASES


def test_a_changed_case_is_asked_again_though_it_had_finished(root: Path) -> None:
    run_command(["run"])
    interrupt(root, lambda number, _: number <= 2)
    asked(root)
    file = root / "evals" / "a.golden.json"
    file.write_text(file.read_text().replace('"a0"', '"another"'))
    assert run_command(["run", "--resume"]) == 0
    assert sorted(asked(root)) == ["a2", "another", "b0", "b1", "b2"]


@pytest.mark.timeout(900)
@settings(max_examples=300)
@given(
    wrong=st.sets(st.sampled_from(["a0", "a1", "a2", "b0", "b1", "b2"])),
    kept=st.sets(st.integers(1, CASES)),
)
def test_red_never_turns_green(
    tmp_path_factory: pytest.TempPathFactory, wrong: set[str], kept: set[int]
) -> None:
    root = tmp_path_factory.mktemp("history") / "project"
    make(root, " ".join(wrong))
    here = ["-C", str(root), "run"]
    code = run_command(here)
    assert code == bool(wrong)
    interrupt(root, lambda number, _: number in kept)
    asked(root)
    resumed = run_command([*here, "--resume"])
    assert resumed == code
    assert len(asked(root)) == CASES - len(kept)
    shutil.rmtree(root.parent)


def in_two_parts(root: Path, wrong: str, *flags: str) -> None:
    """Run once more, and leave of that run what a killed process would have after two cases;
    whatever ran before stays."""
    for folder in (".evaltui", "evals/results"):
        shutil.copytree(root / folder, root / "kept" / folder)
    (root / "wrong.txt").write_text(wrong)
    run_command(["run", *flags])
    interrupt(root, lambda number, _: number <= 2)
    journals = root / ".evaltui" / "runs"
    (journal,) = journals.glob("*.open.jsonl")
    shutil.move(journal, root / "kept" / ".evaltui" / "runs" / journal.name)
    for folder in (".evaltui", "evals/results"):
        shutil.rmtree(root / folder, ignore_errors=True)
        shutil.move(root / "kept" / folder, root / folder)


@pytest.mark.parametrize(
    ("first", "flags", "wrong", "told"),
    [
        (["run"], [], "a0", "1 worse · 0 better · 5 as before"),
        (["run"], [], "b2", "1 worse · 0 better · 5 as before"),
        (["run", "--trials", "3"], [], "a1", "1 worse · 0 better · 5 as before"),
        (["run"], ["--trials", "2"], "a1", "1 worse · 0 better · 5 as before"),
    ],
)
def test_what_got_worse_in_the_first_part_is_told_as_if_it_had_not_been_broken_off(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    first: list[str],
    flags: list[str],
    wrong: str,
    told: str,
) -> None:
    run_command(first)
    in_two_parts(root, wrong, *flags)
    asked(root), capsys.readouterr()
    report = root / "report.jsonl"
    gate = ["--fail-on", "changed", "--reporter", "console", f"--reporter=jsonl={report}"]
    assert run_command(["run", "--resume", *gate]) == 1
    assert told in capsys.readouterr().out
    (end,) = (
        json.loads(line) for line in report.read_text().splitlines() if '"RunFinished"' in line
    )
    assert len(end["changes"]["worse"]) == 1 and end["changes"]["as_before"] == 5
    # The end of it is no new beginning.
    assert run_command(["run", "--fail-on", "changed"]) == 0


def test_each_part_of_a_chain_is_held_against_what_stood_before_all(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["run"])
    in_two_parts(root, "a0")
    in_two_parts(root, "a0", "--resume", "--fail-on", "never")
    capsys.readouterr()
    assert run_command(["run", "--resume", "--fail-on", "changed"]) == 1
    assert "1 worse · 0 better · 5 as before" in capsys.readouterr().out


def test_the_line_of_each_part_has_its_own_figures_and_that_of_a_later_one_those_of_all(
    root: Path,
) -> None:
    run_command(["run"])
    in_two_parts(root, "a0 a1 b0 b1 b2")
    in_two_parts(root, "a0 a1 b0 b1 b2", "--resume")
    run_command(["run", "--resume"])
    history = History.open(root / ".evaltui", root / "evals/results")
    third, second, first, _ = history.timeline("mine")
    lines = [
        (point.ran, point.effects[Effect.WORSE], point.effects[Effect.AS_BEFORE])
        for point in (first, second, third)
    ]
    assert lines == [(2, 2, 0), (2, 1, 1), (2, 2, 0)]
    whole = third.goes_on
    assert whole is not None
    assert (whole.number, whole.again, whole.is_resumed) == (first.number, 0, True)
    assert (whole.ran, whole.effects[Effect.WORSE], whole.effects[Effect.AS_BEFORE]) == (6, 5, 1)
    assert first.goes_on is None
    history.close()
