"""Reading a project, and reading it again."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaltui.core.case import CaseKey
from evaltui.core.config import Config, RegistrySource
from evaltui.core.errors import Severity
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, due_reasons
from evaltui.judging.judge import RULES
from evaltui.project import Project, project_problems, read_project


def case(id_: str, tool: str = "get_weather", **expect: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "description": "d",
        "input": {"message": f"message of {id_}"},
        "expect": {"toolsCalled": [tool]} | expect,
    }


def tool(name: str, description: str = "does it") -> dict[str, Any]:
    return {"name": name, "description": description, "parameters": {"type": "object"}}


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1))
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "evals/get-weather.golden.json", [case("gs-get-weather-001")])
    write(
        tmp_path / "evals/get-rain.labeled.json",
        [case("ls-get-rain-001", "get_rain", responseContains=["{{seed:a.b}}"])],
    )
    write(tmp_path / "evals/seed-manifest.json", {"a": {"b": 1}, "c": 2})
    write(
        tmp_path / "tools.json",
        {"tools": [tool("get_weather"), tool("get_rain"), tool("send_mail")]},
    )
    return tmp_path


def inputs(project: Project) -> dict[str, Inputs]:
    return {
        case.id: project.inputs(case, suite, agent_fingerprint="agent")
        for suite in project.suites
        for case in suite.cases
    }


def made_of(inputs: Inputs) -> CaseResult:
    return CaseResult(CaseKey("s", "c"), "run", "agent", CaseStatus.PASSED, inputs=inputs)


def stale(before: Project, now: Project) -> dict[str, Any]:
    then = inputs(before)
    found = {id_: due_reasons(made_of(then[id_]), each) for id_, each in inputs(now).items()}
    return {id_: reasons for id_, reasons in found.items() if reasons}


def test_everything_is_found(root: Path) -> None:
    project = read_project(Config(root))
    assert [suite.id for suite in project.suites] == [
        "evals/get-rain.labeled.json",
        "evals/get-weather.golden.json",
    ]
    assert project.registry.size == 3
    assert project.seed == {"a": {"b": 1}, "c": 2}
    assert project.problems == ()
    watched = {path.relative_to(root).as_posix() for path in project.files_watched}
    assert {"tools.json", "evals", ".", "evaltui.toml", "evals/seed-manifest.json"} <= watched
    assert "evals/get-rain.labeled.json" in watched


def test_saving_without_a_change_gives_the_same_project(root: Path) -> None:
    project = read_project(Config(root))
    path = root / "evals/get-weather.golden.json"
    path.write_bytes(path.read_bytes())
    assert read_project(Config(root), project, {path}) is project
    assert read_project(Config(root), project, None) is project
    assert read_project(Config(root), project, {root / "README.md"}) is project


def test_layout_and_remarks_are_no_change_of_a_case(root: Path) -> None:
    project = read_project(Config(root))
    only = case("gs-get-weather-001") | {"description": "other words"}
    path = root / "evals/get-weather.golden.json"
    path.write_text(json.dumps([dict(reversed(only.items()))], indent=4))
    now = read_project(Config(root), project, {path})
    assert now.changed_since(project) == ("evals/get-weather.golden.json",)
    assert stale(project, now) == {}


def test_a_changed_case_is_stale_and_the_rest_keeps_its_objects(root: Path) -> None:
    project = read_project(Config(root))
    path = write(root / "evals/get-weather.golden.json", [case("gs-get-weather-001", x=1)])
    now = read_project(Config(root), project, {path})
    assert stale(project, now) == {
        "gs-get-weather-001": (Degree.TO_JUDGE, ("case changed",)),
    }
    assert now.suites[0] is project.suites[0]
    assert now.registry is project.registry


def test_an_edited_description_affects_the_cases_that_mention_the_tool(root: Path) -> None:
    project = read_project(Config(root))
    tools = [tool("get_weather", "new words"), tool("get_rain"), tool("send_mail")]
    path = write(root / "tools.json", {"tools": tools})
    now = read_project(Config(root), project, {path})
    assert now.changed_since(project) == ("tools.json",)
    reasons = ("get_weather.description changed",)
    other = ("another tool in the registry changed",)
    assert stale(project, now) == {
        "gs-get-weather-001": (Degree.AFFECTED, reasons),
        "ls-get-rain-001": (Degree.POSSIBLY, other),
    }
    assert all(a is b for a, b in zip(now.suites, project.suites, strict=True))
    assert [each.name for each in now.tools_of(path)] == ["get_weather", "get_rain", "send_mail"]


def test_the_order_of_tools_does_not_count(root: Path) -> None:
    project = read_project(Config(root))
    write(
        root / "tools.json",
        {"tools": [tool("send_mail"), tool("get_weather"), tool("get_rain")]},
    )
    assert stale(project, read_project(Config(root), project, {root / "tools.json"})) == {}


def test_tools_that_come_and_go(root: Path) -> None:
    project = read_project(Config(root))
    write(root / "tools.json", {"tools": [tool("get_weather"), tool("send_mail")]})
    now = read_project(Config(root), project, {root / "tools.json"})
    degree, reasons = stale(project, now)["ls-get-rain-001"]
    assert degree is Degree.AFFECTED and "get_rain removed" in reasons
    assert stale(now, project)["gs-get-weather-001"][0] is Degree.POSSIBLY


def with_message(message: str, **expect: Any) -> dict[str, Any]:
    return case("gs-get-weather-001", **expect) | {"input": {"message": message}}


def test_what_the_agent_is_given_is_apart_from_what_is_expected(root: Path) -> None:
    path = write(root / "evals/get-weather.golden.json", [with_message("rain?")])
    project = read_project(Config(root))
    for changed, degree in (
        (with_message("rain?", responseNonEmpty=True), Degree.TO_JUDGE),
        (with_message("snow?"), Degree.AFFECTED),
        (with_message("rain?") | {"stubs": {}}, Degree.AFFECTED),
        (with_message("rain?") | {"maxTurns": 2}, Degree.AFFECTED),
        (with_message("rain?") | {"expect": "no object"}, Degree.AFFECTED),
    ):
        write(path, [changed])
        now = read_project(Config(root), project, {path})
        assert stale(project, now)["gs-get-weather-001"][0] is degree


def _one(root: Path, config: Config | None = None, **more: Any) -> Inputs:
    project = read_project(config or Config(root))
    suite = project.suites[-1]
    assert suite.id == "evals/get-weather.golden.json"
    return project.inputs(suite.cases[0], suite, agent_fingerprint="agent", **more)


def test_an_agent_that_is_told_what_is_expected_is_given_all_of_the_case(root: Path) -> None:
    told = _one(root, sees_expectations=True)
    path = root / "evals/get-weather.golden.json"
    write(path, [case("gs-get-weather-001", responseNonEmpty=True)])
    assert _one(root, sees_expectations=True).answer != told.answer
    assert _one(root).answer != told.answer


def test_verdicts_that_are_told_or_rest_on_live_values_take_a_new_answer(root: Path) -> None:
    assert _one(root).answer
    assert _one(root, repairs=True).answer == ""
    live = case("gs-get-weather-001", responseContains=["{{snapshot:price}}"])
    write(root / "evals/get-weather.golden.json", [live])
    assert _one(root).answer, "nobody asks for live values"
    config = Config(root, snapshot_enabled=True, snapshot="prices.json")
    assert _one(root, config).answer == ""
    assert _one(root, config).checks != _one(root).checks


def test_settings_that_shape_an_answer_or_a_verdict(root: Path) -> None:
    config = Config(root, timeout_ms=5, trials=3)
    assert _one(root, config).settings == {"timeoutMs": 5, "trials": 3}
    assert _one(root, config, trials=7).settings["trials"] == 7
    strict = _one(root, Config(root, multiset_tools=False))
    assert strict.checks != _one(root).checks
    assert strict.rules == _one(root).rules == RULES


def test_only_used_seed_values_count(root: Path) -> None:
    project = read_project(Config(root))
    path = write(root / "evals/seed-manifest.json", {"c": 3, "a": {"b": 1}})
    now = read_project(Config(root), project, {path})
    assert now.changed_since(project) == ("evals/seed-manifest.json",)
    assert stale(project, now) == {}
    write(path, {"a": {"b": 2}})
    then, now = now, read_project(Config(root), now, {path})
    assert stale(then, now) == {"ls-get-rain-001": (Degree.TO_JUDGE, ("seed a.b changed",))}


def test_a_broken_file_keeps_its_last_good_suite(root: Path) -> None:
    project = read_project(Config(root))
    path = root / "evals/get-weather.golden.json"
    whole = path.read_text()
    path.write_text(whole[:40])
    now = read_project(Config(root), project, {path})
    assert now.suites == project.suites and now.suites[1] is project.suites[1]
    (problem,) = now.problems
    assert (problem.file, problem.code) == ("evals/get-weather.golden.json", "json-syntax")
    assert problem.line >= 1
    assert stale(project, now) == {}
    path.write_text(whole)
    assert read_project(Config(root), now, {path}).problems == ()


def test_broken_seed_and_registry_keep_what_was_good(root: Path) -> None:
    project = read_project(Config(root))
    (root / "evals/seed-manifest.json").write_text("{")
    (root / "tools.json").write_text('{"tools": [')
    now = read_project(
        Config(root), project, {root / "evals/seed-manifest.json", root / "tools.json"}
    )
    assert now.seed == project.seed
    assert set(now.registry.tools) == set(project.registry.tools)
    assert {problem.file for problem in now.problems} == {"evals/seed-manifest.json", "tools.json"}
    assert stale(project, now) == {}


def test_files_and_folders_that_appear_and_vanish(root: Path) -> None:
    project = read_project(Config(root))
    new = write(root / "evals/more/get-rain.golden.json", [case("gs-get-rain-001", "get_rain")])
    now = read_project(Config(root), project, {root / "evals/more"})
    assert [suite.id for suite in now.suites][1:2] == ["evals/get-weather.golden.json"]
    assert new in now.files and root / "evals/more" in now.files_watched
    assert now.changed_since(project) == ("evals/more/get-rain.golden.json",)
    new.unlink()
    gone = read_project(Config(root), now, {new})
    assert new not in gone.files and len(gone.suites) == 2


def test_only_the_usual_places(root: Path) -> None:
    for name in (
        "evals/results/old.golden.json",
        "node_modules/x/a.golden.json",
        ".hidden/a.golden.json",
        "evals/.hidden.json",
        "lib/python/a.golden.json",
    ):
        write(root / name, [case("x")])
    (root / "lib/pyvenv.cfg").write_text("")
    write(root / "deep/down/b.regression.json", [case("rg-b-001")])
    write(root / "evals/other.json", {"settings": 1})
    project = read_project(Config(root))
    ids = [suite.id for suite in project.suites]
    assert ids == [
        "deep/down/b.regression.json",
        "evals/get-rain.labeled.json",
        "evals/get-weather.golden.json",
    ]
    assert [(each.file, each.severity) for each in project.problems] == [
        ("evals/other.json", Severity.LINT)
    ]


def test_named_files_folders_and_globs(root: Path) -> None:
    write(root / "checks/one.json", [case("1")])
    write(root / "checks/two.txt", [case("2")])
    write(root / "checks/deep/three.json", [case("3")])

    def ids(*evals: str) -> list[str]:
        return [suite.id for suite in read_project(Config(root, evals=evals)).suites]

    assert ids("checks") == ["checks/deep/three.json", "checks/one.json"]
    assert ids("checks/*.json") == ["checks/one.json"]
    assert ids("checks/two.txt", "./checks/{one,four}.json") == [
        "checks/one.json",
        "checks/two.txt",
    ]
    assert ids("checks/**/t*.json") == ["checks/deep/three.json"]
    assert ids(str(root / "checks" / "one.json")) == ["checks/one.json"]
    read = read_project(Config(root, evals=("checks/on.json",)))
    assert "Did you mean `one.json`?" in str(read.problems[0])


def test_links_in_circles_end(root: Path) -> None:
    (root / "evals/loop").symlink_to(root / "evals", target_is_directory=True)
    outside = root.parent / f"{root.name}-target.json"
    write(outside, [case("gs-x-001")])
    (root / "evals/linked.golden.json").symlink_to(outside)
    (root / "evals/nowhere.golden.json").symlink_to(root / "gone.json")
    (root / "evals/again.golden.json").symlink_to(root / "evals/get-weather.golden.json")
    project = read_project(Config(root))
    assert [suite.id for suite in project.suites] == [
        "evals/again.golden.json",
        "evals/get-rain.labeled.json",
        "evals/get-weather.golden.json",
    ]
    [told] = [one.file for one in project.problems if one.code == "outside"]
    assert told == "evals/linked.golden.json"
    named = read_project(Config(root, outside=(str(root.parent),)))
    assert "evals/linked.golden.json" in [suite.id for suite in named.suites]


def test_settings_that_move_things(root: Path) -> None:
    project = read_project(Config(root))
    write(root / "more.json", {"tools": [tool("get_weather", "elsewhere")]})
    config = Config(
        root,
        "evaltui.toml",
        evals=("evals/*.golden.json",),
        registries=(RegistrySource(location="more.json"),),
        seed_manifest_path="nowhere.json",
    )
    now = read_project(config, project, {root / "evaltui.toml"})
    assert [suite.id for suite in now.suites] == ["evals/get-weather.golden.json"]
    assert set(now.registry.tools) == {"get_weather"}
    assert (now.seed, now.problems[0].file) == (None, "nowhere.json")


def test_problems_of_a_project_are_placed(root: Path) -> None:
    write(
        root / "evals/get-snow.golden.json",
        [3, case("gs-get-snow-001", "get_rain", responseContains=["message"])],
    )
    found = project_problems(read_project(Config(root)))
    unknown = next(each for each in found if each.code == "unknown-tool")
    assert (unknown.file, unknown.severity) == ("evals/get-snow.golden.json", Severity.WARNING)
    assert "`get_snow`" in unknown.what
    echo = next(each for each in found if each.code == "prompt-echo")
    text = (root / echo.file).read_text().split("\n")
    assert text[echo.line - 1].strip() == '"message"'
    assert echo.key == "[1].expect.responseContains[0]"


def test_an_empty_folder_is_no_error(tmp_path: Path) -> None:
    project = read_project(Config(tmp_path))
    assert (project.suites, project.problems, project.seed) == ((), (), None)
    assert project_problems(project) == ()
    gone = read_project(Config(tmp_path / "gone"))
    assert gone.suites == ()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cut=st.integers(0, 300),
    noise=st.binary(max_size=6),
    name=st.sampled_from(["evals/get-weather.golden.json", "evals/seed-manifest.json"]),
)
def test_no_damage_to_one_file_loses_the_others(
    root: Path, cut: int, noise: bytes, name: str
) -> None:
    path = root / name
    whole = path.read_bytes()
    try:
        project = read_project(Config(root))
        path.write_bytes(whole[:cut] + noise)
        for now in (read_project(Config(root), project, {path}), read_project(Config(root))):
            assert any(
                suite is project.suites[0] or suite == project.suites[0] for suite in now.suites
            )
            assert now.registry.size == 3
            inputs(now)
    finally:
        path.write_bytes(whole)
