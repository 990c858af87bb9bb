"""An eval of a workspace names its scenarios and its connector; what it cannot be is said."""

from pathlib import Path

import pytest

from evaltui.core.errors import UserError
from evaltui.settings.evalstudio.evalstudio_evals import eval_named
from evaltui.settings.load import load_config
from tests.workspaces import DATA, EVAL, connector, write_entities, write_workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_workspace(tmp_path)
    other = {**connector(), "id": "c-2", "name": "Other"}
    write_entities(tmp_path, "connectors", connector(), other)
    small = {"id": "e-2", "name": "Small", "scenarioIds": ["s-hello"], "connectorId": "c-2"}
    lost = {**small, "id": "e-3", "name": "Lost", "connectorId": "c-9"}
    write_entities(tmp_path, "evals", EVAL, small, lost, {**small, "id": "e-4", "name": "All"})
    return tmp_path


def test_it_goes_by_its_name_or_id(root: Path) -> None:
    config = load_config(root).config
    small = eval_named(config, "Small")
    assert small == eval_named(config, "e-2")
    assert (small.agent, small.paths) == ("Other", (f"{DATA}/scenarios.json::s-hello",))
    everything = eval_named(config, "e-1")
    assert everything.agent == "Shop"
    assert [path.rpartition("::")[2] for path in everything.paths] == ["s-refund", "s-hello"]


@pytest.mark.parametrize(
    ("name", "what", "hint"),
    [
        ("Smal", "no eval `Smal`", "`Small`"),
        ("All", "Several evals", "`e-1`, `e-4`"),
        ("Lost", "names no connector", "evaltui check"),
    ],
)
def test_what_cannot_be_run_is_said(root: Path, name: str, what: str, hint: str) -> None:
    with pytest.raises(UserError) as caught:
        eval_named(load_config(root).config, name)
    assert what in caught.value.what
    assert hint in caught.value.hint


def test_a_project_without_a_workspace_has_none(tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text("")
    with pytest.raises(UserError, match="no eval") as caught:
        eval_named(load_config(tmp_path).config, "All")
    assert "evalstudio.config.json" in caught.value.hint
