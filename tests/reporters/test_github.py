"""Annotations at the line of the case; no text starts a workflow command of its own."""

import io
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.result import CaseStatus
from evaltui.core.suite import EvalMetadata
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.expectations.outdated import outdated
from evaltui.reporters.github import GithubReporter
from tests.reporters.scene import events, result, suite, tell


def annotations(*args: object, **more: object) -> list[str]:
    out = io.StringIO()
    tell(GithubReporter(out), events(*args, **more))  # type: ignore[arg-type]
    return out.getvalue().splitlines()


def test_each_failing_case_of_this_run_is_marked_at_its_line() -> None:
    one = suite("a", ["f", "e", "p", "r", "old"])
    results = [
        result(one, "f", CaseStatus.FAILED),
        result(one, "e", CaseStatus.ERROR),
        result(one, "p"),
        result(one, "r", CaseStatus.FAILED),
        result(one, "old", CaseStatus.FAILED, carried_from="run-0"),
    ]
    place = "file=evals/a.golden.json,line="
    assert annotations(
        [one], results, regressions=("r",), staleness_warnings=("Evals for a generated",)
    ) == [
        f"::error {place}10,title=Failed%3A f::why f",
        f"::warning {place}11,title=Error%3A e::why e",
        f"::error {place}13,title=Regression%3A r::why r",
        "::warning file=evals/a.golden.json,title=Outdated evals::Evals for a generated",
    ]


def test_several_agents_are_told_apart_and_what_is_of_the_file_is_said_once() -> None:
    one, out = suite("a", ["f"]), io.StringIO()
    reporter = GithubReporter(out)
    for agent in ("mine", "other"):
        results = [result(one, "f", CaseStatus.FAILED, agent=agent)]
        warnings = ("Evals for a generated",)
        for event in events([one], results, agent=agent, staleness_warnings=warnings):
            reporter.handle(event)
    reporter.close()
    place = "file=evals/a.golden.json,line=10"
    assert out.getvalue().splitlines() == [
        f"::error {place},title=Failed%3A f · mine::why f",
        f"::error {place},title=Failed%3A f · other::why f",
        "::warning file=evals/a.golden.json,title=Outdated evals::Evals for a generated",
    ]


def test_what_a_case_says_cannot_end_its_line_or_property() -> None:
    hostile = "100%\r\n::set-env name=X::y,z"
    one = suite("a", [hostile])
    (line,) = annotations([one], [result(one, hostile, CaseStatus.FAILED, error=hostile)])
    assert line.startswith("::error ")
    assert line.endswith("::100%25%0A::set-env name=X::y,z")
    assert "title=Failed%3A 100%25%0A%3A%3Aset-env name=X%3A%3Ay%2Cz::" in line


def test_the_job_summary_is_appended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    one = suite("a", ["p"])
    assert annotations([one], [result(one, "p")]) == []
    assert summary.read_text().startswith("before\n## 1/1 evals passed")


def test_a_muted_failure_or_error_is_a_notice() -> None:
    one = suite("a", ["f", "e", "p"])
    results = [
        result(one, "f", CaseStatus.FAILED),
        result(one, "e", CaseStatus.ERROR),
        result(one, "p"),
    ]
    place = "file=evals/a.golden.json,line="
    mutes = {str(case.key): "until\nMay" for case in one.cases}
    assert annotations([one], results, mutes=mutes, regressions=("f",)) == [
        f"::notice {place}10,title=Muted%3A f::why f [muted: until%0AMay]",
        f"::notice {place}11,title=Muted%3A e::why e [muted: until%0AMay]",
    ]


@pytest.mark.parametrize(
    ("metadata", "tool", "title"),
    [
        ({"description_hash": "0" * 12}, {}, "Outdated evals"),
        ({}, {}, "Staleness not checked"),
        ({"tool_name": "gone"}, {}, "Staleness not checked"),
        ({"registry_size": 0}, {}, "Registry has grown"),
        ({"tool_version": "1.0.0"}, {"version": "2.0.0"}, "Another version of the tool"),
        ({"tool_version": "1.0.0"}, {}, "Version not checked"),
    ],
)
def test_a_warning_is_titled_by_its_kind(
    metadata: dict[str, Any], tool: dict[str, Any], title: str
) -> None:
    definition = ToolDefinition("Tool not checked", "What it does.", **tool)
    known: dict[str, Any] = {"tool_name": definition.name, **metadata}
    if "description_hash" not in metadata and title != "Staleness not checked":
        known["description_hash"] = definition.description_hash
    one = suite("a", ["p"])
    about = replace(one, metadata=EvalMetadata(**known))
    warnings = outdated(about, ToolRegistry({definition.name: definition})).warnings
    assert len(warnings) == 1
    (line,) = annotations([one], [result(one, "p")], staleness_warnings=warnings)
    assert f",title={title}::{warnings[0]}" in line
