"""A tool is unknown when the registry could be read and does not have it."""

import json
from pathlib import Path

from evaltui.core.config import Config
from evaltui.expectations.outdated import UP_TO_DATE, outdated
from evaltui.project import Project, project_problems, read_project
from tests.sample_project import copy_samples

BROKEN = "tools/shop/refund-order.tool.ts"


def unknown(project: Project) -> list[str]:
    return [one.what for one in project_problems(project) if one.code == "unknown-tool"]


def test_none_is_while_a_definition_cannot_be_read(tmp_path: Path) -> None:
    root = copy_samples(tmp_path / "samples")
    words = (root / BROKEN).read_text()
    (root / BROKEN).write_text(f"export const x = {{{{{{\n{words}")
    config = Config(root)
    project = read_project(config)
    assert project.registry.get("refund_order") is None
    assert unknown(project) == []
    (root / BROKEN).write_text(words.replace("refund_order", "pay_back"))
    found = unknown(read_project(config, project, {root / BROKEN}))
    assert found and all("`refund_order`" in what for what in found)


def test_none_is_where_the_file_says_that_it_is_about_no_tool(tmp_path: Path) -> None:
    root = copy_samples(tmp_path / "samples")
    case = {"id": "hello", "input": {"message": "Hello"}, "expect": {"toolsCalled": []}}
    file = root / "evals/p.labeled.json"
    file.write_text(json.dumps({"cases": [case]}))
    (what,) = unknown(read_project(Config(root)))
    assert what == "The registry has no tool `p`, which this file is about"
    file.write_text(json.dumps({"metadata": {"toolName": ""}, "cases": [case]}))
    project = read_project(Config(root))
    assert unknown(project) == []
    (suite,) = [one for one in project.suites if one.id == "evals/p.labeled.json"]
    assert (suite.tool_name, outdated(suite, project.registry)) == ("p", UP_TO_DATE)


def test_none_is_where_the_name_of_the_file_is_a_tool_and_the_ids_are_not(tmp_path: Path) -> None:
    root = copy_samples(tmp_path / "samples")
    case = {
        "id": "gs-refund-001",
        "input": {"message": "I want my money back"},
        "expect": {"toolsCalled": ["refund_order"]},
    }
    (root / "evals/refund_order.labeled.json").write_text(json.dumps({"cases": [case]}))
    assert unknown(read_project(Config(root))) == []
    (root / "evals/pay_back.labeled.json").write_text(json.dumps({"cases": [case]}))
    (what,) = unknown(read_project(Config(root)))
    assert what == "The registry has no tool `refund`, which this file is about"
