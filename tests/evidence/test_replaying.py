"""Replay: a pack that was not touched is confirmed, and nothing that was doctored is."""

import asyncio
import json
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.evidence.replaying import replay
from tests.evidence.made_packs import BAD, made_pack, read, says, suite_of


def replayed(pack: Path) -> dict[str, Any]:
    return asyncio.run(replay(pack))


def doctored(pack: Path, name: str, old: str, new: str, *, hidden: bool) -> None:
    """Change a file; `hidden`: its hash in the manifest too."""
    path = pack / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    if hidden:
        manifest = read(pack / "manifest.json")
        manifest["file_hashes"][name] = sha256(path.read_bytes()).hexdigest()
        (pack / "manifest.json").write_text(json.dumps(manifest))


def test_the_same_traces_give_the_same_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = made_pack(tmp_path / "p", BAD)
    capsys.readouterr()
    assert run_command(["replay", "--run", str(pack)]) == 0
    told = json.loads(capsys.readouterr().out)
    out = pack / "compare" / "replay_report.json"
    assert told == {**read(out), "out": str(out)}
    assert told["replay_passed"] and told["summary_match"]
    assert told["replayed_summary"] == read(pack / "run" / "summary.json")
    lists = ("case_mismatches", "verdict_mismatches", "file_mismatches", "env_mismatches")
    assert [told[name] for name in lists] == [[]] * 4
    assert replayed(pack)["replay_passed"], "what later commands write is no part of the run"


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("cases/case-1/verdicts.json", '"passed": false', '"passed": true'),
        ("cases/case-1/verdicts.json", '"reason": "policy', '"reason": "no policy'),
        ("cases/case-1/verdicts.json", '"score": 0.0', '"score": 0.5'),
        ("cases/case-1/verdicts.json", '"delete_database"', '"nothing"'),
        ("cases/case-1/trajectory.json", '"delete_database"', '"search_weather"'),
        ("report.json", '"reason": "policy', '"reason": "no policy'),
        ("report.json", '"failed_cases": 1', '"failed_cases": 0'),
        ("judges/policy.json", '"passed": false', '"passed": true'),
        ("run/summary.json", '"failed_cases": 1', '"failed_cases": 0'),
        ("run/config.json", '"model": "unknown"', '"model": "better"'),
        ("run/events.jsonl", "delete_database", "search_weather"),
    ],
)
def test_what_was_doctored_is_found(
    name: str, old: str, new: str, hidden: bool, tmp_path: Path
) -> None:
    pack = made_pack(tmp_path / "p", BAD)
    doctored(pack, name, old, new, hidden=hidden)
    assert not replayed(pack)["replay_passed"]


def test_a_case_that_is_gone_or_was_added_is_found(tmp_path: Path) -> None:
    pack = made_pack(tmp_path / "p", suite_of(tmp_path / "s", says("a", "yes"), says("b", "yes")))
    (pack / "cases" / "b").rename(tmp_path / "b")
    found = replayed(pack)
    assert not found["summary_match"]
    gone = {"path": "cases/b/verdicts.json", "problem": "is gone since its pack was written"}
    assert gone in found["file_mismatches"]


def test_verdicts_that_differ_are_named(tmp_path: Path) -> None:
    pack = made_pack(tmp_path / "p", BAD)
    doctored(pack, "cases/case-1/verdicts.json", '"passed": false', '"passed": true', hidden=True)
    found = replayed(pack)
    assert found["verdict_mismatches"] == [{"case_id": "case-1", "judges": ["tool_contract"]}]
    assert found["case_mismatches"] == []
    doctored(
        pack,
        "cases/case-1/verdicts.json",
        '"hard_failed": true',
        '"hard_failed": false',
        hidden=True,
    )
    assert replayed(pack)["case_mismatches"] == [
        {
            "case_id": "case-1",
            "saved_passed": False,
            "replayed_passed": False,
            "saved_hard_failed": False,
            "replayed_hard_failed": True,
        }
    ]


def test_pins_that_were_told_are_not_held_against_what_nobody_knows(tmp_path: Path) -> None:
    told = ("--prompt-hash", "x", "--policy-hash", "y", "--container-image", "z")
    pack = made_pack(tmp_path / "p", BAD, *told, "--git-commit", "abc")
    found = replayed(pack)
    assert found["replay_passed"]
    expected = ["container_image", "git_commit", "policy_hash", "prompt_hash"]
    assert found["env_unverified"] == expected


def test_other_dependencies_are_a_difference_and_a_commit_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def commit() -> None:
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q"]
        subprocess.run([*git, "--allow-empty", "-m", "a"], cwd=tmp_path, check=True)

    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    commit()
    (tmp_path / "requirements.txt").write_text("a==1\n")
    monkeypatch.chdir(tmp_path)
    pack = made_pack(tmp_path / "p", BAD)
    assert replayed(pack)["env_unverified"] == []
    commit()
    monkeypatch.chdir("/")
    found = replayed(pack)
    assert (found["replay_passed"], found["env_unverified"]) == (True, ["git_commit"])
    (tmp_path / "requirements.txt").write_text("a==2\n")
    (changed,) = replayed(pack)["env_mismatches"]
    assert changed["key"] == "dependency_lock_hash"
    monkeypatch.setattr("platform.python_version", lambda: "3.9.0")
    keys = [one["key"] for one in replayed(pack)["env_mismatches"]]
    assert keys == ["python_version", "dependency_lock_hash"]


def test_packs_of_other_rules_are_held_by_their_verdicts_alone(tmp_path: Path) -> None:
    pack = made_pack(tmp_path / "p", BAD)
    for name in ("cases/case-1/verdicts.json", "report.json", "judges/policy.json"):
        doctored(pack, name, "policy violations", "violations of policy", hidden=True)
    assert not replayed(pack)["replay_passed"]
    manifest = read(pack / "manifest.json")
    del manifest["judging_rules"]
    (pack / "manifest.json").write_text(json.dumps(manifest))
    assert replayed(pack)["replay_passed"]


def test_a_hash_that_leads_out_of_the_pack_is_not_followed(tmp_path: Path) -> None:
    pack = made_pack(tmp_path / "p", BAD)
    manifest = read(pack / "manifest.json")
    manifest["file_hashes"]["../secret"] = "0"
    (pack / "manifest.json").write_text(json.dumps(manifest))
    (found,) = replayed(pack)["file_mismatches"]
    assert found["problem"] == "leads out of the pack"


def test_what_is_no_pack_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["replay", "--run", str(tmp_path)]) == 1
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "file_not_found"
