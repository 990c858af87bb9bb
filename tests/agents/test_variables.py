"""What variables stand for makes another agent where it decides who is asked; secrets do not."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.agents import AGENTS, make_agent
from evaltui.agents.variables import variables_print
from evaltui.core.agent import Agent

URL = {"url": "${CHAT}/ask"}


def print_of(options: dict[str, Any], **values: str) -> str:
    return variables_print(options, options, values)


@pytest.mark.parametrize(
    "options",
    [
        URL,
        {"url": "${CHAT:-http://a.example}/ask"},
        {"base_url": "http://${CHAT}"},
        {"env": {"MODE": "${CHAT}"}},
        {"env": {"MODE": "${CHAT}", "API_KEY": "${MY_KEY}"}},
        {"command": "sh run.sh --mode ${CHAT}"},
        {"command": ["sh", "run.sh", "--mode=${CHAT}"]},
        {"configurable": {"user": "${CHAT}", "n": 1}},
        {"env": {"AUTH_URL": "${CHAT}"}},
        {"env": {"TOKENIZER": "${CHAT}"}},
        {"env": {"TOKEN_LIMIT": "${CHAT}"}},
        {"command": ["sh", "run.sh", "--pass-rate", "${CHAT}"]},
    ],
)
def test_another_value_makes_another_agent(options: dict[str, Any]) -> None:
    one = print_of(options, CHAT="one.example", MY_KEY="k1")
    assert one
    assert one == print_of(options, CHAT="one.example", MY_KEY="k2")
    assert one != print_of(options, CHAT="two.example", MY_KEY="k1")
    assert "one" not in one


@pytest.mark.parametrize(
    ("options", "name", "one", "other"),
    [
        ({"env": {"API_KEY": "${IT}"}}, "IT", "abc", "def"),
        ({"env": {"A": "${MY_TOKEN}"}}, "MY_TOKEN", "abc", "def"),
        ({"env": {"A": "${HOME}"}}, "HOME", "/home/one", "/home/two"),
        ({"command": ["sh", "a.sh", "${PATH}"]}, "PATH", "/bin", "/usr/bin"),
        ({"configurable": {"session_token": "${IT}"}}, "IT", "abc", "def"),
        ({"extra": {"auth": {"a": ["${IT}"]}}}, "IT", "abc", "def"),
        ({"env": {"A": "${keyring:a/b}"}}, "keyring:a/b", "abc", "def"),
    ],
)
def test_secrets_and_what_each_machine_has_do_not_count(
    options: dict[str, Any], name: str, one: str, other: str
) -> None:
    assert print_of(options, **{name: one}) == print_of(options, **{name: other}) == ""


@pytest.mark.parametrize(
    ("options", "one", "other"),
    [
        (URL, "https://me:pass1word@a.example", "https://me:word2pass@a.example"),
        (URL, "https://a.example?api_key=one1", "https://a.example?api_key=two2"),
        ({"url": "${CHAT}?token=${TOKEN}"}, "https://a.example", "https://a.example"),
        ({"command": ["sh", "a.sh", "--api-key", "${CHAT}"]}, "abcdef1", "abcdef2"),
        ({"env": {"A": "${CHAT}"}}, "sk-abcdefgh12345", "sk-abcdefgh67890"),
        ({"env": {"A": "${DB_PASS}"}}, "-", "-"),
    ],
)
def test_a_secret_within_it_does_not_count(options: dict[str, Any], one: str, other: str) -> None:
    first = print_of(options, CHAT=one, TOKEN="x1", DB_PASS="postgres://u:one@db/x")
    assert first
    assert first == print_of(options, CHAT=other, TOKEN="x2", DB_PASS="postgres://u:two@db/x")


def test_an_option_that_holds_no_variable_changes_nothing_of_the_others(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("CHAT=http://one.example\n")
    options: dict[str, Any] = {"base_url": "${CHAT}", "model": "m"}
    one = make_agent("openai", "mine", options, root=tmp_path)
    other = make_agent("openai", "mine", options | {"model": "n"}, root=tmp_path)
    assert one.variables == other.variables != ""


def test_where_a_value_is_missing_nobody_knows() -> None:
    assert print_of(URL) == ""
    assert print_of({"env": {"A": "${ONE}", "B": "${TWO}"}}, ONE="1") == ""
    assert print_of({"url": "${CHAT:-http://a}"}) == print_of(
        {"url": "${CHAT:-http://b}"}, CHAT="http://a"
    )
    assert print_of({"url": "http://a.example"}) == "", "nothing is filled in"


@pytest.mark.parametrize(
    ("type_", "options"),
    [
        ("http", URL),
        ("langgraph", {"base_url": "${CHAT}"}),
        ("langgraph", {"url": "${CHAT}"}),
        ("langgraph", {"base_url": "http://a.example", "configurable": {"u": "${CHAT}"}}),
        ("openai", {"base_url": "${CHAT}", "model": "m", "execute": "mcp"}),
        ("openai", {"base_url": "${CHAT}", "model": "m", "api": "responses"}),
        ("anthropic", {"base_url": "${CHAT}", "model": "m"}),
        ("openai", {"model": "${CHAT}"}),
        ("anthropic", {"model": "m", "extra": {"metadata": {"user": ["${CHAT}"]}}}),
        ("langgraph", {"base_url": "http://a.example", "assistant_id": "${CHAT}"}),
        ("langgraph", {"base_url": "http://a.example", "configurable": {"u": {"v": "${CHAT}"}}}),
        ("command", {"command": ["sh", "${CHAT}"]}),
        ("command", {"command": ["sh"], "dialect": "adapter", "repair_command": ["${CHAT}"]}),
        ("command", {"command": ["sh"], "env": {"A": "${CHAT}"}}),
        ("python", {"function": "a.py:b", "env": {"A": "${CHAT}"}}),
    ],
)
def test_each_type_of_agent_knows_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, type_: str, options: dict[str, Any]
) -> None:
    async def executes(call: Any) -> Any:
        return call

    def made(**more: Any) -> Agent:
        all_ = {**options, **more}
        return make_agent(
            type_, "mine", all_, root=tmp_path, executor=executes, may_lack_secrets=True
        )

    (tmp_path / ".env").write_text("CHAT=http://one.example\n")
    one = made()
    monkeypatch.setenv("CHAT", "http://two.example")
    two = made()
    assert one.variables
    assert two.variables not in ("", one.variables)
    assert one.fingerprint == two.fingerprint
    assert one.parameters == two.parameters
    monkeypatch.delenv("CHAT")
    (tmp_path / ".env").unlink()
    assert made().variables == "", "unknown"
    never_asked = make_agent(type_, "mine", options, root=tmp_path, is_never_asked=True)
    assert never_asked.variables == "", "nothing is looked up for it"


def test_no_type_is_left_out() -> None:
    assert {name for name, type_ in AGENTS.items() if not type_.filled} == {"embedded"}
