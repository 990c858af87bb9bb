"""The commands that Agent Eval Suite documents, with our name in the place of its own."""

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evidence.made_packs import EXAMPLES, read

FIXTURES = Path(__file__).parent.parent / "fixtures"
ADAPTER = """
import json, sys
asked = json.load(sys.stdin)
assert asked["mode"] == "propose" and asked["attempt"] == 0
call = {"tool": "search_weather", "arguments": {"city": "San Francisco"}}
print(json.dumps({"assistant_output": "It is 72F and sunny", "tool_calls": [call]}))
"""
STEPS: tuple[tuple[str, int], ...] = (
    ("init --out .", 0),
    ("run --suite examples/suite_good.json --out runs/baseline --run-id baseline-1", 0),
    ("run --suite examples/suite_bad.json --out runs/candidate --run-id candidate-1", 0),
    (
        "compare --baseline runs/baseline --candidate runs/candidate "
        "--out runs/candidate/compare/baseline_delta.json",
        0,
    ),
    (
        "gate --compare runs/candidate/compare/baseline_delta.json --min-pass-rate 0.95 "
        "--max-hard-fail-increase 0.00",
        1,
    ),
    ("registry dataset-add --suite suites/starter_suite.json --dataset-id starter-suite", 0),
    ("registry baseline-set --name main --run runs/baseline", 0),
    ("compare --baseline main --candidate runs/candidate", 0),
    (
        "run-loop --suite suites/starter_suite.json --out runs/loop "
        "--propose-command 'python my_agent_adapter.py' --max-repairs 2",
        0,
    ),
    ("replay --run runs/candidate --out runs/candidate/compare/replay_report.json", 0),
    ("replay-exec --run runs/loop --out runs/loop/compare/replay_exec_report.json", 0),
    (
        "import-trace --provider auto --input exports/provider_dump.json "
        "--out suites/imported.json --dataset-id imported-suite",
        0,
    ),
    (
        "adapter-conformance --fixtures-dir tests/fixtures/adapters --min-fixtures-per-provider 2",
        0,
    ),
    ("export-otel --run runs/candidate --out runs/candidate/otel_events.jsonl", 0),
    ("schema validate --input suites/starter_suite.json --strict --require-version 1.0.0", 0),
    ("schema migrate --input legacy_suite.json --output suites/migrated_suite.json", 0),
    (
        "contracts-check --schema-fixtures-dir tests/fixtures/schema_backcompat "
        "--adapter-fixtures-dir tests/fixtures/adapters --min-fixtures-per-provider 2",
        0,
    ),
    (
        "report markdown --compare runs/candidate/compare/baseline_delta.json "
        "--gate runs/candidate/compare/gate_decision.json "
        "--replay runs/candidate/compare/replay_report.json "
        '--out runs/candidate/compare/report.md --title "Release Eval Report"',
        0,
    ),
)
"""Each with its exit code."""


@pytest.mark.slow
def test_they_end_as_documented(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    shutil.copytree(EXAMPLES, "examples")
    shutil.copytree(FIXTURES, "tests/fixtures")
    Path("my_agent_adapter.py").write_text(ADAPTER)
    Path("exports").mkdir()
    shutil.copy(FIXTURES / "adapters" / "openai_chat.json", "exports/provider_dump.json")
    shutil.copy(FIXTURES / "schema_backcompat" / "suite_0_1_0.json", "legacy_suite.json")
    for command, code in STEPS:
        capsys.readouterr()
        assert run_command(shlex.split(command)) == code, (command, capsys.readouterr().err)
        said = capsys.readouterr()
        assert len(said.out.splitlines()) == 1 and isinstance(json.loads(said.out), dict), command
        assert said.err == ""
    delta = read(Path("runs/candidate/compare/baseline_delta.json"))
    told = ("overview", "top_regressed_judges", "failure_clusters", "case_regressions")
    assert all(delta[name] for name in told)
    assert read(Path("runs/loop/run/summary.json"))["pass_rate"] == 1
    page = Path("runs/candidate/compare/report.md").read_text()
    assert page.startswith("# Release Eval Report\n")
    assert list(read(Path(".agent_eval/registry.json"))["baselines"]) == ["main"]
    for name in ("manifest.json", "run/config.json", "run/summary.json", "run/events.jsonl"):
        assert Path("runs/candidate", name).is_file()
