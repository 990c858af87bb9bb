"""Attestations: what was signed is whole, and nothing passes by leaving the signature out."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.evidence.packs.pack_hashes import changed_files, recorded_hashes
from tests.evidence.made_packs import GOOD, made_pack, read

PLACE = "run/provenance_attestation.json"
SECRET = "a-long-secret"


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("AGENT_EVAL_ATTESTATION_SECRET", raising=False)
    made = made_pack(tmp_path / "p", GOOD)
    assert run_command(["attest", "--run", str(made), "--secret", SECRET]) == 0
    return made


def verify(pack: Path, *flags: str) -> int:
    return run_command(["verify-attestation", "--run", str(pack), *flags])


def test_what_was_signed_is_verified_and_names_no_secret(pack: Path) -> None:
    told = read(pack / PLACE)
    assert (told["run_id"], told["signer"], told["signature_algorithm"]) == (
        "p",
        "local",
        "hmac-sha256",
    )
    assert SECRET not in (pack / PLACE).read_text()
    assert verify(pack, "--secret", SECRET) == 0
    assert verify(pack, "--secret", "another") == 1
    assert verify(pack) == 1, "who cannot check the signature knows nothing"


def test_what_later_commands_write_is_no_change(pack: Path) -> None:
    assert run_command(["replay", "--run", str(pack)]) == 0
    assert (pack / "compare" / "replay_report.json").is_file()
    assert verify(pack, "--secret", SECRET) == 0


@pytest.mark.parametrize(
    "name", ["report.json", "run/summary.json", "manifest.json", "cases/good-1/verdicts.json"]
)
def test_a_file_that_was_changed_is_found(pack: Path, name: str, capsys: Any) -> None:
    if not (pack / name).exists():
        (folder,) = (pack / "cases").iterdir()
        name = f"cases/{folder.name}/verdicts.json"
    (pack / name).write_text((pack / name).read_text() + " ")
    capsys.readouterr()
    assert verify(pack, "--secret", SECRET) == 1
    report = json.loads(capsys.readouterr().out)
    assert [one["path"] for one in report["hash_mismatches"]] == [name]
    assert report["signature_valid"]


def test_a_file_more_is_found(pack: Path) -> None:
    (pack / "cases" / "other.json").write_text("{}")
    assert verify(pack, "--secret", SECRET) == 1


@pytest.mark.parametrize(
    "name",
    ["run/provenance_attestation_more.sh", "run/provenance_attestation/x", "cases/zz", "run/pipe"],
)
def test_whatever_is_added_is_found(pack: Path, name: str) -> None:
    place, kept = pack / name, pack.parent / "elsewhere"
    if name == "cases/zz":
        (pack.parent / "elsewhere").mkdir()
        place.symlink_to(kept)
    elif name == "run/pipe":
        os.mkfifo(place)
    else:
        place.parent.mkdir(exist_ok=True)
        place.write_text("x")
    assert verify(pack, "--secret", SECRET) == 1
    assert run_command(["attest", "--run", str(pack)]) == 1, "nor is it attested"


@pytest.mark.parametrize("change", [{"signature": None}, {"signer": "somebody"}])
def test_a_list_that_was_written_anew_does_not_pass(pack: Path, change: dict[str, Any]) -> None:
    (pack / PLACE).write_text(json.dumps({**read(pack / PLACE), **change}))
    assert verify(pack, "--secret", SECRET) == 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"signature": "\u00e9" * 64}, "for another text or secret"),
        ({"file_hashes": {"run/a\0b": "0"}}, "run/a"),
    ],
)
def test_nor_one_of_what_no_list_of_ours_holds(
    pack: Path, change: dict[str, Any], told: str, capsys: Any
) -> None:
    (pack / PLACE).write_text(json.dumps({**read(pack / PLACE), **change}))
    capsys.readouterr()
    assert verify(pack, "--secret", SECRET) == 1
    assert told in capsys.readouterr().out


def test_nor_one_in_which_a_key_stands_twice(pack: Path, capsys: Any) -> None:
    text = (pack / PLACE).read_text()
    (pack / PLACE).write_text(text.replace("{", '{"signer": "somebody",', 1))
    capsys.readouterr()
    assert verify(pack, "--secret", SECRET) == 1
    assert "`signer` is written twice" in capsys.readouterr().err
    (pack / PLACE).write_text("[]")
    assert verify(pack, "--secret", SECRET) == 1
    assert "holds no object" in capsys.readouterr().err


def test_a_pack_that_was_changed_is_not_attested(pack: Path) -> None:
    (pack / "report.json").write_text("{}")
    assert run_command(["attest", "--run", str(pack)]) == 1


def test_a_pack_that_lost_its_hashes_is_neither_attested_nor_verified(
    pack: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is neither compared nor replayed: whatever was changed in it, nothing tells."""
    manifest = read(pack / "manifest.json")
    manifest["file_hashes"] = None
    (pack / "manifest.json").write_text(json.dumps(manifest))
    capsys.readouterr()
    assert run_command(["attest", "--run", str(pack), "--secret", SECRET]) == 1
    assert "has no `file_hashes`" in capsys.readouterr().err
    # What an earlier version signed.
    monkeypatch.setattr("evaltui.evidence.gates.attestation.refuse_changed", lambda _: None)
    assert run_command(["attest", "--run", str(pack), "--secret", SECRET]) == 0
    capsys.readouterr()
    assert verify(pack, "--secret", SECRET) == 1
    report = json.loads(capsys.readouterr().out)
    assert [one["path"] for one in report["hash_mismatches"]] == ["manifest.json"]
    assert report["signature_valid"]


@pytest.mark.parametrize(
    "rest", [{}, {"run": "it is not a file"}], ids=["no hashes", "one made up"]
)
def test_nothing_is_written_out_of_the_pack_through_a_link(
    rest: dict[str, str], tmp_path: Path, capsys: Any
) -> None:
    pack = made_pack(tmp_path / "p", GOOD)
    elsewhere = (pack / "run").rename(tmp_path / "elsewhere")
    (pack / "run").symlink_to(elsewhere)
    manifest = read(pack / "manifest.json")
    hashes = {n: one for n, one in manifest["file_hashes"].items() if not n.startswith("run/")}
    manifest["file_hashes"] = {**hashes, **rest} if rest else None
    (pack / "manifest.json").write_text(json.dumps(manifest))
    before = sorted(elsewhere.iterdir())
    capsys.readouterr()
    assert run_command(["attest", "--run", str(pack)]) == 1
    assert "leads out of the pack through a link" in capsys.readouterr().err
    assert sorted(elsewhere.iterdir()) == before
    assert run_command(["attest", "--run", str(pack), "--out", str(tmp_path / "list.json")]) == 1


def test_without_a_secret_only_hashes_are_held(tmp_path: Path, pack: Path) -> None:
    out = str(tmp_path / "list.json")
    assert run_command(["attest", "--run", str(pack), "--out", out]) == 0
    assert verify(pack, "--attestation", out) == 0
    assert verify(pack, "--attestation", out, "--secret", SECRET) == 1


@pytest.mark.parametrize("command", ["attest", "verify-attestation", "run"])
@pytest.mark.parametrize("is_typed", [False, True])
def test_a_secret_that_is_no_text_is_refused_in_a_sentence(
    command: str, is_typed: bool, pack: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    if is_typed and command == "run":
        return
    run = ["--suite", str(GOOD), "--out", str(pack.with_name("q"))]
    argv = [command, *(run if command == "run" else ["--run", str(pack)])]
    if is_typed:
        argv += ["--secret", "mine\udcff"]
    else:
        monkeypatch.setenv("AGENT_EVAL_ATTESTATION_SECRET", "mine\udcff")
    capsys.readouterr()
    assert run_command(argv) == 1
    said = json.loads(capsys.readouterr().err)["error"]
    assert said["code"] == "validation_error" and "is no UTF-8" in said["message"]
    assert "mine" not in said["message"] and "codec" not in said["message"]


def test_a_run_signs_where_the_environment_has_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_EVAL_ATTESTATION_SECRET", SECRET)
    made = made_pack(tmp_path / "q", GOOD)
    assert read(made / PLACE)["signer"] == "env:hmac"
    assert verify(made) == 0
    assert SECRET.encode() not in b"".join(p.read_bytes() for p in made.rglob("*") if p.is_file())


@pytest.mark.parametrize(
    ("name", "is_taken"),
    [
        ("run/list.json", False),
        ("run/../judges/list.json", False),
        ("report.json", False),
        ("run/provenance_attestation.json", True),
        ("compare/list.json", True),
        ("list.json", True),
    ],
)
def test_no_attestation_is_a_file_that_was_added_to_the_pack(
    name: str, is_taken: bool, pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (pack / "report.json").read_bytes()
    out = str(pack / name)
    assert run_command(["attest", "--run", str(pack), "--out", out]) == (0 if is_taken else 1)
    assert ("would add a file to the pack" in capsys.readouterr().err) is not is_taken
    assert (pack / "report.json").read_bytes() == before
    assert [*changed_files(pack, recorded_hashes(pack))] == []


@pytest.mark.parametrize("command", ["attest", "verify-attestation"])
def test_a_link_that_leads_to_itself_is_told(tmp_path: Path, command: str, capsys: Any) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert run_command([command, "--run", str(loop)]) == 1
    said = capsys.readouterr().err
    assert str(loop) in said and "internal_error" not in said
