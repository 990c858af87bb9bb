"""A new assertion: one class and one registration, and everybody who asks knows of it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from evaltui.core.check import Check, CheckContext
from evaltui.core.config import Config
from evaltui.core.inputs import Inputs
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, due_reasons
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.evidence.asserted import asserted_of
from evaltui.evidence.case_row import MULTISET
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.assertion import (
    Assertion,
    Differences,
    NamedTools,
    Shows,
    WantedCalls,
    Written,
)
from evaltui.expectations.call_diff import CallState
from evaltui.expectations.coverage import cover
from evaltui.expectations.doubts import Finding
from evaltui.expectations.expected_diff import diff_expected
from evaltui.expectations.mentions import seed_paths
from evaltui.expectations.read_value import kind_of
from evaltui.expectations.verdicts import Invalid, failed, passed
from evaltui.formats.contract_model import EvalCase
from evaltui.formats.editing import accept_calls
from evaltui.project import Project, project_problems, read_project
from tests.expectations.judging import calls, judge_one, make_case
from tests.projects import MUSIC, make_project, with_description, write_suite, write_tools

KEY = "firstTool"


class FirstTool(Assertion, frozen=True):
    """This tool is called before any other."""

    name: ClassVar[str] = KEY
    schema: ClassVar[JsonObject] = {"type": "string"}
    shows: ClassVar[Shows] = Shows.ROUTING
    is_for_labeled: ClassVar[bool] = True
    chooses_calls: ClassVar[bool] = True
    is_in_diff: ClassVar[bool] = True
    replaces_tokens_in: ClassVar[str] = KEY

    tool: str

    @classmethod
    def read(cls, written: Written) -> Iterator[Check]:
        if isinstance(written.value, str):
            yield cls(written.value)
        else:
            what = f"expected a tool's name but it is {kind_of(written.value)}"
            yield Invalid(KEY, KEY, what, "Name it.", KEY)

    def run(self, context: CheckContext) -> Verdict:
        names = [call.name for call in context.response.tool_calls]
        first = names[0] if names else "nothing"
        judged = passed if first == self.tool else failed
        return judged(self, f"{first} was called first", self.tool, first)

    @classmethod
    def tools(cls, value: Json) -> NamedTools:
        return NamedTools(wanted=(str(value),))

    @classmethod
    def texts(cls, value: Json) -> Iterator[tuple[str, str]]:
        yield KEY, str(value)

    @classmethod
    def doubts(cls, written: Written) -> Iterator[Finding]:
        if str(written.value).isupper():
            yield Finding(f"expect.{KEY}", "it shouts", "Write it small.", "shouting")

    @classmethod
    def differences(
        cls, written: Written, calls: Sequence[ToolCall], verdicts: Sequence[Verdict]
    ) -> Differences:
        return Differences(wanted=WantedCalls((str(written.value),), is_ordered=True))

    @classmethod
    def accepted(cls, value: Json, calls: Sequence[ToolCall]) -> Json:
        return calls[0].name if calls else value


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ASSERTIONS, KEY, FirstTool)


async def test_it_judges() -> None:
    good = await judge_one({KEY: "a"}, "x", *calls("a", "b"))
    assert (good.check, good.status) == (KEY, VerdictStatus.PASSED)
    bad = await judge_one({KEY: "a"}, "x", *calls("b", "a"))
    assert (bad.status, bad.reason) == (VerdictStatus.FAILED, "firstTool: b was called first")


def test_the_comparison_of_calls_shows_it() -> None:
    diff = diff_expected(make_case({KEY: "a"}), calls("b"))
    assert [(row.name, row.state) for row in diff.calls] == [
        ("a", CallState.MISSING),
        ("b", CallState.UNEXPECTED),
    ]


def test_the_schema_has_it() -> None:
    expect, _ = EvalCase.model_json_schema()["properties"]["expect"]["anyOf"]
    assert expect["properties"][KEY] == {"type": "string"}


def test_accepting_an_answer_writes_it_and_nothing_else() -> None:
    content = json.dumps({"cases": [{"id": "c", "expect": {KEY: "a"}}]}).encode()
    edit = accept_calls(Path("x.json"), content, "c", calls("b", "a"))
    assert json.loads(edit.after)["cases"][0]["expect"] == {KEY: "b"}


def test_its_tokens_are_seed_values_that_the_case_depends_on() -> None:
    assert seed_paths(make_case({KEY: "{{seed:tool}}"})) == ("tool",)


def project_with(root: Path, tool: str) -> Project:
    make_project(root)
    case = {"id": "gs-x-001", "input": {"message": "?"}, "expect": {KEY: tool}}
    write_suite(root, "play_music", [*MUSIC, case])
    return read_project(Config(root))


def findings(project: Project) -> set[tuple[str, str]]:
    found = project_problems(project)
    return {(problem.code, problem.key) for problem in found if problem.case == "gs-x-001"}


def test_lint_knows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, key = project_with(tmp_path, "FIND"), f"cases[1].expect.{KEY}"
    known = findings(project)
    assert known >= {("shouting", key), ("tier-field", key)}
    assert ("unknown-key", key) not in known
    monkeypatch.delitem(ASSERTIONS, KEY)
    project = project_with(tmp_path, "FIND")  # a file is looked at once
    assert findings(project) == {("unknown-key", key), ("nothing-asserted", "cases[1].expect")}


def test_coverage_and_staleness_know_the_tools_that_it_names(tmp_path: Path) -> None:
    before = project_with(tmp_path, "find_order")
    (entry,) = [
        entry for entry in cover(before.registry, before.suites) if entry.tool == "find_order"
    ]
    assert "gs-x-001" in {key.case for key in entry.expecting}
    write_tools(tmp_path, with_description("find_order", "Another description."))
    after = read_project(Config(tmp_path), previous=before)
    stale: dict[str, Any] = {}
    for suite in after.suites:
        for case in suite.cases:
            then, now = (
                project.inputs(case, suite, agent_fingerprint="a") for project in (before, after)
            )
            result = CaseResult(case.key, "run", "a", CaseStatus.PASSED, inputs=then)
            stale[case.id] = due_reasons(result, now)
    assert stale["gs-play-music-001"] == (
        Degree.POSSIBLY,
        ("another tool in the registry changed",),
    )
    degree, (reason,) = stale["gs-x-001"]
    assert degree is Degree.AFFECTED
    assert reason.startswith("find_order")


@pytest.mark.parametrize("may_count", [True, False])
def test_evidence_tells_of_the_multiset_rule_where_it_hangs_on_that(
    may_count: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FirstTool, "may_count_repeats", may_count)
    case, inputs = make_case({KEY: "a"}), Inputs(checks={"multiset_tools": "on"})
    result = CaseResult(case.key, "r", "a", CaseStatus.PASSED, inputs=inputs)
    assert (MULTISET in asserted_of(case, result)) is may_count
