"""Where a project's `.env` decides who is asked, that address is agreed to, and shown."""

import json
from pathlib import Path

import pytest

from evaltui.core.permit import Grant
from evaltui.project.trust import agree, all_grants, missing_grants
from evaltui.settings.load import load_config

AGENT = 'agent = "mine"\n[agents.mine]\n'
WHOLE = "${URL}"
PARTS = "http://${HOST}:${PORT}/chat"
NAMED = "URL=http://first.example:18499/v1\nHOST=first.example\nPORT=18499\nKEY=1\n"
THERE = "which is http://first.example:18499, with"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("URL", "HOST", "PORT", "KEY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "evals").mkdir()
    return tmp_path


def agreed(root: Path, text: str, env: str = NAMED, server: str = "") -> str:
    (root / "evaltui.toml").write_text(text)
    (root / ".env").write_text(env)
    (root / "mcp.json").write_text(json.dumps({"mcpServers": {"shop": {"url": server}}}))
    grants = all_grants(load_config(root).config)
    agree(root, grants)
    assert not missing(root)
    return said(grants)


def missing(root: Path) -> str:
    return said(missing_grants(load_config(root).config))


def said(grants: tuple[Grant, ...]) -> str:
    return "\n".join(map(str, grants))


@pytest.mark.parametrize("changed", ["first.example:18499>other.example:18499", "18499>18498"])
@pytest.mark.parametrize("url", [WHOLE, PARTS])
@pytest.mark.parametrize(
    "text",
    [
        AGENT + 'type = "http"\nurl = "URL"\nheaders = { X-Key = "${KEY}" }\n',
        AGENT + 'type = "openai"\nmodel = "m"\nbase_url = "URL"\napi_key = "${KEY}"\n',
        AGENT + 'type = "anthropic"\nmodel = "m"\nbase_url = "URL"\napi_key = "${KEY}"\n',
        AGENT + 'type = "langgraph"\nbase_url = "URL"\n',
        'registry = "mcp.json"\n',
        'snapshot_enabled = true\nsnapshot = "URL"\n',
    ],
)
def test_another_address_is_asked_for_again(text: str, url: str, changed: str, root: Path) -> None:
    if "snapshot" in text:
        url = url if url == PARTS else "http://${HOST}:${PORT}"  # a bare variable is a program
    assert THERE in agreed(root, text.replace('"URL"', f'"{url}"'), server=url)
    (root / ".env").write_text(NAMED.replace("KEY=1", "KEY=2").replace("/v1", "/v2"))
    assert not missing(root), "of keys the names are agreed to, of addresses no path"
    was, now = changed.split(">")
    (root / ".env").write_text(
        NAMED.replace(was, now).replace("HOST=first.example", f"HOST={now.split(':')[0]}")
        if "example" in changed
        else NAMED.replace(was, now)
    )
    assert now in missing(root)


def test_a_password_in_an_address_is_exchanged_and_never_shown(root: Path) -> None:
    text = AGENT + 'url = "${URL}"\n'
    one = agreed(root, text, "URL=http://ada:hunter22@first.example/chat?key=hunter33\n")
    assert "which is http://first.example, with $URL" in one
    (root / ".env").write_text("URL=http://ada:hunter44@first.example/chat\n")
    assert not missing(root)
    (root / ".env").write_text("URL=http://first.example@other.example/chat\n")
    assert "http://other.example," in missing(root)


def test_a_part_of_the_path_or_of_the_password_may_not_become_the_host(root: Path) -> None:
    agreed(root, AGENT + 'url = "http://ada:${PW}@first.example/${A}"\n', "PW=1\nA=chat\n")
    (root / ".env").write_text("PW=2\nA=talk\n")
    assert not missing(root)
    (root / ".env").write_text("PW=x@other.example/\nA=talk\n")
    assert "which is http://other.example," in missing(root)


def test_what_is_no_address_is_bound_and_not_shown(root: Path) -> None:
    one = agreed(root, AGENT + 'url = "${URL}"\n', "URL=sk-secret-1234\n")
    assert "sk-secret" not in one
    (root / ".env").write_text("URL=sk-secret-5678\n")
    assert missing(root)


def test_a_default_gives_way_to_an_address_of_the_project(root: Path) -> None:
    agreed(root, AGENT + 'url = "${URL:-http://first.example}"\n', "")
    (root / ".env").write_text("URL=http://other.example\n")
    assert "http://other.example" in missing(root)


def test_an_address_of_the_environment_is_no_file_of_the_project(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("URL", "http://mine.example")
    agreed(root, AGENT + 'url = "${URL}"\n')
    (root / ".env").write_text("URL=http://other.example\n")
    assert not missing(root)
