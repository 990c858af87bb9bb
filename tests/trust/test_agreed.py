"""Whether somebody agreed to a project, which is more than that nothing of it was refused."""

from pathlib import Path

import pytest

from evaltui.project.trust import agree, grants_in_use, is_agreed, missing_grants
from evaltui.settings.load import load_config


def test_a_project_that_wants_nothing_was_agreed_to_by_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evaltui.toml").write_text('agent = "embedded"')
    config = load_config(tmp_path).config
    assert (grants_in_use(config), missing_grants(config)) == ((), ())
    assert not is_agreed(config)
    monkeypatch.setenv("EVALTUI_TRUST", "1")
    assert is_agreed(config)


def test_a_project_is_agreed_to_once_all_that_it_wants_is(tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text('agent = "http://localhost:3000/chat"')
    config = load_config(tmp_path).config
    assert not is_agreed(config)
    agree(tmp_path, grants_in_use(config))
    assert is_agreed(config)
    (tmp_path / "evaltui.toml").write_text('agent = "http://localhost:3001/chat"')
    assert not is_agreed(load_config(tmp_path).config)
