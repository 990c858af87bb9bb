"""The gate lets nothing pass whose packs are not those that were compared, as they were written."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evidence.made_packs import GOOD, as_other_program, hashed_anew, made_pack, read

PARTS = (
    "report.json",
    "run/summary.json",
    "run/config.json",
    "run/events.jsonl",
    "cases/case-1/verdicts.json",
    "cases/case-1/trajectory.json",
    "judges/policy.json",
    "manifest.json",
)


class Compared:
    """Two packs, and the report about them."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.baseline = made_pack(root / "a", GOOD)
        self.candidate = made_pack(root / "b", GOOD)
        self.report = self.candidate / "compare" / "baseline_delta.json"
        self._capsys = capsys

    def compare(self, *flags: str) -> int:
        sides = ("--baseline", str(self.baseline), "--candidate", str(self.candidate))
        code = run_command(["compare", *sides, *flags])
        self._capsys.readouterr()
        return code

    def refused(self) -> str:
        """Why the gate lets it not pass; empty if it does."""
        code = run_command(["gate", "--compare", str(self.report), "--min-pass-rate", "1"])
        decision = read(self.report.parent / "gate_decision.json")
        assert (code == 0) == decision["passed"] == (not decision["failures"])
        return "; ".join(decision["failures"])


@pytest.fixture
def pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Compared:
    return Compared(tmp_path, capsys)


@pytest.mark.parametrize("is_beside", [False, True], ids=["in the pack", "elsewhere"])
@pytest.mark.parametrize("side", ["baseline", "candidate"])
@pytest.mark.parametrize("name", PARTS)
def test_a_pack_that_was_changed_does_not_pass_on_either_side(
    name: str, side: str, is_beside: bool, pair: Compared, tmp_path: Path
) -> None:
    if is_beside:
        pair.report = tmp_path / "reports" / "report.json"
        pair.report.parent.mkdir()
    assert pair.compare("--out", str(pair.report)) == 0
    assert pair.refused() == ""
    file = getattr(pair, side) / name
    file.write_bytes(file.read_bytes() + b" ")
    assert str(getattr(pair, side)) in (why := pair.refused())
    assert "changed after it was written" in why or "a different pack than was compared" in why
    file.unlink()
    assert "changed after it was written" in pair.refused()


@pytest.mark.parametrize("side", ["baseline", "candidate"])
@pytest.mark.parametrize("name", PARTS[2:-1])
def test_what_compare_does_not_read_is_held_where_it_was_changed_before(
    name: str, side: str, pair: Compared
) -> None:
    file = getattr(pair, side) / name
    file.write_bytes(file.read_bytes() + b" ")
    assert pair.compare() == 0
    assert f"{name}` was changed after" in pair.refused()


def test_a_file_more_does_not_pass(pair: Compared) -> None:
    pair.compare()
    (pair.baseline / "cases" / "more").mkdir()
    shutil.copy(pair.baseline / "cases/case-1/verdicts.json", pair.baseline / "cases/more")
    assert "verdicts.json` was added after" in pair.refused()


def rewritten(file: Path, **changes: Any) -> None:
    file.write_text(json.dumps({**read(file), **changes}))


@pytest.mark.parametrize("side", ["baseline", "candidate"])
def test_a_report_that_tells_other_verdicts_does_not_pass(side: str, pair: Compared) -> None:
    pack = getattr(pair, side)
    (row,) = read(pack / "report.json")["cases"]
    rewritten(pack / "report.json")  # the same verdicts in another layout
    hashed_anew(pack, "report.json")
    assert pair.compare() == 0
    assert pair.refused() == ""
    judged = [{**one, "reason": "another"} for one in row["judge_results"]]
    rewritten(pack / "report.json", cases=[{**row, "judge_results": judged}])
    hashed_anew(pack, "report.json")
    assert pair.compare() == 0
    assert "something else of `case-1` than its verdicts" in pair.refused()


@pytest.mark.parametrize("side", ["baseline", "candidate"])
def test_another_run_in_its_place_is_not_what_was_compared(side: str, pair: Compared) -> None:
    pair.report = pair.baseline.parent / "report.json"
    pair.compare("--out", str(pair.report))
    made_pack(getattr(pair, side), GOOD)
    assert "a different pack than was compared" in pair.refused()


def test_of_a_baseline_that_is_no_longer_there_nothing_is_known(pair: Compared) -> None:
    pair.compare()
    shutil.rmtree(pair.baseline)
    assert pair.refused() == ""


def test_a_pack_that_was_moved_with_its_report_is_held_where_it_is(pair: Compared) -> None:
    pair.compare()
    moved = pair.candidate.rename(pair.candidate.parent / "moved")
    pair.report = moved / "compare" / "baseline_delta.json"
    assert pair.refused() == ""
    (moved / "run" / "events.jsonl").write_text("")
    assert "events.jsonl` was changed" in pair.refused()


def test_a_report_of_another_program_names_its_baseline_too(pair: Compared) -> None:
    pair.compare()
    report = read(pair.report)
    del report["packs"]
    pair.report.write_text(json.dumps(report))
    assert pair.refused() == ""
    (pair.baseline / "run" / "events.jsonl").write_text("")
    assert "events.jsonl` was changed" in pair.refused()


def test_without_hashes_a_pack_of_another_program_is_held_by_its_verdicts(pair: Compared) -> None:
    as_other_program(pair.baseline)
    assert pair.compare() == 0
    assert pair.refused() == ""
    verdicts = pair.baseline / "cases" / "case-1" / "verdicts.json"
    rewritten(verdicts, passed=False)
    assert "something else of `case-1`" in pair.refused()


def test_a_file_is_compared_beside_a_report_that_is_no_pack(
    pair: Compared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair.candidate = pair.candidate / "report.json"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.json").write_text("[]")  # of something else
    pair.report = tmp_path / "compare" / "baseline_delta.json"
    assert pair.compare() == 0
    assert pair.refused() == ""


SECRET = "AGENT_EVAL_ATTESTATION_SECRET"
PLACE = "run/provenance_attestation.json"


@pytest.fixture
def signed(pair: Compared, monkeypatch: pytest.MonkeyPatch) -> Compared:
    """Both packs, with a secret that is in the environment no more."""
    for pack in (pair.baseline, pair.candidate):
        assert run_command(["attest", "--run", str(pack), "--secret", "a-long-secret"]) == 0
    monkeypatch.delenv(SECRET, raising=False)
    assert pair.compare() == 0
    return pair


@pytest.mark.parametrize("side", ["baseline", "candidate"])
def test_what_was_attested_passes_with_and_without_its_secret(
    side: str, signed: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert signed.refused() == ""
    monkeypatch.setenv(SECRET, "a-long-secret")
    assert signed.refused() == ""
    monkeypatch.setenv(SECRET, "another")
    assert "does not attest what is in the pack: the signature is for another" in (signed.refused())
    monkeypatch.setenv(SECRET, "a-long-secret")
    rewritten(getattr(signed, side) / PLACE, signature=None)
    assert str(getattr(signed, side) / PLACE) in (why := signed.refused())
    assert "it is not signed" in why
    (getattr(signed, side) / PLACE).unlink()
    assert "there is none, and" in signed.refused(), "who may delete it gets no further"
    monkeypatch.delenv(SECRET)
    assert signed.refused() == ""


@pytest.mark.parametrize("side", ["baseline", "candidate"])
def test_a_pack_whose_hashes_were_made_anew_is_not_what_was_attested(
    side: str, signed: Compared
) -> None:
    pack = getattr(signed, side)
    (pack / "run" / "events.jsonl").write_text("")
    hashed_anew(pack, "run/events.jsonl")
    assert signed.compare() == 0
    assert "`run/events.jsonl` was changed" in signed.refused()


def test_an_attestation_that_cannot_be_read_does_not_pass(signed: Compared) -> None:
    (signed.candidate / PLACE).write_text("{")
    assert PLACE in signed.refused()
    (signed.candidate / PLACE).unlink()
    (signed.candidate / PLACE).symlink_to("gone")
    assert PLACE in signed.refused()


def test_what_another_program_attested_below_compare_may_be_written_anew(signed: Compared) -> None:
    place = signed.candidate / PLACE
    hashes = {**read(place)["file_hashes"], "compare/baseline_delta.json": "0" * 64}
    rewritten(place, file_hashes=hashes)
    assert signed.refused() == ""
