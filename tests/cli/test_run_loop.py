"""`evaltui run-loop`: what the program is asked, what is kept of it, and that faults fail."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.evidence.kept_loops import KeptLoops
from evaltui.traces.reading import read_case
from tests.evidence.made_packs import hashed_anew, read, suite_of

CASE: dict[str, Any] = {
    "case_id": "c",
    "input": "weather?",
    "expected_output": "72F",
    "tool_contracts": {"look": {"required_args": ["q"]}},
    "policy": {"required_tools": ["look"]},
    "regex_patterns": ["72F"],
    "metadata": {"tool_responses": {"look": {"hits": 3}}},
}
GOOD = '{"assistant_output": "72F", "tool_calls": [{"tool": "look", "arguments": {"q": "w"}}]}'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def loop(code: str, *flags: str, cases: tuple[dict[str, Any], ...] = (CASE,)) -> dict[str, Any]:
    """The kept case of a program of this code; `asked` is what it was told."""
    Path("adapter.py").write_text(f"import json, sys, time\nasked = json.load(sys.stdin)\n{code}")
    suite = suite_of(Path("s.json"), *cases)
    command = shlex.join([sys.executable, "adapter.py"])
    argv = ["run-loop", "--suite", str(suite), "--out", "out", "--propose-command", command]
    assert run_command([*argv, *flags]) == 0
    kept = read(Path("out/cases") / cases[0]["case_id"] / "trajectory.json")
    verdicts = read(Path("out/cases") / cases[0]["case_id"] / "verdicts.json")
    return {**kept, "passed": verdicts["passed"]}


def test_the_first_attempt_that_passes_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    code = f"print({GOOD!r} if asked['attempt'] else 'no idea')"
    found = loop(code, "--run-id", "loop-1")
    told = json.loads(capsys.readouterr().out)
    assert (told["execution_mode"], told["summary"]["pass_rate"]) == ("propose_execute_repair", 1.0)
    metadata = found["metadata"]
    assert (metadata["selected_attempt"], metadata["loop_passed"]) == (1, True)
    first, second = metadata["attempt_history"]
    assert (first["passed"], first["hard_failed"], second["passed"]) == (False, True, True)
    assert first["response"]["assistant_output"] == "no idea"
    assert second["response"]["side_effects"] == [
        {
            "tool": "look",
            "arguments": {"q": "w"},
            "response": {"hits": 3},
            "source": "tool_responses",
        }
    ]
    assert [(one["actor"], one["type"]) for one in found["trace"]] == [
        ("user", "message"),
        ("agent", "tool_call"),
        ("tool", "tool_result"),
        ("assistant", "message"),
    ]
    assert {one["attempt"] for one in found["trace"]} == {1}
    config = read(Path("out/run/config.json"))
    assert config["execution_config"]["max_repairs"] == 2
    assert run_command(["replay", "--run", "out"]) == 0


def test_the_program_is_told_what_its_contract_says() -> None:
    code = "open('asked', 'a').write(json.dumps(asked) + '\\n'); print('x')"
    loop(code, "--max-repairs", "1", "--repair-command", f"{sys.executable} adapter.py")
    first, second = map(json.loads, Path("asked").read_text().splitlines())
    assert first == {
        "mode": "propose",
        "case_id": "c",
        "input": "weather?",
        "expected_output": "72F",
        "attempt": 0,
        "previous_attempts": [],
        "tool_contracts": {"look": {"required_args": ["q"], "forbidden_args": []}},
        "policy": {"forbidden_tools": [], "required_tools": ["look"]},
        "metadata": {"tool_responses": {"look": {"hits": 3}}},
    }
    assert (second["mode"], second["attempt"]) == ("repair", 1)
    assert second["metadata"] == first["metadata"]
    (previous,) = second["previous_attempts"]
    assert previous["response"]["assistant_output"] == "x"
    assert {row["judge_id"] for row in previous["judge_results"]} >= {"policy", "regex"}


@pytest.mark.parametrize("named", ["nope-cmd", "./nope.py --fast"])
def test_a_program_that_there_is_not_is_told_before_anything_is_judged(
    named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """As by the original program, with its code."""
    loop("print('72F')", "--max-repairs", "0")
    config = Path("out/run/config.json")
    config.write_text(config.read_text().replace(shlex.join([sys.executable]), named))
    suite, there = str(suite_of(Path("s.json"), CASE)), f"{sys.executable} adapter.py"
    argv = ["run-loop", "--suite", suite, "--out", "none", "--propose-command"]
    mode = ("--execution-mode", "propose_execute_repair")
    for command in (
        [*argv, named],
        [*argv, there, "--repair-command", named],
        ["stability-check", "--suite", suite, *mode, "--propose-command", named],
        ["replay-exec", "--run", "out"],
    ):
        capsys.readouterr()
        assert run_command([*command, "--trust"]) == 1
        error = json.loads(capsys.readouterr().err)["error"]
        assert error["code"] == "file_not_found"
        assert error["details"]["path"] == named.split()[0]
    assert not Path("none").exists()


@pytest.mark.parametrize(
    ("code", "flags", "said"),
    [
        ("sys.exit(7)", (), "command exited 7"),
        ("time.sleep(60)", ("--command-timeout-seconds", "3"), "timed out"),
        ("print('{\"tool_calls\": [{}]}')", (), "names no tool"),
        ('print(\'{"error": "no key"}\')', (), "no key"),
        (f"print({GOOD[:-2]!r})", (), "begins as a JSON object and is none"),
    ],
)
@pytest.mark.slow
def test_a_fault_of_the_program_fails_its_case_and_nothing_else(
    code: str, flags: tuple[str, ...], said: str
) -> None:
    bare = {"case_id": "c", "expected_output": "72F", "input": "w"}
    code = f"if asked['case_id'] == 'd': print('72F'); sys.exit()\n{code}"
    found = loop(code, "--max-repairs", "0", *flags, cases=(bare, {**bare, "case_id": "d"}))
    assert not found["passed"]
    assert said in found["trace"][-1]["error"]
    assert read(Path("out/run/summary.json"))["pass_rate"] == 0.5


def test_answers_of_tools_are_those_that_are_written_down() -> None:
    exact = [{"tool": "look", "arguments": {"q": 1}, "response": {"error": "busy", "output": 5}}]
    metadata = {"tool_response_cassette": exact, "tool_responses": {"look": "any"}}
    calls = [{"name": "look", "input": {"q": n}} for n in (1, 2)] + [{"tool": "lost"}]
    code = f"print(json.dumps({{'output': 'x', 'tool_calls': {calls!r}}}))"
    found = loop(code, "--max-repairs", "0", cases=({"case_id": "c", "metadata": metadata},))
    results = [one for one in found["trace"] if one["type"] == "tool_result"]
    assert [(one["output"], one["error"]) for one in results] == [
        (5, "busy"),
        ("any", None),
        (None, "unknown_tool"),
    ]


def test_an_unknown_tool_fails_the_attempt_where_side_effects_are_strict() -> None:
    code = 'print(\'{"output": "x", "tool_calls": [{"tool": "lost"}]}\')'
    lenient = {"trajectory_step": {"allow_tool_errors": True}}
    Path("j.json").write_text(json.dumps(lenient))
    flags = ("--max-repairs", "0", "--judge-config", "j.json")
    cases = ({"case_id": "c"},)
    assert loop(code, *flags, cases=cases)["passed"]
    found = loop(code, *flags, "--strict-side-effects", cases=cases)
    assert not found["passed"]
    assert found["trace"][-1]["error"] == "no deterministic response for lost"


def test_of_failed_attempts_the_last_is_kept_or_the_best() -> None:
    code = "print(['one two', 'one', 'none'][asked['attempt']])"
    case = {"case_id": "c", "regex_patterns": ["one", "two", "three"]}
    kept = [
        loop(code, *flags, cases=(case,))["metadata"]["selected_attempt"]
        for flags in ((), ("--keep", "best"))
    ]
    assert kept == [2, 0]


def test_cases_that_are_played_at_once_keep_their_order() -> None:
    cases = tuple({"case_id": name, "regex_patterns": ["yes"]} for name in "abcde")
    code = "time.sleep(0.2 if asked['case_id'] == 'a' else 0); print('yes')"
    loop(code, "--concurrency", "3", cases=cases)
    report = read(Path("out/report.json"))
    assert [one["case_id"] for one in report["cases"]] == list("abcde")
    assert report["summary"]["passed_cases"] == 5


def test_cases_are_played_at_the_same_time() -> None:
    """Each program waits for that of the other case."""
    code = """
from pathlib import Path
Path(asked["case_id"]).touch()
until = time.monotonic() + 10
while not Path("b" if asked["case_id"] == "a" else "a").exists() and time.monotonic() < until:
    time.sleep(0.01)
print("yes" if time.monotonic() < until else "alone")
"""
    cases = tuple({"case_id": name, "regex_patterns": ["yes"]} for name in "ab")
    loop(code, "--concurrency", "2", "--max-repairs", "0", cases=cases)
    assert read(Path("out/run/summary.json"))["passed_cases"] == 2


def test_programs_that_do_the_same_again_pass_and_others_do_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    loop(f"print({GOOD!r} if asked['attempt'] else 'no idea')")
    capsys.readouterr()
    assert run_command(["replay-exec", "--run", "out"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["execution_replay_passed"] and told["summary_match"]
    assert told == {**read(Path(told["out"])), "out": "out/compare/replay_exec_report.json"}
    Path("adapter.py").write_text(f"print({GOOD!r})")
    assert run_command(["replay-exec", "--run", "out"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["summary_match"], told["case_mismatches"]) == (True, [])
    assert told["trace_mismatches"] == [
        {
            "case_id": "c",
            "saved_selected_attempt": 1,
            "replayed_selected_attempt": 0,
            "saved_event_count": 4,
            "replayed_event_count": 4,
        }
    ]
    Path("adapter.py").write_text("print('no idea')")
    assert run_command(["replay-exec", "--run", "out"]) == 1
    assert len(json.loads(capsys.readouterr().out)["case_mismatches"]) == 1


@pytest.mark.parametrize("is_hidden", [False, True])
@pytest.mark.parametrize(
    ("name", "mismatches"),
    [
        ("cases/c/verdicts.json", "verdict_mismatches"),
        ("report.json", "file_mismatches"),
        ("judges/regex.json", "file_mismatches"),
    ],
)
def test_reasons_that_were_doctored_are_found_when_it_is_executed_again(
    capsys: pytest.CaptureFixture[str], name: str, mismatches: str, is_hidden: bool
) -> None:
    loop(f"print({GOOD!r})", "--judge", "regex", "--judge", "repair_path")
    assert run_command(["replay-exec", "--run", "out"]) == 0
    path = Path("out", name)
    text = path.read_text()
    reason = read(Path("out/judges/regex.json"))[0]["reason"]
    assert reason in text
    path.write_text(text.replace(reason, "because"))
    if is_hidden:
        hashed_anew(Path("out"), name)
    capsys.readouterr()
    assert run_command(["replay-exec", "--run", "out"]) == 1
    assert json.loads(capsys.readouterr().out)[mismatches]


COUNTED = """
class Judge:
    judge_id = "counts"
    def __init__(self, config):
        pass
    def evaluate(self, case):
        with open("judged.txt", "a+") as file:
            file.write("x")
            file.seek(0)
            return {"passed": len(file.read()) == 1, "reason": "only the first time"}
"""


def test_what_an_attempt_was_kept_for_is_not_judged_again() -> None:
    """A judge that changes its mind would contradict what the loop ended with."""
    Path("own_judges.py").write_text(COUNTED)
    judges = ("--judge", "own_judges:Judge", "--judge", "repair_path", "--trust")
    found = loop("print('72F')", *judges)
    assert (found["passed"], found["metadata"]["loop_passed"]) == (True, True)
    assert Path("judged.txt").read_text() == "x"
    (path,) = read(Path("out/judges/repair_path.json"))
    assert (path["skipped"], path["evidence_refs"]) == (False, {"attempts": [0]})


def test_programs_of_a_pack_from_elsewhere_are_not_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    loop("print('72F')")
    Path("out").rename("other")
    Path("adapter.py").write_text("open('ran', 'w')")
    capsys.readouterr()
    assert run_command(["replay-exec", "--run", "other"]) == 1
    assert "adapter.py" in json.loads(capsys.readouterr().err)["error"]["message"]
    assert not Path("ran").exists()
    run_command(["replay-exec", "--run", "other", "--trust"])
    assert Path("ran").exists()


def test_a_run_without_programs_cannot_be_executed(capsys: pytest.CaptureFixture[str]) -> None:
    suite = str(suite_of(Path("s.json"), CASE))
    run_command(["run", "--suite", suite, "--out", "out"])
    assert run_command(["replay-exec", "--run", "out"]) == 1
    assert "not a run of `run-loop`" in json.loads(capsys.readouterr().err)["error"]["message"]


@pytest.mark.parametrize(
    "flags",
    [("--max-repairs", "-1"), ("--concurrency", "0"), ("--command-timeout-seconds", "nan")],
)
def test_numbers_that_make_no_sense_are_refused(
    flags: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    suite = str(suite_of(Path("s.json"), CASE))
    argv = ["run-loop", "--suite", suite, "--out", "out", "--propose-command", "true", *flags]
    assert run_command(argv) == 2
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "validation_error"


COUNTS = """
place = open("asked.txt", "a")
print(asked["case_id"], file=place, flush=True)
if asked["case_id"] == "b" and not __import__("pathlib").Path("go").exists():
    import os, signal
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(30)
print('{"assistant_output": "72F"}')
"""


def played() -> list[str]:
    return Path("asked.txt").read_text().split()


@pytest.mark.slow
def test_an_interrupted_loop_is_gone_on_with(tmp_path: Path) -> None:
    cases = [{"case_id": one, "input": "weather?", "regex_patterns": ["72F"]} for one in "abc"]
    suite_of(Path("s.json"), *cases)
    Path("adapter.py").write_text(f"import json, sys, time\nasked = json.load(sys.stdin)\n{COUNTS}")
    command = shlex.join([sys.executable, "adapter.py"])
    argv = ["run-loop", "--suite", "s.json", "--out", "out", "--propose-command", command]
    again = [sys.executable, "-m", "evaltui", *argv, "--max-repairs", "0", "--resume"]
    broken = subprocess.run(again, check=False, capture_output=True)
    assert broken.returncode != 0 and not Path("out").exists()
    assert played() == ["a", "b"]
    Path("go").touch()
    assert subprocess.run(again, check=False, capture_output=True).returncode == 0
    assert played() == ["a", "b", "b", "c"], "what was played is not asked again"
    assert read(Path("out/run/summary.json"))["pass_rate"] == 1
    assert not [*tmp_path.glob(".out.*")]
    assert subprocess.run(again, check=False, capture_output=True).returncode == 2
    assert len(played()) == 4, "a run that came to its end leaves nothing to go on with"


@pytest.mark.parametrize("claims", [False, True])
def test_what_is_gone_on_with_is_judged_again(claims: bool, monkeypatch: Any) -> None:
    """Whatever the kept file says of verdicts, and of what the case asks for."""
    close = KeptLoops.close
    monkeypatch.setattr(KeptLoops, "close", lambda self, **_: close(self, is_whole=False))
    code = "open('asked.txt', 'a').write('c ')\nprint('no idea')"
    assert not loop(code, "--max-repairs", "0")["passed"]
    place = Path(".out.loop.jsonl")
    row = json.loads(place.read_text().strip())
    row["case"] |= {"regex_patterns": [], "policy": {}, "tool_contracts": {}}
    row["case"] |= {"expected_output": None}
    row["case"]["metadata"]["loop_passed"] = claims
    row["verdicts"] = [{"check": "regex", "status": "passed"}]
    place.write_text(json.dumps(row))
    assert not loop(code, "--max-repairs", "0", "--resume")["passed"]
    assert played() == (["c", "c"] if claims else ["c"])


def test_a_run_that_is_finished_is_not_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    code = f"open('asked.txt', 'a').write('c ')\nprint({GOOD!r})"
    loop(code, "--run-id", "first", "--resume")
    argv = ["run-loop", "--suite", "s.json", "--out", "out", "--resume"]
    argv += ["--propose-command", shlex.join([sys.executable, "adapter.py"])]
    assert run_command([*argv, "--run-id", "first"]) == run_command(argv) == 2
    assert "is complete, so there is nothing to continue" in capsys.readouterr().err
    assert played() == ["c"]
    loop(code, "--run-id", "second", "--resume")
    assert played() == ["c", "c"], "another run is none that was finished"


def test_other_programs_or_judges_are_asked_anew() -> None:
    case = read_case("d", {"case_id": "a"}, 0)
    first = KeptLoops(Path("out"), {"propose_command": "x"}, resumes=False)
    played = read_case("d", {"case_id": "a", "metadata": {"loop_passed": False}}, 0)
    first.add(case, played)
    first.close(is_whole=False)
    with Path(".out.loop.jsonl").open("ab") as file:
        file.write(b'\n{"key": "half')
    same = KeptLoops(Path("out"), {"propose_command": "x"}, resumes=True)
    assert same.get(case) == played
    assert same.get(read_case("d", {"case_id": "a", "input": 1}, 0)) is None
    same.close(is_whole=False)
    other = KeptLoops(Path("out"), {"propose_command": "y"}, resumes=True)
    assert other.get(case) is None
    other.close(is_whole=False)
    anew = KeptLoops(Path("out"), {"propose_command": "x"}, resumes=False)
    assert anew.get(case) is None
    anew.close(is_whole=True)
    assert not Path(".out.loop.jsonl").exists()


@pytest.mark.parametrize("resumes", [True, False])
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_nothing_is_written_through_what_stands_in_their_place(
    tmp_path: Path, kind: str, resumes: bool
) -> None:
    place, mine = tmp_path / ".out.loop.jsonl", tmp_path / "mine.txt"
    mine.write_text("keep")
    place.symlink_to(mine) if kind == "link" else os.mkfifo(place)
    with pytest.raises(OSError, match=place.name):
        KeptLoops(Path("out"), {}, resumes=resumes)
    assert mine.read_text() == "keep"


def test_another_text_of_a_program_is_asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Kept(KeptLoops):
        def __init__(self, out: Path, told: Any, *, resumes: bool) -> None:
            asked.append(told["programs"])
            super().__init__(out, told, resumes=resumes)

    monkeypatch.setattr("evaltui.evidence.kept_loops.KeptLoops", Kept)
    for text in (f"print({GOOD!r})", f"print({GOOD!r})", f"print( {GOOD!r})"):
        loop(text)
    assert asked[0] == asked[1] != asked[2]


def test_progress_is_told_on_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loop(f"print({GOOD!r})")
    assert "1/1" not in capsys.readouterr().err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    loop(f"print({GOOD!r})")
    assert "1/1 cases" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["replay", "replay-exec"])
def test_what_was_typed_in_one_folder_runs_in_no_other(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """The same words name the program of whoever made the other folder."""
    monkeypatch.delenv("EVALTUI_TRUST")
    (here / "chk.py").write_text("print('{}')")
    judged = {"lean": {"command": [sys.executable, "chk.py"]}}
    (here / "j.json").write_text(json.dumps(judged))
    lean = ["--judge", "lean", "--judge-config", "j.json", "--trust"]
    loop(f"print({GOOD!r})", *(lean if command == "replay" else ()))
    assert run_command([command, "--run", "out"]) != 2
    assert "nobody here agreed" not in capsys.readouterr().err
    other = here / "other"
    other.mkdir()
    for name in ("adapter.py", "chk.py"):
        (other / name).write_text("open('ran', 'w')")
    monkeypatch.chdir(other)
    assert run_command([command, "--run", "../out"]) != 0
    assert "nobody here agreed" in capsys.readouterr().err
    assert not (other / "ran").exists()
