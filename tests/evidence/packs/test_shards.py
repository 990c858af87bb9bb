"""Parts of a run become the pack of the whole run, byte for byte, or nothing."""

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import UserError
from evaltui.evidence.compared.side import read_side
from evaltui.evidence.packs.shards import Shard, read_shard
from tests.evidence.made_packs import hashed_anew, made_pack, read, says, suite_of
from tests.evidence.test_pack import files_of

TIMES = ("generated_at", "started_at")


def cases(count: int) -> list[dict[str, Any]]:
    """Every third fails, some say what they cost, one is judged by `expected_output`."""
    found = []
    for n in range(count):
        case = says(f"c{n}", "yes" if n % 3 else "no", metadata={"token_usage": {"cost_usd": n}})
        case["trace"][0]["latency_ms"] = 1.5 * n if n % 2 else None
        found.append(case)
    found[-1] = {**found[-1], "regex_patterns": [], "expected_output": "yes"}
    return found


def parts(folder: Path, suite: Path, count: int, *flags: str) -> list[str]:
    for n in range(1, count + 1):
        argv = ["run", "--suite", str(suite), "--out", str(folder / f"s{n}"), "--run-id", "r"]
        assert run_command([*argv, "--shard", f"{n}/{count}", *flags]) == 0
    return [str(folder / f"s{n}") for n in range(1, count + 1)]


def without_times(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    kept = (line for line in lines if not any(f'"{name}"'.encode() in line for name in TIMES))
    hashes = (b'"report.json": ', b'"run/config.json": ')  # of what holds the times
    return b"".join(line for line in kept if not line.strip().startswith(hashes))


@pytest.mark.parametrize("count", [1, 2, 3, 7, 11])
def test_merged_parts_are_the_run(tmp_path: Path, count: int) -> None:
    suite = suite_of(tmp_path / "s.json", *cases(10))
    whole = made_pack(tmp_path / "r", suite)
    packs = parts(tmp_path, suite, count)
    assert run_command(["merge", *reversed(packs), "--out", str(tmp_path / "m")]) == 0
    found, wanted = files_of(tmp_path / "m"), files_of(whole)
    assert found.keys() == wanted.keys()
    differing = [n for n in wanted if without_times(found[n]) != without_times(wanted[n])]
    assert differing == []
    assert run_command(["replay", "--run", str(tmp_path / "m")]) == 0


@pytest.mark.parametrize("place", ["s1", "./x/../s1", "link", "s1/merged", "link/merged"])
def test_no_part_is_replaced_by_what_is_merged(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = tmp_path / "runs"
    packs = parts(runs, suite_of(tmp_path / "s.json", *cases(4)), 2)
    (tmp_path / "x").mkdir()
    (runs / "link").symlink_to("s1")
    before = files_of(runs / "s1")
    capsys.readouterr()
    assert run_command(["merge", *packs, "--out", f"{runs}/{place}"]) == 1
    assert "which would be replaced" in capsys.readouterr().err
    assert files_of(runs / "s1") == before
    assert run_command(["merge", *packs, "--out", str(tmp_path / "x")]) == 0
    assert run_command(["merge", *packs, "--out", str(runs)]) == 0, "beside them"
    assert run_command(["merge", *packs, "--out", str(tmp_path)]) == 1


@pytest.fixture
def three(tmp_path: Path) -> list[str]:
    return parts(tmp_path, suite_of(tmp_path / "s.json", *cases(5)), 3)


def refused(capsys: Any, *packs: str, why: str) -> None:
    capsys.readouterr()
    out = Path(packs[0]).parent / "m"
    assert run_command(["merge", *packs, "--out", str(out)]) == 1
    assert why in json.loads(capsys.readouterr().err)["error"]["message"]
    assert not out.exists()


def test_every_part_is_there_once(three: list[str], capsys: Any) -> None:
    refused(capsys, three[0], three[2], why="Part 2 of 3")
    refused(capsys, *three, three[1], why="twice")


def test_parts_of_other_runs_are_refused(three: list[str], tmp_path: Path, capsys: Any) -> None:
    (other,) = parts(tmp_path / "o", suite_of(tmp_path / "o.json", *cases(6)), 3)[1:2]
    refused(capsys, three[0], other, three[2], why="another suite")
    told = parts(tmp_path / "t", tmp_path / "s.json", 3, "--model", "m-2")[1]
    refused(capsys, three[0], told, three[2], why="model differs")
    refused(capsys, str(made_pack(tmp_path / "w", tmp_path / "s.json")), why="is not part")


def test_parts_that_other_judges_judged_are_refused(
    three: list[str], tmp_path: Path, capsys: Any
) -> None:
    """What one part was not asked would pass in the whole."""
    suite = tmp_path / "s.json"
    (fewer,) = parts(tmp_path / "f", suite, 3, "--judge", "policy")[1:2]
    refused(capsys, three[0], fewer, three[2], why="other judges")
    named = ["--judge", "policy", "--judge", "expected_output"]
    (other,) = parts(tmp_path / "n", suite, 3, *named)[2:]
    refused(capsys, *parts(tmp_path / "p", suite, 3, "--judge", "policy")[:2], other, why="other")


def test_a_part_is_what_its_attestation_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Nobody has a forged verdict signed by merging it."""
    monkeypatch.setenv("AGENT_EVAL_ATTESTATION_SECRET", "of a release")
    packs = parts(tmp_path, suite_of(tmp_path / "s.json", *cases(4)), 2)
    assert run_command(["merge", *packs, "--out", str(tmp_path / "all")]) == 0
    verdicts = Path(packs[1]) / "run" / "summary.json"
    verdicts.write_text(verdicts.read_text() + " ")
    manifest = Path(packs[1]) / "manifest.json"
    told = read(manifest)
    told["file_hashes"]["run/summary.json"] = sha256(verdicts.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(told))
    refused(capsys, *packs, why="does not attest")
    (Path(packs[1]) / "run" / "provenance_attestation.json").unlink()
    refused(capsys, *packs, why="there is none")
    monkeypatch.delenv("AGENT_EVAL_ATTESTATION_SECRET")
    (Path(packs[0]) / "run" / "provenance_attestation.json").unlink()
    assert run_command(["merge", *packs, "--out", str(tmp_path / "unsigned")]) == 0


@pytest.mark.parametrize("name", ["judges/zz.json", "cases/zz/verdicts.json", "run/more.json"])
def test_a_part_to_which_a_file_was_added_is_refused(
    three: list[str], capsys: Any, name: str
) -> None:
    place = Path(three[1]) / name
    place.parent.mkdir(exist_ok=True)
    place.write_text("{}")
    refused(capsys, *three, why="was added")


def test_a_part_whose_summary_was_changed_is_refused(three: list[str], capsys: Any) -> None:
    place = Path(three[1]) / "run" / "summary.json"
    place.write_text(place.read_text() + " ")
    refused(capsys, *three, why="was changed")


def test_a_part_that_was_changed_is_refused(three: list[str], capsys: Any) -> None:
    report = Path(three[1]) / "report.json"
    report.write_text(report.read_text().replace("true", "false"))
    refused(capsys, *three, why="was changed")


@pytest.mark.parametrize("kind", ["changed", "link", "pipe"])
@pytest.mark.parametrize("name", ["report.json", "cases/c2/verdicts.json"])
def test_a_file_of_a_part_that_is_not_as_it_was_is_refused(
    three: list[str], capsys: Any, name: str, kind: str
) -> None:
    place = Path(three[1]) / name
    assert place.is_file()
    if kind == "changed":
        place.write_text(place.read_text() + " ")
    elif kind == "link":
        place.rename(place.with_name("away"))
        place.symlink_to("away")
    else:
        place.unlink()
        os.mkfifo(place)
    refused(capsys, *three, why={"changed": "was changed", "link": "is a link"}.get(kind, name))


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("run/shard.json", {"values": {}}, "values"),
        ("run/shard.json", {"index": "2"}, "shard.json"),
        ("run/shard.json", {"case_ids": ["c1"]}, "same id"),
        ("run/shard.json", {"case_ids": ["c1", "x"]}, "names other cases"),
        ("run/config.json", {"pinned_env": True}, "pinned_env"),
        ("run/config.json", {"judges": 1.5}, "judges"),
    ],
)
def test_a_damaged_note_of_a_part_is_named(
    three: list[str], capsys: Any, name: str, change: dict[str, Any], why: str
) -> None:
    place = Path(three[1]) / name
    place.write_text(json.dumps({**read(place), **change}))
    manifest = Path(three[1]) / "manifest.json"
    told = read(manifest)
    told["file_hashes"][name] = sha256(place.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(told))
    refused(capsys, *three, why=why)


def test_what_a_note_counts_besides_counts_nothing(three: list[str], tmp_path: Path) -> None:
    """As notes of earlier versions do."""
    place = Path(three[0]) / "run" / "shard.json"
    counted = {"passed": 1, "hard_failed": 0, "by_judge": {"regex": [1, 1]}}
    place.write_text(json.dumps({**read(place), **counted, "report_cases": [0, 0]}))
    hashed_anew(Path(three[0]), "run/shard.json")
    assert run_command(["merge", *three, "--out", str(tmp_path / "m")]) == 0
    found = read(tmp_path / "m" / "run" / "summary.json")
    assert (found["total_cases"], found["passed_cases"]) == (5, 3)
    assert found["judge_pass_rates"]["regex"] == 0.5
    whole = read_side(tmp_path / "m").cases or {}
    assert [row.passed for row in whole.values()] == [False, True, True, False, True]


def test_verdicts_of_a_part_are_those_of_its_cases(three: list[str], capsys: Any) -> None:
    cases = Path(three[1]) / "cases"
    (cases / "c2" / "verdicts.json").write_bytes((cases / "c1" / "verdicts.json").read_bytes())
    hashed_anew(Path(three[1]), "cases/c2/verdicts.json")
    refused(capsys, *three, why="is about `c1`, not `c2`")


def test_a_verdict_of_a_part_is_that_of_its_judges(three: list[str], capsys: Any) -> None:
    place = Path(three[0]) / "cases" / "c0" / "verdicts.json"
    place.write_text(json.dumps({**read(place), "passed": True, "hard_failed": False}))
    hashed_anew(Path(three[0]), "cases/c0/verdicts.json")
    refused(capsys, *three, why="its judge `regex` did not")


def test_a_doubled_id_is_found_across_parts(tmp_path: Path, capsys: Any) -> None:
    suite = suite_of(tmp_path / "s.json", says("a", "yes"), says("a", "yes"))
    refused(capsys, *parts(tmp_path, suite, 2), why="same id")


def test_a_part_needs_a_run_id(tmp_path: Path, capsys: Any) -> None:
    suite = suite_of(tmp_path / "s.json", *cases(2))
    argv = ["run", "--suite", str(suite), "--out", str(tmp_path / "p"), "--shard", "1/2"]
    assert run_command(argv) == 2
    assert "--run-id" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "1/0", "-1/2", "a/b"])
def test_a_part_is_one_of_so_many(text: str) -> None:
    with pytest.raises(UserError, match="not part"):
        read_shard(text)


def test_parts_are_neighbours_and_leave_nothing_out() -> None:
    for total in (0, 1, 5, 100):
        for count in (1, 2, 3, 7):
            found = [n for i in range(1, count + 1) for n in Shard(i, count).cases(total)]
            assert found == list(range(total))


def test_a_part_can_be_looked_at_like_any_pack(three: list[str]) -> None:
    assert run_command(["replay", "--run", three[1]]) == 0
    assert read(Path(three[1]) / "run" / "summary.json")["total_cases"] == 2
