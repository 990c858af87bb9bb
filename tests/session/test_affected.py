"""What an agent is told decides which inputs its answer depends on."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace

from evaltui.agents import make_agent
from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.config import AgentProfile, Config, JudgeConfig
from evaltui.core.inputs import Inputs
from evaltui.core.json_value import Json
from evaltui.core.result import LATE, CaseResult, CaseStatus
from evaltui.core.staleness import ANOTHER_TOOL as ANOTHER_TOOL_CHANGED
from evaltui.core.staleness import CASE_CHANGED, Degree
from evaltui.kinds import settled
from evaltui.project import Project, read_project
from evaltui.session.affected import affected_between, compare, due_case, is_touched
from evaltui.session.inputs_of import InputsOf
from evaltui.settings.load import load_config
from evaltui.store.row import Row
from tests.projects import ORDERS, TOOLS, make_project, with_description, write_suite, write_tools

RUBRIC = [{"dimension": "tone", "maxScore": 5, "criteria": "kind"}]


class Usual(Agent):
    name, fingerprint = "usual", "f"


class SeesExpectations(Usual):
    traits = AgentTraits(sees_expectations=True)


class Repairs(Usual):
    traits = AgentTraits(max_repairs=2)


def inputs(root: Path, agent: Agent, trials: int | None = None) -> Inputs:
    project = read_project(Config(root))
    suite = project.suites[0]
    return InputsOf(project, agent, trials)(suite.cases[0], suite)


def test_answers_depend_on_all_of_a_case_where_expectations_are_told(tmp_path: Path) -> None:
    make_project(tmp_path)
    usual, told = inputs(tmp_path, Usual()), inputs(tmp_path, SeesExpectations())
    assert usual.answer not in ("", usual.case)
    assert told.answer == told.case
    assert inputs(tmp_path, Repairs()).answer == "", "verdicts are told: judging again is asking"


def test_the_trials_that_were_asked_for_count(tmp_path: Path) -> None:
    make_project(tmp_path)
    assert inputs(tmp_path, Usual()).settings["trials"] == 1
    assert inputs(tmp_path, Usual(), 5).settings["trials"] == 5


class Reads(Usual):
    traits = AgentTraits(reads_registry=True)


EXPECTS_SEED = {
    **ORDERS[0]["expect"],
    "responseContains": ["{{seed:where}}"],
    "toolParams": {"find_order": {"count": 1}},
}
ANOTHER_TOOL = {"toolsCalled": ["play_music"]}
WAITING = CaseKey("evals/find_order.golden.json", "gs-find-order-001")


@pytest.fixture
def seeded(tmp_path: Path) -> Project:
    """With a case whose verdict depends on a seed value."""
    make_project(tmp_path)
    write_suite(tmp_path, "find_order", ({**ORDERS[0], "expect": EXPECTS_SEED}, ORDERS[1]))
    (tmp_path / "evals" / "seed-manifest.json").write_text('{"where": "here"}')
    return read_project(load_config(tmp_path, {}).config)


def read_again(before: Project) -> Project:
    root = before.config.root
    paths = [*(root / "evals").iterdir(), root / "tools.json"]
    return read_project(load_config(root, {}).config, before, paths)


def change_seed(root: Path) -> None:
    (root / "evals" / "seed-manifest.json").write_text('{"where": "there"}')


def change_check(root: Path) -> None:
    write_suite(root, "find_order", ORDERS)


def expect_another_tool(root: Path) -> None:
    write_suite(root, "find_order", ({**ORDERS[0], "expect": ANOTHER_TOOL}, ORDERS[1]))


def change_rules(root: Path) -> None:
    (root / "evaltui.toml").write_text("multiset_tools = false\n")


def change_message(root: Path) -> None:
    asked = {**ORDERS[0], "expect": EXPECTS_SEED, "input": {"message": "Show order SO-9"}}
    write_suite(root, "find_order", (asked, ORDERS[1]))


def change_the_other(root: Path) -> None:
    other = {**ORDERS[1], "input": {"message": "Show order SO-9"}}
    write_suite(root, "find_order", ({**ORDERS[0], "expect": EXPECTS_SEED}, other))


def take_away(root: Path) -> None:
    write_suite(root, "find_order", ORDERS[1:])


def move(root: Path) -> None:
    path = root / "evals" / "find_order.golden.json"
    path.write_text("\n\n" + path.read_text())


def expect_true(root: Path) -> None:
    """Where a 1 was: equal in Python, and another value in JSON."""
    path = root / "evals" / "find_order.golden.json"
    path.write_text(path.read_text().replace('"count": 1', '"count": true'))


def name_another_tool(root: Path) -> None:
    """In the metadata of the file: no case of it says anything else."""
    path = root / "evals" / "find_order.golden.json"
    path.write_text(
        path.read_text().replace('"toolName": "find_order"', '"toolName": "play_music"')
    )


def change_tool(root: Path) -> None:
    write_tools(root, with_description("find_order", "Finds an order."))


@pytest.mark.parametrize(
    ("change", "agent", "is_asked_otherwise"),
    [
        (change_seed, Usual(), False),
        (change_check, Usual(), False),
        (expect_another_tool, Usual(), False),
        (change_rules, Usual(), False),
        (change_check, SeesExpectations(), True),
        (change_check, Repairs(), True),
        (change_message, Usual(), True),
        (change_the_other, Usual(), False),
        (take_away, Usual(), True),
        (change_tool, Reads(), True),
        (change_tool, Usual(), True),
    ],
    ids=lambda one: getattr(one, "__name__", None) or type(one).__name__,
)
def test_a_waiting_case_is_touched_by_what_changes_its_answer_and_not_its_verdict(
    seeded: Project, change: Callable[[Path], None], agent: Agent, is_asked_otherwise: bool
) -> None:
    change(seeded.config.root)
    now = read_again(seeded)
    assert is_touched({WAITING}, seeded, now, agent) is is_asked_otherwise


def test_nothing_that_changed_touches_nothing(seeded: Project) -> None:
    assert not is_touched({WAITING}, seeded, read_again(seeded), Repairs())


def rows_of(project: Project) -> dict[CaseKey, Row]:
    """All cases, each with a result of this reading."""
    inputs_of, rows = InputsOf(project, Usual()), dict[CaseKey, Row]()
    for suite in project.suites:
        for case in suite.cases:
            inputs = inputs_of(case, suite)
            result = CaseResult(case.key, "run-1", "usual", CaseStatus.PASSED, inputs=inputs)
            rows[case.key] = Row(case.key, case, suite, result)
    return rows


@pytest.mark.parametrize(
    ("change", "compared", "stale"),
    [
        (None, 0, {}),
        (change_message, 1, {WAITING: Degree.AFFECTED}),
        (move, 0, {}),
        (expect_true, 1, {WAITING: Degree.TO_JUDGE}),
        (name_another_tool, 2, {}),
        (change_seed, 3, {WAITING: Degree.TO_JUDGE}),
        (change_rules, 3, dict.fromkeys(range(3), Degree.TO_JUDGE)),
        (change_tool, 3, {0: Degree.AFFECTED, 1: Degree.AFFECTED, 2: Degree.POSSIBLY}),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_only_what_a_change_can_touch_is_compared(
    seeded: Project,
    change: Callable[[Path], None] | None,
    compared: int,
    stale: dict[CaseKey | int, Degree],
) -> None:
    rows = rows_of(seeded)
    if change is not None:
        change(seeded.config.root)
    found = compare(read_again(seeded), seeded, rows, Usual())
    assert len(found) == compared
    keys = list(rows)
    expected = {keys[one] if isinstance(one, int) else one: degree for one, degree in stale.items()}
    assert {key: one.due.degree for key, one in found.items() if one.due} == expected


def test_what_was_asked_under_this_reading_is_not_compared_and_what_follows_it_is(
    seeded: Project,
) -> None:
    first, *others = rows = rows_of(seeded)
    found = compare(seeded, None, rows, Usual(), fresh={first})
    assert [*found] == others and others


def test_what_a_change_did_is_told_from_before_to_now(seeded: Project) -> None:
    change_check(seeded.config.root)
    without = read_again(seeded)
    found = affected_between({WAITING}, without, seeded, rows_of(without), Usual(), is_free=False)
    assert found[WAITING].reasons == ("case changed", "seed where added")
    found = affected_between({WAITING}, seeded, without, rows_of(seeded), Usual(), is_free=False)
    assert found[WAITING].reasons == ("case changed", "seed where removed")


def test_only_a_higher_time_limit_makes_another_answer_of_what_was_late(seeded: Project) -> None:
    (seeded.config.root / "evaltui.toml").write_text("timeout_ms = 90_000\n")
    higher, rows = read_again(seeded), rows_of(seeded)
    late = rows[WAITING].result
    assert late is not None and higher.config.timeout_ms > seeded.config.timeout_ms
    rows[WAITING].result = replace(late, status=CaseStatus.FAILED, category=LATE)
    found = affected_between({WAITING}, seeded, higher, rows, Usual(), is_free=False)
    assert (found[WAITING].degree, found[WAITING].reasons) == (
        Degree.AFFECTED,
        ("time limit raised",),
    )
    assert affected_between({WAITING}, higher, seeded, rows, Usual(), is_free=False) == {}


def test_without_an_earlier_reading_everything_is_compared(seeded: Project) -> None:
    rows = rows_of(seeded)
    del rows[WAITING]
    found = compare(seeded, None, rows, Usual())
    assert {key: one.due.degree for key, one in found.items() if one.due} == {
        WAITING: Degree.NEVER_RUN
    }
    assert [one.inputs is None for one in found.values()] == [True, False, False]


def test_a_tool_that_was_called_counts_though_it_is_not_mentioned(seeded: Project) -> None:
    row = rows_of(seeded)[WAITING]
    assert row.result is not None
    called = seeded.tool_prints.of_called(("play_music",))
    result = replace(row.result, inputs=replace(row.result.inputs, called=called))
    assert due_case(row.case, row.suite, result, InputsOf(seeded, Usual())) is None
    write_tools(seeded.config.root, with_description("play_music", "Plays music."))
    now = read_again(seeded)
    stale = due_case(row.case, now.suites[0], result, InputsOf(now, Usual()))
    assert stale is not None
    assert (stale.degree, stale.reasons) == (Degree.AFFECTED, ("play_music changed",))


def test_where_the_tools_of_then_are_forgotten_each_that_fits_now_counts(tmp_path: Path) -> None:
    make_project(tmp_path)
    before = read_project(Config(tmp_path))
    agent = make_agent("embedded", "embedded", {}, root=tmp_path)
    (suite, *_) = before.suites
    case = suite.cases[0]
    names = [tool.name for tool in before.registry]
    then = replace(
        InputsOf(before, agent)(case, suite), shown=before.tool_prints.shown(names), registry=""
    )
    unlike = {"name": "water_plants", "description": "Waters plants.", "parameters": {}}
    like = {"name": "locate_order", "description": case.message, "parameters": {}}
    for added, reached in ((unlike, frozenset[str]()), (like, frozenset({"locate_order"}))):
        write_tools(tmp_path, [*TOOLS, added])
        now = read_project(Config(tmp_path))  # which knows no registry before it
        assert now.tool_prints.changes_since(then.all_tools) is None
        found = InputsOf(now, agent).reached(case, then)
        assert found.tools == reached
        assert len(found.others or ()) == len(reached)


def test_where_the_tools_of_then_are_forgotten_one_that_was_weighed_and_changed_may_count(
    tmp_path: Path,
) -> None:
    make_project(tmp_path)
    before = read_project(Config(tmp_path))
    agent = make_agent("embedded", "embedded", {}, root=tmp_path)
    suite = before.suites[0]
    names = [tool.name for tool in before.registry]
    then = replace(
        InputsOf(before, agent)(suite.cases[0], suite), shown=before.tool_prints.shown(names)
    )
    write_tools(tmp_path, with_description("play_music", "Plays music."))
    now = read_project(Config(tmp_path))  # which knows no registry before it
    found = InputsOf(now, agent).reached(suite.cases[0], then)
    assert (found.tools, found.others) == (None, (ANOTHER_TOOL_CHANGED,))


@pytest.mark.parametrize("beside", [{"rubric": RUBRIC}, {"expect": []}])
def test_a_case_of_which_nothing_is_asked_or_judged_is_never_due(
    tmp_path: Path, beside: dict[str, object]
) -> None:
    root = make_project(tmp_path)
    case = {key: value for key, value in ORDERS[0].items() if key != "expect"}
    write_suite(root, "find_order", [{**case, **beside}])
    project = read_project(Config(root))
    row = next(Row(one.key, one, suite) for suite in project.suites for one in suite.cases)
    certain = settled(row.case)
    assert certain is not None
    inputs = InputsOf(project, Usual())(row.case, row.suite)
    result = CaseResult(row.key, "r", "usual", certain.status, error=certain.reason, inputs=inputs)
    write_tools(root, with_description("find_order", "Looks it up."))
    now = InputsOf(read_again(project), Usual())
    assert due_case(row.case, row.suite, result, now) is None
    answered = replace(result, status=CaseStatus.PASSED, error="", assertions_run=1)
    assert due_case(row.case, row.suite, answered, now) is not None


OPTIONS: dict[str, Json] = {"model": "m"}
JUDGE = JudgeConfig(AgentProfile("judge", "openai", OPTIONS))


def judged_by(root: Path, judge: JudgeConfig | None) -> str | None:
    """What the verdict of a rubric case depends on because of its judge."""
    project = read_project(Config(root, judge=judge))
    suite = next(suite for suite in project.suites if suite.tier is Tier.RUBRIC)
    return InputsOf(project, Usual())(suite.cases[0], suite).checks.get("judge")


def with_options(**more: Json) -> JudgeConfig:
    return JudgeConfig(AgentProfile("judge", "openai", OPTIONS | more))


def test_a_verdict_depends_on_who_judged_and_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_project(tmp_path)
    case = {"id": "r", "input": {"message": "m"}, "rubric": RUBRIC}
    (tmp_path / "evals" / "a.rubric.json").write_text(json.dumps([case]))
    usual = judged_by(tmp_path, JUDGE)
    others = [
        replace(JUDGE, votes=3),
        replace(JUDGE, threshold=0.5),
        with_options(temperature=0),
        JudgeConfig(AgentProfile("judge", "anthropic", OPTIONS)),
    ]
    found = {judged_by(tmp_path, other) for other in (None, JUDGE, *others)}
    assert len(found) == len(others) + 2
    how_it_is_got = with_options(api_key="${KEY}", retries=1, price={"input": 1, "output": 1})
    assert judged_by(tmp_path, how_it_is_got) == usual
    monkeypatch.setattr("evaltui.scenarios.rubric_prompt.VERSION", "another")
    assert judged_by(tmp_path, JUDGE) != usual


def test_other_cases_depend_on_no_judge(tmp_path: Path) -> None:
    project = read_project(Config(make_project(tmp_path), judge=JUDGE))
    suite = project.suites[0]
    assert "judge" not in InputsOf(project, Usual())(suite.cases[0], suite).checks


def test_inputs_of_a_case_are_worked_out_once_a_reading(tmp_path: Path) -> None:
    make_project(tmp_path)
    project, agent = read_project(Config(tmp_path)), Usual()
    suite = project.suites[0]
    case = suite.cases[0]
    first = InputsOf(project, agent)(case, suite)
    assert InputsOf(project, agent)(case, suite) is first
    usual = project.config.trials
    assert InputsOf(project, agent, usual)(case, suite) is first, "a run asks with its trials"
    assert InputsOf(project, SeesExpectations())(case, suite) != first, (
        "another agent is told otherwise"
    )
    again = read_project(Config(tmp_path), project, [])
    assert InputsOf(again, agent)(case, suite) == first


def test_what_changed_is_found_out_once_for_a_result_in_a_reading(seeded: Project) -> None:
    agent, row = Usual(), rows_of(seeded)[WAITING]
    assert row.result is not None
    assert InputsOf(seeded, agent).changed(row.case, row.suite, row.result) is None
    change_message(seeded.config.root)
    now = read_again(seeded)
    after, inputs_of = rows_of(now)[WAITING], InputsOf(now, agent)
    found = inputs_of.changed(after.case, after.suite, row.result)
    assert found == (Degree.AFFECTED, (CASE_CHANGED,))
    assert InputsOf(now, agent).changed(after.case, after.suite, row.result) is found
    assert after.result is not None
    assert inputs_of.changed(after.case, after.suite, after.result) is None, "it is another result"


def test_tools_that_fit_a_message_better_than_before_are_told_by_name() -> None:
    names = [f"tool_{letter}" for letter in "abcdefgh"]
    project = SimpleNamespace(
        config=SimpleNamespace(trials=1),
        known_inputs={},
        known_changes={},
        registry=SimpleNamespace(tools=names),
        tool_prints=SimpleNamespace(shown_as_then=lambda _: ["tool_a", "tool_b"]),
    )
    considered: list[tuple[object, ...]] = []

    class Considers(Usual):
        def would_consider(self, *about: object) -> frozenset[str]:
            considered.append(about[2:])
            return frozenset(names)

    agent = Considers()
    case = Case(CaseKey("a.json", "a"), ContractCase("hello"))
    found = InputsOf(cast("Project", project), agent)._considered(case, Inputs(), "", None)
    assert found.others == tuple(f"{name} fits the message better than before" for name in names)
    assert considered == [(names[:2], frozenset(names[2:]))]
