"""A new type of agent: one module and one line of the table, and every command knows it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from pydantic import Field

from evaltui.agents import AGENTS, AgentType
from evaltui.agents.profiles.options import AgentOptions
from evaltui.agents.profiles.reading import read_profile
from evaltui.cli.main import run_command
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.json_value import Json
from evaltui.core.permit import Grant
from evaltui.core.response import AgentResponse, Execution, ToolCall
from tests.projects import make_project

ORDERS = "evals/find_order.golden.json"


class EchoProfile(AgentOptions):
    tool: str = Field(description="what it always calls")

    def grants(self, root: Path, by: str) -> Iterator[Grant]:  # noqa: ARG002
        yield from ()


class Echo(Agent):
    def __init__(self, name: str, tool: str) -> None:
        self.name, self.fingerprint, self._tool = name, tool, tool

    async def respond(self, request: AgentRequest) -> AgentResponse:
        return AgentResponse(
            request.message, (ToolCall(self._tool, {}),), execution=Execution.ROUTING
        )


def make(name: str, options: Mapping[str, Json], *, root: Path) -> Agent:  # noqa: ARG001
    return Echo(name, read_profile(EchoProfile, "echo", options).tool)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(AGENTS, "echo", AgentType(f"{__name__}:make", f"{__name__}:EchoProfile"))
    monkeypatch.chdir(tmp_path)
    return make_project(tmp_path)


def settings(text: str) -> None:
    Path("evaltui.toml").write_text(f'agent = "mine"\n[agents.mine]\ntype = "echo"\n{text}\n')


def test_it_is_checked_and_run(capsys: pytest.CaptureFixture[str]) -> None:
    settings('tool = "find_order"')
    assert run_command(["check"]) == 0
    capsys.readouterr()
    assert run_command(["run", ORDERS]) == 0
    assert "2/2 passed" in capsys.readouterr().out


def test_what_it_answers_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    settings('tool = "play_music"')
    assert run_command(["run", ORDERS]) == 1
    assert 'but got ["play_music"]' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tool = 5", "evaltui.toml:4:1: `agents.mine.tool`: `tool` is a number, not text."),
        ("", "evaltui.toml:2:9: `agents.mine`: `tool` is missing."),
        (
            'tool = "t"\ntol = 1',
            "evaltui.toml:5:1: `agents.mine.tol`: `tol` is not a known option of `echo`",
        ),
    ],
)
def test_check_and_run_say_the_same_of_its_profile(
    text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings(text)
    assert run_command(["check"]) == 2
    assert said in capsys.readouterr().out
    assert run_command(["run"]) == 2
    assert said in capsys.readouterr().err


def test_it_is_named_where_another_is_misspelt(capsys: pytest.CaptureFixture[str]) -> None:
    settings('tool = "t"')
    Path("evaltui.toml").write_text('[agents.mine]\ntype = "ecko"\n')
    assert run_command(["check"]) == 2
    assert "Did you mean `echo`?" in capsys.readouterr().out
