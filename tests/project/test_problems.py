"""Mistakes in the profiles of agents have a place, before anything is asked."""

from pathlib import Path

import pytest

from evaltui.agents import AGENTS
from evaltui.project import project_problems, read_project
from evaltui.settings import load_config


def problems(folder: Path, text: str, **flags: object) -> list[tuple[str, int, str, str]]:
    (folder / "evaltui.toml").write_text(text)
    read = load_config(folder, flags)
    assert read.problems == ()
    project = read_project(read.config)
    try:
        found = project_problems(project)
    finally:
        project.reader.close()
    return [(each.key, each.line, each.what, each.hint) for each in found if each.code == "config"]


@pytest.mark.parametrize(
    ("profile", "found"),
    [
        ('type = "http"\nurl = "http://localhost:1"', []),
        (
            'type = "http"\nurl = "http://localhost:1"\nretrys = 2',
            [("agents.a.retrys", 4, "`retrys` is no option of `http` agents", "Did you mean")],
        ),
        (
            'type = "http"\nurll = "http://localhost:1"',
            [
                ("agents.a", 1, "`url` is missing", "Is it `urll` misspelt?"),
                ("agents.a.urll", 3, "`urll` is no option of `http` agents", "Did you mean `url`"),
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
