"""Mistakes in the profiles of agents have a place, before anything is asked."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents import AGENTS
from evaltui.core.errors import Problem, Severity, without_lint
from evaltui.project import (
    Around,
    agent_problems,
    project_problems,
    read_project,
    with_few,
    without_files,
)
from evaltui.project.problems import in_order
from evaltui.settings.load import load_config
from tests.projects import write_tools
from tests.workspaces import write_workspace


def problems(folder: Path, text: str, **flags: object) -> list[tuple[str, int, str, str]]:
    (folder / "evaltui.toml").write_text(text)
    read = load_config(folder, flags)
    assert read.problems == ()
    project = read_project(read.config)
    try:
        found = project_problems(project, Around(agents=agent_problems(read.config, {})))
    finally:
        project.reader.close()
    return [(each.key, each.line, each.what, each.hint) for each in found if each.code == "config"]


@pytest.mark.parametrize(
    ("profile", "found"),
    [
        ('type = "http"\nurl = "http://localhost:1"', []),
        (
            'type = "http"\nurl = "http://localhost:1"\nretrys = 2',
            [
                (
                    "agents.a.retrys",
                    4,
                    "`retrys` is not a known option of `http` agents",
                    "Did you mean",
                )
            ],
        ),
        (
            'type = "http"\nurll = "http://localhost:1"',
            [
                ("agents.a", 1, "`url` is missing", "Is it `urll` misspelt?"),
                (
                    "agents.a.urll",
                    3,
                    "`urll` is not a known option of `http` agents",
                    "Did you mean `url`",
                ),
            ],
        ),
        (
            'type = "openai"\nmodel = "m"\n\n[agents.a.price]\ninput = -1\noutput = 2',
            [("agents.a.price.input", 6, "`input` is -1, not a number of at least 0", "Write")],
        ),
        ('type = "htpp"', [("agents.a.type", 2, "There is no agent type `htpp`", "Did you mean")]),
    ],
)
def test_each_mistake_is_told_with_its_line(
    tmp_path: Path, profile: str, found: list[tuple[str, int, str, str]]
) -> None:
    told = problems(tmp_path, f"[agents.a]\n{profile}\n")
    assert [each[:3] for each in told] == [each[:3] for each in found]
    assert all(each[3].startswith(one[3]) for each, one in zip(told, found, strict=True))


def test_agents_that_are_not_under_test_are_left_alone(tmp_path: Path) -> None:
    text = '[agents.a]\ntype = "http"\nnonsense = 1\n[agents.b]\ntype = "embedded"\n'
    assert problems(tmp_path, text, agent="b") == []
    assert len(problems(tmp_path, text, agent="a")) == 2


def test_a_type_that_there_is_not_is_told_of_every_agent(tmp_path: Path) -> None:
    text = '[agents.b]\ntype = "embedded"\n[agents.a]\ntype = "opnai"\nnonsense = 1\n'
    (told,) = problems(tmp_path, text, agent="b")
    assert told[:3] == ("agents.a.type", 4, "There is no agent type `opnai`")
    known = ", ".join(f"`{name}`" for name in AGENTS)
    assert told[3] == f"Did you mean `openai`? There are {known}."


SOURCES = """# tools
registries = [
  { path = "tools.json" },
  { path = "gone.json" },
  { type = "python", location = "lost/tools.py:TOOLS" },
  { path = "gone.yaml" },
]
"""


def test_tools_that_are_not_there_are_told_with_the_line_that_names_them(tmp_path: Path) -> None:
    write_tools(tmp_path)
    (tmp_path / "evaltui.toml").write_text(SOURCES)
    project = read_project(load_config(tmp_path).config)
    try:
        told = [(each.line, each.key, each.what) for each in project.problems]
        assert told == [
            (4, "registries[1].path", "`gone.json`: file not found"),
            (5, "registries[2].location", "`lost/tools.py`: file not found"),
            (6, "registries[3].path", "`gone.yaml`: file not found"),
        ]
        assert {each.file for each in project.problems} == {"evaltui.toml"}
        (tmp_path / "evaltui.toml").write_text(f"# moved\n{SOURCES}")
        (tmp_path / "tools.json").unlink()
        saved = {tmp_path / "evaltui.toml", tmp_path / "tools.json"}
        again = read_project(load_config(tmp_path).config, project, saved)
        assert [each.line for each in again.problems] == [4, 5, 6, 7]
    finally:
        project.reader.close()


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ('registry = "gone.ts"', 1, "registry"),
        ('agent = "embedded"\nregistry = [\n  "a.json",\n  "gone.ts"]', 4, "registry[1]"),
        ('[[registries]]\npath = "a.json"\n[[registries]]\nlocation = "./gone.ts"', 4,
         "registries[1].location"),
        ('tool_registry_path = "gone.ts"', 1, "tool_registry_path"),
    ],
)  # fmt: skip
def test_whichever_way_they_are_named(tmp_path: Path, text: str, line: int, key: str) -> None:
    (tmp_path / "a.json").write_text('{"tools": []}')
    (tmp_path / "evaltui.toml").write_text(text)
    project = read_project(load_config(tmp_path).config)
    project.reader.close()
    told = [each for each in project.problems if "gone.ts" in each.what]
    assert [(each.file, each.line, each.key) for each in told] == [("evaltui.toml", line, key)]
    name = key.partition("[")[0]
    assert told[0].hint == f"Correct the path, or remove it from `{name}`."


def test_tools_named_by_a_flag_have_no_line(tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text('registry = "tools.json"\n')
    project = read_project(load_config(tmp_path, {"registry": ["gone.ts"]}).config)
    project.reader.close()
    (problem,) = project.problems
    assert (problem.file, problem.what, problem.line) == ("gone.ts", "file not found", 0)
    assert problem.hint == "Correct the path."


PLACES = st.builds(
    lambda severity, file, line, what, code: Problem(
        file, what, severity=severity, line=line, code=code
    ),
    st.sampled_from(Severity),
    st.sampled_from("ab"),
    st.integers(1, 3),
    st.sampled_from(("x", "y", "z")),
    st.sampled_from(("", "json-syntax")),
)


@given(st.lists(PLACES, max_size=4), st.lists(PLACES, max_size=8))
def test_a_few_problems_join_many_in_the_order_of_all(
    few: list[Problem], many: list[Problem]
) -> None:
    others = [problem for problem in dict.fromkeys(many) if problem not in few]
    assert with_few(in_order(few), in_order(others)) == in_order((*few, *others))
    known = in_order((*few, *others))
    assert with_few(in_order(few), known) == known, "none twice"


@given(st.lists(PLACES, max_size=12), st.sets(st.sampled_from("abc")))
def test_what_is_wrong_with_saved_files_is_taken_out_of_the_order(
    problems: list[Problem], files: set[str]
) -> None:
    ordered = in_order(problems)
    left = tuple(one for one in ordered if one.file not in files)
    assert without_files(ordered, files) == left


@given(st.lists(PLACES, max_size=12))
def test_lint_is_left_out_but_for_files_that_cannot_be_read(problems: list[Problem]) -> None:
    ordered = in_order(problems)
    mistakes = tuple(one for one in ordered if one.severity is not Severity.LINT or one.code)
    assert without_lint(ordered) == mistakes


def test_in_a_workspace_of_evalstudio_no_file_is_named_that_would_take_its_place(
    tmp_path: Path,
) -> None:
    write_workspace(tmp_path)
    project = read_project(load_config(tmp_path).config)
    (found,) = [one for one in project_problems(project) if one.code == "no-registry"]
    assert "--registry" in found.hint
    assert "evaltui.toml" not in found.hint


CASE = """[{"id": "a", "input": {"message": "hi"}, "expect": {"toolsCalled": ["elsewhere"]},
  "evaluators": [{"type": "mine"}, {"type": "response-length", "config": {"max": "x"}}]}]"""


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        (
            'evaluators = ["./mine.py"]\n[[evaluators]]\ncommand = ["x"]\n',
            "Not valid TOML: `evaluators` is a list already, so that no `[[evaluators]]` can stand "
            "beside it",
            "Write all entries in one list, or all as tables.",
        ),
        (
            'evaluators = ["./mine.py"\ntrials = 2\n',
            "Not valid TOML: Unclosed array",
            "Correct it.",
        ),
    ],
)
def test_settings_that_cannot_be_read_come_first_and_without_consequences(
    tmp_path: Path, text: str, what: str, hint: str
) -> None:
    write_tools(tmp_path)
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals/a.golden.json").write_text(CASE)
    (tmp_path / "evaltui.toml").write_text(text)
    read = load_config(tmp_path)
    project = read_project(read.config)
    project.reader.close()
    found = project_problems(project, Around(settings=read.problems))
    errors = [one for one in found if one.severity is Severity.ERROR]
    assert [one.file for one in errors] == ["evaltui.toml", "evals/a.golden.json"]
    assert (found[0].what, found[0].hint, found[0].line) == (what, hint, 2)
    assert "`max`" in errors[1].what or "max" in errors[1].key
    assert not [one for one in found if "elsewhere" in one.what or "`mine`" in one.what]
    (tmp_path / "evaltui.toml").write_text("trials = 2\n")
    again = read_project(load_config(tmp_path).config)
    again.reader.close()
    told = project_problems(again)
    assert {word for word in ("elsewhere", "`mine`") for one in told if word in one.what} == {
        "elsewhere",
        "`mine`",
    }
