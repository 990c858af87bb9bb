"""A tool is unknown when the registry could be read and does not have it."""

from pathlib import Path

from evaltui.core.config import Config
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
