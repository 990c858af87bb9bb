"""Settings of judges: what no judge knows is refused at its place, and holds nothing silently."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.cli.run_suite import judge_configs
from evaltui.core.errors import UserError
from evaltui.traces.judges import JUDGES
from evaltui.traces.judges.settings import SETTINGS, settings_mistakes
from evaltui.traces.mistakes import SuiteMistake
from tests.evidence.made_packs import GOOD
from tests.traces.judges.test_judges import call, judged, result, say


def wrong(configs: dict[str, Any]) -> list[tuple[str, str]]:
    found = settings_mistakes(configs, lambda name: ":" in name)
    return [(".".join(map(str, one.path)), one.hint) for one in found]


@pytest.mark.parametrize(
    ("configs", "key", "hint"),
    [
        ({"cost_budget": {"max_cost": 1}}, "cost_budget.max_cost", "Did you mean `max_cost_usd`?"),
        ({"cost_budgt": {}}, "cost_budgt", "Did you mean `cost_budget`?"),
        ({"policy": {"strict": True}}, "policy.strict", "Remove it."),
        ({"latency_slo": 5}, "latency_slo", "Write `{…}`."),
        ({"loop_guard": {"max_steps": "5"}}, "loop_guard.max_steps", "number"),
        ({"loop_guard": {"max_steps": -1}}, "loop_guard.max_steps", "number"),
        ({"tool_abuse": {"allowed_tools": "x"}}, "tool_abuse.allowed_tools", "list"),
        ({"lean": {"command": "x --y"}}, "lean.command", "list"),
        ({"lean": {"command": None}}, "lean.command", "Write `command`"),
        ({"lean": {"timeout_seconds": 3}}, "lean", "Write `command`"),
    ],
)
def test_a_mistake_is_told_with_what_was_meant(configs: Any, key: str, hint: str) -> None:
    ((found, told),) = wrong(configs)
    assert found == key
    assert hint in told


def test_what_judges_know_and_what_is_somebody_elses_is_right() -> None:
    assert wrong({"my:Own": {"anything": 5}, "lean": None, "policy": {}}) == []
    assert wrong({"cost_budget": {"max_cost_usd": 1, "max_total_tokens": None}}) == []
    limit = dict.fromkeys(SETTINGS["latency_slo"].model_fields, 1.5)
    assert wrong({"latency_slo": limit}) == []
    assert [*SETTINGS] == [*JUDGES]


LATER = {"timeout_seconds", "input_cost_per_1k", "output_cost_per_1k"}
"""Looked at where a pattern is slow, a program is started, a limit of cost is set."""


class Seen(dict[str, Any]):
    """Settings that know what they were asked for."""

    def __init__(self) -> None:
        super().__init__(other=1)
        self.asked: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(key)
        return super().get(key, default)


@pytest.mark.parametrize("name", JUDGES)
def test_what_a_judge_looks_at_is_what_may_be_set(name: str) -> None:
    seen = Seen()
    fields = {
        "expected_output": 5,
        "regex_patterns": ["x"],
        "metadata": {"lean_payload": {}, "token_usage": {"input_tokens": 1, "output_tokens": 1}},
    }
    events = [call("a"), result("a"), say("5", latency_ms=1)]
    judged(name, *events, config=seen, **fields)
    known = set(SETTINGS[name].model_fields)
    assert seen.asked <= known
    assert known - seen.asked <= LATER


def test_the_command_says_file_line_and_column(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "judges.json"
    path.write_text(json.dumps({"cost_budget": {"max_cost": 1}}, indent=1))
    run = ["run", "--suite", str(GOOD), "--out", str(tmp_path / "p"), "--judge-config", str(path)]
    assert run_command(run) == 1
    told = json.loads(capsys.readouterr().err)["error"]
    assert told["code"] == "validation_error"
    assert f"{path}:3:3: `cost_budget.max_cost`" in told["message"]
    assert not (tmp_path / "p").exists()
    path.write_text('{"cost_budget": {"max_cost": 1}, "polcy": {}}')
    with pytest.raises(UserError) as raised:
        judge_configs(path)
    assert len(raised.value.problems) == 2
    assert not isinstance(raised.value, SuiteMistake)
