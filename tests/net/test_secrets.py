"""Secrets come from the environment, `.env` or a keyring, and leave nowhere."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from evaltui.agents.http.agent import make as make_http
from evaltui.core.errors import UserError
from evaltui.net.secret_mask import project_secrets
from evaltui.net.secret_sources import SecretSources


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=file\nexport B='two words'\n# C=no\nD=${A}-x\nEMPTY=\nBARE\n")
    sources = SecretSources(tmp_path, {"A": "environment"})
    assert sources["A"] == "environment"
    assert sources["B"] == "two words"
    assert sources["D"] == "${A}-x"
    assert sources["EMPTY"] == ""
    assert sources.get("C") is None
    assert sources.get("BARE") is None
    assert set(sources) == {"A", "B", "D", "EMPTY"}
    assert "two words" not in repr(sources)


def test_no_file_and_a_folder_of_that_name(tmp_path: Path) -> None:
    assert SecretSources(tmp_path, {}).get("A") is None
    (tmp_path / ".env").mkdir()
    assert SecretSources(tmp_path, {}).get("A") is None


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"A=\xff\xfe\x00")
    with pytest.raises(UserError, match="UTF-8"):
        SecretSources(tmp_path, {}).get("A")


def test_the_http_agent_reads_the_file_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("EVALTUI_TEST_HOST=localhost:1\n")
    agent = make_http("http", {"url": "http://${EVALTUI_TEST_HOST}/"}, root=tmp_path, env={})
    assert agent.traits.is_free


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A keyring of its own: the machine's must not be asked by tests."""
    module, errors = ModuleType("keyring"), ModuleType("keyring.errors")

    class KeyringError(Exception):
        pass

    def get_password(service: str, user: str) -> str | None:
        if service == "locked":
            raise KeyringError("s3cret detail")
        return {("evals/prod", "me"): "from-the-ring"}.get((service, user))

    module.get_password = get_password  # type: ignore[attr-defined]
    errors.KeyringError = KeyringError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", module)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    return module


@pytest.mark.usefixtures("keyring")
def test_a_keyring(tmp_path: Path) -> None:
    secrets = project_secrets(tmp_path, {})
    filled = secrets.fill("Bearer ${keyring:evals/prod/me}", "x")
    assert filled == "Bearer from-the-ring"
    assert secrets.mask.hide(filled) == "Bearer ***"
    with pytest.raises(UserError, match="not in the keyring"):
        secrets.fill("${keyring:evals/me}", "x")
    with pytest.raises(UserError, match="KeyringError") as caught:
        secrets.fill("${keyring:locked/me}", "x")
    assert "s3cret" not in str(caught.value)


def test_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(UserError, match="pip install"):
        SecretSources(tmp_path, {}).get("keyring:a/b")
