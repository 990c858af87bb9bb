"""What is in the way of agents is told by their tables, whatever they are called."""

from pathlib import Path

from evaltui.core.errors import UserError
from evaltui.project import JUDGE_TABLE, agent_problems, agent_table, unmade_error
from evaltui.settings.load import load_config

BOTH = 'agent = "judge"\n[agents.judge]\ntype = "http"\n[judge]\ntype = "openai"\n'
WRONG = UserError("`model` is missing", "Name one.")


def test_mistakes_of_the_judge_are_told_beside_those_of_an_agent_called_judge(
    tmp_path: Path,
) -> None:
    (tmp_path / "evaltui.toml").write_text(BOTH)
    config = load_config(tmp_path, {}).config
    mistaken = UserError("`url` is missing", "Name one.")
    found = agent_problems(config, {agent_table("judge"): mistaken, JUDGE_TABLE: WRONG})
    assert [(one.key, one.line) for one in found] == [("agents.judge", 2), ("judge", 4)]
    assert found[-1].what == WRONG.what
    raised = unmade_error(config, JUDGE_TABLE, WRONG)
    assert raised.what == "The judge cannot be made."
    assert "The agent `judge`" in unmade_error(config, agent_table("judge"), mistaken).what
