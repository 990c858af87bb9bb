"""`.env` is a file of the project."""

from pathlib import Path

import pytest

from evaltui.core.errors import UserError
from evaltui.net.secret_sources import SecretSources


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "credentials").write_text("KEY=outside\n")
    (project / ".env").symlink_to(tmp_path / "credentials")
    with pytest.raises(UserError, match="leads out of the project"):
        SecretSources(project)["KEY"]
    (project / ".env").unlink()
    (project / "local.env").write_text("KEY=inside\n")
    (project / ".env").symlink_to("local.env")
    assert SecretSources(project)["KEY"] == "inside"
