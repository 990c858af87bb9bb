"""The sample project: what demo, pictures and end-to-end tests rely on."""

import asyncio
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.embedded.model import VERSION
from evaltui.core.case import Tier
from evaltui.core.result import CaseStatus
from evaltui.core.suite_result import SuiteResult
from evaltui.project import Project, project_problems, read_project
from evaltui.session import Session
from evaltui.settings.load import load_config
from evaltui.store.board import Board
from tests.sample_project import SAMPLES, copy_samples

BASELINES = SAMPLES / "evals" / "baselines"
OUTDATED = "evals/track_parcel.golden.json"
"""Written for another description of its tool, to show what that looks like."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_samples(tmp_path_factory.mktemp("samples") / "project")


@pytest.fixture(scope="module")
def project(root: Path) -> Project:
    return read_project(load_config(root).config, None, None)


@dataclass(frozen=True)
class Ran:
    """What a run of everything left: result files, and the board."""

    suites: tuple[SuiteResult, ...]
    board: Board

    @property
    def notes(self) -> list[str]:
        """What the agent itself warned of."""
        rows = self.board.rows.values()
        responses = [row.result.response for row in rows if row.result]
        return [note for response in responses if response for note in response.notes]


@pytest.fixture(scope="module")
def ran(root: Path) -> Ran:
    async def run() -> Ran:
        session = Session(load_config(root).config)
        try:
            await session.open(is_strict=True)
            keys = [case.key for suite in session.store.suites for case in suite.cases]
            (finished,) = await session.run(keys)
            return Ran(finished.suites, session.store.board(session.agents[0]))
        finally:
            await session.close()

    return asyncio.run(run())


def test_there_are_enough_tools_in_two_domains(project: Project) -> None:
    tools = project.registry.tools.values()
    assert len(tools) >= 14
    by_category = {
        tool.category: [t for t in tools if t.category == tool.category] for tool in tools
    }
    assert len(by_category) == 2
    assert all(len(members) >= 5 for members in by_category.values())


def test_they_are_read_in_full_through_a_barrel(project: Project, root: Path) -> None:
    barrel = root / "tools" / "tools.exports.ts"
    assert len(re.findall(r"^export \{", barrel.read_text(), re.MULTILINE)) == len(
        project.registry.tools
    )
    for tool in project.registry:
        assert tool.unresolved == ()
        assert tool.description
        assert tool.version
        assert tool.parameters
        assert tool.file.endswith(".tool.ts")
        assert tool.line > 0


def test_constants_of_another_file_take_part(project: Project) -> None:
    shared = {file for tool in project.registry for file in tool.depends_on if "words" in file}
    assert len(shared) == 2


def test_every_kind_of_eval_file_is_there(project: Project) -> None:
    tiers = {suite.tier for suite in project.suites}
    assert tiers == set(Tier)
    cases = [case for suite in project.suites for case in suite.cases]
    assert len(cases) >= 40
    assert {case.body.difficulty for case in cases} >= {"straightforward", "ambiguous", "edge"}
    assert all(case.stubs is not None for case in cases if case.tier is Tier.GOLDEN)


def test_seed_and_snapshot_tokens_are_used(root: Path) -> None:
    text = "".join(path.read_text() for path in sorted((root / "evals").glob("*.json")))
    assert "{{seed:" in text
    assert "{{snapshot:" in text
    assert json.loads((root / "evals" / "seed-manifest.json").read_text())


def test_nothing_in_it_is_a_mistake_or_lint(project: Project) -> None:
    """But for the suite that is outdated on purpose."""
    assert [one.file for one in project_problems(project)] == [OUTDATED]


def test_check_says_so_too_and_names_the_outdated_suite(root: Path) -> None:
    command = [sys.executable, "-m", "evaltui", "check", "-C", str(root)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stdout.splitlines() if line.startswith("⚠")]
    assert [line.split()[2].split(":")[0] for line in warnings] == [OUTDATED]
    assert done.stdout.rstrip().endswith("0 errors, 0 warnings, 0 lint findings, 1 outdated")


def test_one_suite_was_written_for_another_description(ran: Ran) -> None:
    stale = [suite for suite in ran.suites if suite.stale]
    assert [suite.suite for suite in stale] == [OUTDATED]
    assert any("description hash" in warning for warning in stale[0].staleness_warnings)


def test_two_tools_overlap(ran: Ran) -> None:
    overlaps = [note for note in ran.notes if "overlap" in note]
    assert any("`find_order`" in note and "`track_parcel`" in note for note in overlaps)


def test_some_cases_fail_and_most_pass(ran: Ran) -> None:
    statuses = [row.result.status for row in ran.board.rows.values() if row.result]
    assert len(statuses) == len(ran.board.rows)
    assert CaseStatus.ERROR not in statuses
    assert 3 <= statuses.count(CaseStatus.FAILED) <= len(statuses) // 3
    assert statuses.count(CaseStatus.PASSED) > len(statuses) // 2


def test_no_failure_is_without_a_reason(ran: Ran) -> None:
    for row in ran.board.rows.values():
        assert row.result is not None
        if row.result.status is CaseStatus.FAILED:
            assert row.result.error, row.key


def test_a_baseline_is_pinned() -> None:
    pins: dict[str, Any] = json.loads((BASELINES / "pins.json").read_text())
    assert pins["pins"]
    for pin in pins["pins"]:
        assert pin["agent"] == f"embedded/{VERSION}"
        assert (BASELINES / pin["file"]).is_file()


def test_nothing_regressed_against_it(ran: Ran) -> None:
    assert ran.board.standards.baselines, "nothing is pinned"
    assert [row.key.case for row in ran.board.rows.values() if row.regressed] == []


def test_its_files_name_no_machine() -> None:
    for path in SAMPLES.rglob("*"):
        is_ours = path.is_file() and not {".evaltui", "results"} & set(path.parts)
        if is_ours:
            assert not re.search(r"/(?:tmp|home|Users|root|work)/", path.read_text()), path.name
