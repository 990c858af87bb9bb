"""An evaluator of an EvalStudio workspace may have a type that only comes along with evaltui."""

from pathlib import Path

import pytest

from evaltui.project import project_read_once
from evaltui.settings.load import load_config
from tests.evaluators.loaded import evaluator, write
from tests.workspaces import write_config, write_workspace


@pytest.mark.parametrize("settings", ["evalstudio.config.json", "evaltui.toml"])
def test_only_in_a_workspace(tmp_path: Path, settings: str) -> None:
    write_workspace(tmp_path)
    write_config(tmp_path, evaluators=["./mine.py"])
    write(tmp_path, "mine.py", evaluator("return passed('')", "regex"))
    if settings == "evaltui.toml":
        write(tmp_path, settings, 'evaluators = ["./mine.py"]\n')
    with project_read_once(load_config(tmp_path).config) as project:
        known = project.evaluator_registry.registered("regex")
        assert known is not None
        assert known.is_built_in is (settings == "evaltui.toml")
