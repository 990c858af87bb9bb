"""`[judge]`: who scores rubrics."""

from pathlib import Path

import pytest

from evaltui.core.config import AgentProfile, Config, JudgeConfig
from evaltui.settings.load import load_config

MODEL = 'type = "openai"\nmodel = "m"\n'


def read(root: Path, text: str) -> tuple[Config, list[str]]:
    (root / "evaltui.toml").write_text(text)
    found = load_config(root)
    return found.config, [str(problem) for problem in found.problems]


def test_without_the_table_there_is_no_judge(tmp_path: Path) -> None:
    assert read(tmp_path, "")[0].judge is None


def test_it_is_a_model_with_options_of_its_type(tmp_path: Path) -> None:
    text = f"[judge]\n{MODEL}votes = 3\nthreshold = 0.8\nmax_requests_per_minute = 20\n"
    config, problems = read(tmp_path, text)
    profile = AgentProfile("judge", "openai", {"model": "m"}, max_requests_per_minute=20)
    assert config.judge == JudgeConfig(profile, votes=3, threshold=0.8)
    assert problems == []


def test_another_model_may_play_users_with_the_options_of_the_judge(tmp_path: Path) -> None:
    text = f"[judge]\n{MODEL}timeout = 9\nprice = {{ input = 1, output = 2 }}\n[judge.persona]\n"
    config, problems = read(tmp_path, f'{text}model = "p"\n')
    assert problems == []
    assert config.judge is not None
    player = AgentProfile("judge", "openai", {"model": "p", "timeout": 9})
    assert config.judge.profiles[1] == player, "what the judge costs is no price of another model"
    config, _ = read(tmp_path, f'{text}type = "anthropic"\nmodel = "c"\n')
    assert config.judge is not None
    assert config.judge.profiles[1] == AgentProfile("judge", "anthropic", {"model": "c"})


def test_it_may_be_a_profile_which_is_not_under_test_by_itself(tmp_path: Path) -> None:
    text = f'[judge]\nagent = "big"\n[agents.big]\n{MODEL}[agents.small]\n{MODEL}'
    config, problems = read(tmp_path, text)
    assert config.judge == JudgeConfig(AgentProfile("judge", "openai", {"model": "m"}))
    assert [agent.name for agent in config.agents] == ["small"]
    only, _ = read(tmp_path, f'[judge]\nagent = "big"\n[agents.big]\n{MODEL}')
    assert [agent.name for agent in only.agents] == ["embedded"]
    assert problems == []


def test_an_agent_that_is_chosen_may_judge_too(tmp_path: Path) -> None:
    text = f'agent = "big"\n[judge]\nagent = "big"\n[agents.big]\n{MODEL}'
    assert [agent.name for agent in read(tmp_path, text)[0].agents] == ["big"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"[judge]\n{MODEL}votes = 2\n",
            "evaltui.toml:4:1: `judge.votes`: `votes` is even. "
            "An odd number of votes always has a majority: write 1, 3 or 5.",
        ),
        (
            "[judge]\nvotes = 3\n",
            "evaltui.toml:1:2: `judge`: The judge has no `type`. "
            'Write `type = "openai"` with its options, or `agent = "NAME"` of a profile.',
        ),
        (
            f'[judge]\nagent = "x"\n{MODEL}',
            "evaltui.toml:1:2: `judge`: `type` and `agent` are both given. "
            'Write `type = "openai"` with its options, or `agent = "NAME"` of a profile.',
        ),
        (
            f'[judge]\nagent = "smal"\n[agents.small]\n{MODEL}',
            "evaltui.toml:2:1: `judge.agent`: There is no agent `smal` to judge. "
            "Did you mean `small`?",
        ),
        (
            '[judge]\ntype = "embedded"\n',
            "evaltui.toml:1:2: `judge`: The embedded agent cannot judge. "
            "It only chooses tools: name a model.",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    assert said in read(tmp_path, text)[1]
