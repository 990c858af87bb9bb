"""`evaltui adapter-conformance` and `contracts-check`: reports, exit codes, what fails."""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.trace import Event
from evaltui.traces.importers import PROVIDERS

FIXTURES = Path(__file__).parent.parent / "fixtures"
CHAT = {"messages": [{"role": "user", "content": "a"}]}


class Check:
    """The commands on a folder of exports of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.adapters = folder / "adapters"
        self.older = folder / "older"
        shutil.copytree(FIXTURES / "adapters", self.adapters)
        shutil.copytree(FIXTURES / "schema_backcompat", self.older)
        self._capsys = capsys

    def put(self, name: str, record: Any) -> None:
        (self.adapters / name).write_text(json.dumps(record))

    def run(self, *flags: str) -> tuple[int, Mapping[str, Any]]:
        """Exit code and report of `adapter-conformance`."""
        code = run_command(["adapter-conformance", "--fixtures-dir", str(self.adapters), *flags])
        return code, json.loads(self._capsys.readouterr().out)

    def run_all(self, *flags: str) -> tuple[int, Mapping[str, Any]]:
        """Exit code and report of `contracts-check`."""
        older, adapters = str(self.older), str(self.adapters)
        folders = ["--schema-fixtures-dir", older, "--adapter-fixtures-dir", adapters]
        code = run_command(["contracts-check", *folders, *flags])
        return code, json.loads(self._capsys.readouterr().out)


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    return Check(tmp_path, capsys)


def test_our_own_exports_conform(check: Check, tmp_path: Path) -> None:
    code, report = check.run("--out", str(tmp_path / "report.json"))
    assert (code, report["passed"], report["failures"]) == (0, True, [])
    assert report["providers"].keys() == PROVIDERS.keys()
    openai = report["providers"]["openai"]
    counted = ("fixtures_total", "fixtures_passed", "fixtures_failed", "diagnostics_total")
    assert [openai[name] for name in counted] == [2, 2, 0, 0]
    assert all(openai["event_type_coverage"].values())
    for one in report["fixture_reports"]:
        assert one["detected_as"] == [one["provider"]]
    assert json.loads((tmp_path / "report.json").read_bytes()) == report


def test_too_few_are_a_failure(check: Check) -> None:
    (check.adapters / "vertex_predictions.json").unlink()
    code, report = check.run()
    assert code == 1
    kind = "insufficient_fixtures"
    assert report["failures"] == [{"provider": "vertex", "type": kind, "required": 2, "actual": 1}]
    assert check.run("--min-fixtures-per-provider", "1")[0] == 0


def test_only_what_the_folder_must_have_is_asked_for(check: Check) -> None:
    for path in check.adapters.glob("otlp_*"):
        path.unlink()
    code, report = check.run()
    assert (code, "otlp" in report["providers"]) == (0, False)


def test_what_is_left_out_fails_unless_that_is_allowed(check: Check) -> None:
    check.put("openai_more.json", {**CHAT, "colour": 1})
    code, report = check.run()
    (failure,) = report["failures"]
    assert (code, failure["type"], failure["count"]) == (1, "failing_fixtures", 1)
    assert "colour" in failure["errors"][0]
    assert check.run("--no-strict-import")[0] == 0


@pytest.mark.parametrize("record", [{}, {"messages": []}, 3])
def test_an_export_without_a_case_fails_always(record: Any, check: Check) -> None:
    check.put("openai_more.json", record)
    assert check.run("--no-strict-import")[0] == 1


def test_files_of_nobody_are_left_aside(check: Check) -> None:
    check.put("oracle.json", {})
    (check.adapters / "openai.txt").write_text("{")
    assert check.run()[0] == 0


def test_a_folder_that_is_not_there_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["adapter-conformance", "--fixtures-dir", "nowhere"]) == 1
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "file_not_found"


def test_both_contracts_hold(check: Check) -> None:
    code, report = check.run_all()
    assert (code, report["failures"]) == (0, [])
    assert len(report["schema_backcompat"]["fixture_reports"]) == 2
    assert report["adapter_conformance"]["passed"]


@pytest.mark.parametrize("text", ["{", '{"cases": [{"input": 1}]}', "[]"])
def test_an_older_suite_that_cannot_be_read_fails(text: str, check: Check) -> None:
    (check.older / "bad.json").write_text(text)
    code, report = check.run_all()
    (failure,) = report["failures"]
    assert (code, failure["contract"], failure["fixture"]) == (1, "schema_backcompat", "bad.json")


def test_a_folder_without_older_suites_shows_nothing(check: Check) -> None:
    for path in check.older.iterdir():
        path.unlink()
    assert check.run_all()[0] == 1
    assert not check.run_all()[1]["schema_backcompat"]["passed"]


def test_on_a_terminal_each_provider_has_a_line(
    check: Check, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    (check.adapters / "vertex_predictions.json").unlink()
    run_command(["adapter-conformance", "--fixtures-dir", str(check.adapters)])
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "anthropic  passed  2 of 2 exports"
    assert said[-3:-1] == [
        "vertex     failed  1 of 1 exports",
        "  1 exports, but 2 are required",
    ]
    assert said[-1] == f"{check.adapters}: failed"


def test_a_trace_that_cannot_be_replayed_fails(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    def issues(trace: Sequence[Event]) -> tuple[str, ...]:
        return ("idx 0 where 4 was expected",) if trace[0].input == "Name a river." else ()

    monkeypatch.setattr("evaltui.traces.importers.conformance.replay_issues", issues)
    code, report = check.run()
    assert (code, report["providers"]["vertex"]["fixtures_failed"]) == (1, 1)
    assert "idx 0 where 4 was expected" in report["failures"][0]["errors"][0]


@pytest.mark.slow
def test_the_script_holds_all_contracts() -> None:
    script = FIXTURES.parent.parent / "scripts" / "check_contracts.sh"
    done = subprocess.run([script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    *suites, contracts = map(json.loads, done.stdout.splitlines())
    assert len(suites) >= 2
    assert all(one["passed"] for one in (*suites, contracts))


def test_a_folder_without_exports_shows_nothing(tmp_path: Path, check: Check) -> None:
    check.adapters = tmp_path / "empty"
    check.adapters.mkdir()
    flags = ("--min-fixtures-per-provider", "0")
    code, report = check.run(*flags)
    assert (code, report["passed"]) == (1, False)
    assert [one["type"] for one in report["failures"]] == ["no_fixtures"]
    check.put("openai_chat.json", CHAT)
    assert check.run(*flags)[1]["providers"]["openai"]["fixtures_total"] == 1
    assert run_command(["adapter-conformance", "--min-fixtures-per-provider", "-1"]) == 2
