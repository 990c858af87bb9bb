"""A damaged pack is named with file and field, by whatever reads it again."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evidence.made_packs import GOOD, as_other_program, made_pack, read

CASE = "cases/case-1/verdicts.json"
DAMAGE = [
    ("run/config.json", "judges", 5, "judges", "replay"),
    ("run/config.json", "judge_configs", "x", "judge_configs", "replay"),
    ("run/summary.json", "hard_fail_rate", 10**400, "hard_fail_rate", "compare"),
    ("run/summary.json", "judge_pass_rates", [5], "judge_pass_rates", "compare"),
    ("report.json", "run_config", {"judge_configs": 5}, "run_config.judge_configs", "compare"),
    (CASE, "judge_results", [{"judge_id": []}], "judge_results[0].judge_id", "replay"),
    (CASE, "judge_results", [{"judge_id": "a"}], "judge_results[0]", "replay"),
]


@pytest.fixture
def pack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Without hashes, as packs of other programs are."""
    pack = as_other_program(made_pack(tmp_path / "p", GOOD))
    capsys.readouterr()
    return pack


@pytest.mark.parametrize(
    ("file", "name", "value", "key", "command"), DAMAGE, ids=lambda one: str(one)[:30]
)
def test_what_is_damaged_is_named_with_file_and_field(
    file: str, name: str, value: Any, key: str, command: str, pack: Path, capsys: Any
) -> None:
    (pack / file).write_text(json.dumps({**read(pack / file), name: value}))
    sides = ["compare", "--baseline", str(pack), "--candidate", str(pack)]
    assert run_command(sides if command == "compare" else ["replay", "--run", str(pack)]) == 1
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["code"], error["details"]["key"]) == ("validation_error", key)
    assert error["details"]["file"] == str(pack / file)


def test_a_list_of_a_judge_is_held_too(pack: Path, capsys: Any) -> None:
    (pack / "judges/policy.json").write_text('[{"case_id": "case-1", "judge_id": {}}]')
    assert run_command(["replay", "--run", str(pack)]) == 1
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["details"]["key"] == "[0].judge_id"
    assert error["details"]["file"] == str(pack / "judges/policy.json")
