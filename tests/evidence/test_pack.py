"""The evidence pack: what lies where, that it is whole, and that it replaces only its like."""

import errno
import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.evidence.packs import background_writer
from evaltui.evidence.packs.pack_hashes import changed_files, recorded_hashes
from evaltui.evidence.packs.pack_writer import GATHERED
from tests.evidence.made_packs import BAD, GOOD, made_pack, read, says, suite_of

GOLDEN = Path(__file__).parent / "golden" / "pack"
CHANGING = ("manifest.json", "report.json", "run/config.json")
"""What holds times and paths; their shape is looked at by itself."""


def files_of(pack: Path) -> dict[str, bytes]:
    return {
        path.relative_to(pack).as_posix(): path.read_bytes()
        for path in sorted(pack.rglob("*"))
        if path.is_file()
    }


def test_the_files_are_those_that_are_kept(tmp_path: Path) -> None:
    found = files_of(made_pack(tmp_path / "candidate-1", BAD))
    if os.environ.get("EVALTUI_UPDATE_GOLDEN"):
        for name in found.keys() - set(CHANGING):
            (GOLDEN / name).parent.mkdir(parents=True, exist_ok=True)
            (GOLDEN / name).write_bytes(found[name])
    kept = files_of(GOLDEN)
    assert found.keys() - kept.keys() == set(CHANGING)
    assert {name: found[name] for name in kept} == kept
    assert (tmp_path / "candidate-1" / "cases" / "case-1" / "artifacts").is_dir()
    assert (tmp_path / "candidate-1" / "compare").is_dir()


def test_every_file_is_laid_out_as_the_standard_library_would(tmp_path: Path) -> None:
    for name, data in files_of(made_pack(tmp_path / "p")).items():
        if name.endswith(".json"):
            text = json.dumps(json.loads(data), indent=2, sort_keys=True) + "\n"
            assert data.decode() == text, name


def test_a_pack_of_no_case_is_one(tmp_path: Path) -> None:
    pack = made_pack(tmp_path / "p", suite_of(tmp_path / "s.json"))
    assert read(pack / "report.json")["cases"] == []
    assert read(pack / "run" / "summary.json")["pass_rate"] == 0.0


def test_config_and_report_tell_what_the_run_was(tmp_path: Path) -> None:
    told = ("--model", "m-1", "--seed", "7", "--prompt-hash", "abc", "--judge", "policy")
    pack = made_pack(tmp_path / "p", GOOD, *told)
    config = read(pack / "run" / "config.json")
    assert set(config) == {
        *("agent_version", "container_image", "dataset_id", "dependency_lock_hash"),
        *("execution_config", "execution_mode", "git_commit", "judge_configs", "judges", "model"),
        *("pinned_env", "policy_hash", "prompt_hash", "run_id", "schema_version", "seed"),
        "started_at",
    }
    assert set(config["pinned_env"]) == {
        *("cwd", "dependency_lock_hash", "env", "executable", "git_commit", "machine"),
        *("platform", "platform_release", "processor", "python_implementation"),
        "python_version",
    }
    assert (config["model"], config["seed"], config["prompt_hash"]) == ("m-1", 7, "abc")
    assert (config["judges"], config["execution_mode"]) == (["policy"], "trace_score")
    report = read(pack / "report.json")
    assert report["run_config"] == config
    assert report["summary"] == read(pack / "run" / "summary.json")
    assert report["cases"] == [read(pack / "cases" / "case-1" / "verdicts.json")]
    assert report["aggregate_result"] == {
        "pass_rate": 1.0,
        "hard_fail_rate": 0.0,
        "regression_delta": None,
        "gate_status": None,
    }


def test_the_manifest_has_the_hash_of_every_other_file(tmp_path: Path) -> None:
    pack = made_pack(tmp_path / "p", BAD)
    files = files_of(pack)
    manifest = json.loads(files.pop("manifest.json"))
    hashes = {name: sha256(data).hexdigest() for name, data in files.items()}
    assert manifest["file_hashes"] == hashes
    assert (manifest["version"], manifest["run_id"]) == ("1.0.0", "p")
    for name in manifest["files"].values():
        assert (pack / name).exists()


def test_the_same_suite_makes_the_same_bytes(tmp_path: Path) -> None:
    first = files_of(made_pack(tmp_path / "a" / "p", BAD))
    second = files_of(made_pack(tmp_path / "b" / "p", BAD))
    assert {name for name in first if first[name] != second[name]} == set(CHANGING)


def test_what_is_left_of_an_older_pack_goes_and_other_files_stay(tmp_path: Path) -> None:
    pack = made_pack(tmp_path / "p", suite_of(tmp_path / "s", says("a", "yes"), says("b", "no")))
    (pack / "notes.md").write_text("mine")
    (pack / "compare" / "baseline_delta.json").write_text("{}")
    made_pack(pack, suite_of(tmp_path / "s", says("b", "yes")))
    assert [path.name for path in (pack / "cases").iterdir()] == ["b"]
    assert (pack / "notes.md").read_text() == "mine"
    assert list((pack / "compare").iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p", "s"]


def test_a_run_that_fails_leaves_the_pack_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = made_pack(tmp_path / "p")
    before = files_of(pack)
    bad = suite_of(tmp_path / "s", says("a", "yes"), {"case_id": "b", "policy": "x"})
    assert run_command(["run", "--suite", str(bad), "--out", str(pack)]) == 1
    assert json.loads(capsys.readouterr().err)["error"]["details"]["key"] == "cases[1].policy"
    assert files_of(pack) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p", "s"]


def test_the_last_file_of_a_case_that_cannot_be_written_fails_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = made_pack(tmp_path / "p")
    before = files_of(pack)
    write = background_writer.write_small

    def refuse(path: str, data: bytes) -> None:
        if path.endswith("verdicts.json"):
            raise OSError(errno.ENOSPC, "no space left", path)
        write(path, data)

    monkeypatch.setattr(background_writer, "write_small", refuse)
    assert run_command(["run", "--suite", str(GOOD), "--out", str(pack)]) == 1
    assert files_of(pack) == before
    assert [one.name for one in tmp_path.iterdir()] == ["p"]


def test_lists_that_are_longer_than_what_is_gathered_are_whole(tmp_path: Path) -> None:
    cases = [says(f"c-{number}", "yes" if number % 3 else "no") for number in range(600)]
    pack = made_pack(tmp_path / "p", suite_of(tmp_path / "s.json", *cases))
    regex = read(pack / "judges" / "regex.json")
    assert (pack / "judges" / "regex.json").stat().st_size > GATHERED
    assert [(one["case_id"], one["passed"]) for one in regex] == [
        (one["case_id"], number % 3 > 0) for number, one in enumerate(cases)
    ]
    kept = [read(pack / "cases" / one["case_id"] / "verdicts.json") for one in cases]
    assert read(pack / "report.json")["cases"] == kept
    events = (pack / "run" / "events.jsonl").read_bytes().splitlines()
    assert [json.loads(one)["case_id"] for one in events] == [one["case_id"] for one in cases]
    assert [*changed_files(pack, recorded_hashes(pack))] == []


@pytest.mark.parametrize("name", ["cases/mine.txt", "mine.txt", "pack/manifest.json"])
def test_a_folder_that_is_no_pack_is_not_touched(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "there" / name
    mine.parent.mkdir(parents=True)
    if name == "pack/manifest.json":
        (mine.parent / "run").mkdir()
    mine.write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    assert run_command(["run", "--suite", str(GOOD), "--out", str(tmp_path / "there")]) == 1
    assert "is not an evidence pack" in json.loads(capsys.readouterr().err)["error"]["message"]
    assert mine.read_text() == "mine"
    assert sorted(tmp_path.rglob("*")) == before


def test_an_empty_folder_and_a_pack_with_other_files_in_it_take_a_pack(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / ".gitkeep").write_text("")
    for _ in range(2):
        made_pack(tmp_path / "p")
        (tmp_path / "p" / "mine.txt").write_text("mine")
    assert (tmp_path / "p" / "manifest.json").is_file()


@pytest.mark.parametrize("name", ["../../../x", "/abs/x", "a/b", "..", "con", "a" * 300, "\n"])
def test_ids_that_look_like_paths_stay_inside(name: str, tmp_path: Path) -> None:
    pack = made_pack(tmp_path / "in" / "p", suite_of(tmp_path / "s", says(name, "yes")))
    (folder,) = (pack / "cases").iterdir()
    assert read(folder / "verdicts.json")["case_id"] == name
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "s"]
