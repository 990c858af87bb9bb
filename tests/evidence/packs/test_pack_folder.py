"""Where a pack is built: nothing is left there for ever."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.disk.file_lock import hold
from evaltui.evidence.packs.pack_folder import PARTS, new_pack
from tests.evidence.made_packs import GOOD, as_other_program, made_pack, read, says, suite_of


def test_what_killed_processes_left_is_removed_once_nobody_can_be_at_it(tmp_path: Path) -> None:
    names = (".p.0a1b2c3d", ".p.0a1b2c3d", ".p.ffffffff", ".p.ffffffff", ".q.0a1b2c3d")
    ends = ("", "-old", "", "-old", "")
    folders = [tmp_path / f"{name}.evaltui-tmp{end}" for name, end in zip(names, ends, strict=True)]
    for folder in folders:
        (folder / "run").mkdir(parents=True)
    held = hold(folders[2])
    assert held is not None
    made_pack(tmp_path / "p", GOOD)
    assert [folder.exists() for folder in folders] == [False, False, True, True, True]
    os.close(held)
    made_pack(tmp_path / "p", GOOD)
    assert [folder.exists() for folder in folders] == [False, False, False, False, True]


def test_a_pack_that_is_being_built_is_not_taken_for_one_that_was_left(tmp_path: Path) -> None:
    with new_pack(tmp_path / "p") as building:
        made_pack(tmp_path / "p", GOOD)
        assert building.is_dir()
        for name in PARTS:
            (building / name).mkdir()
    assert (tmp_path / "p" / "cases").is_dir()


@pytest.mark.parametrize("name", ["compare", "gate", "replay"])
def test_no_command_writes_out_of_a_pack_through_a_link_in_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack, elsewhere = made_pack(tmp_path / "p", GOOD), tmp_path / "elsewhere"
    report = pack / "compare" / "baseline_delta.json"
    compare = ["compare", "--baseline", str(pack), "--candidate", str(pack)]
    commands = {
        "compare": compare,
        "gate": ["gate", "--compare", str(report), "--min-pass-rate", "0"],
        "replay": ["replay", "--run", str(pack)],
    }
    assert run_command(compare) == 0
    (pack / "compare").rename(elsewhere)
    before = {path.name: path.read_bytes() for path in elsewhere.iterdir()}
    (pack / "compare").symlink_to(elsewhere)
    capsys.readouterr()
    assert run_command(commands[name]) != 0
    assert "leads out of the pack" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in elsewhere.iterdir()} == before
    (pack / "compare").unlink()
    elsewhere.rename(pack / "compare")
    assert run_command(commands[name]) == 0


@pytest.mark.parametrize("has_hashes", [True, False])
def test_files_that_a_pack_does_not_name_stay_when_it_is_replaced(
    has_hashes: bool, tmp_path: Path
) -> None:
    pack = made_pack(
        tmp_path / "p", suite_of(tmp_path / "2.json", says("a", "yes"), says("b", "no"))
    )
    report = str(pack / "compare" / "baseline_delta.json")
    assert run_command(["compare", "--baseline", str(pack), "--candidate", str(pack)]) == 0
    run_command(["gate", "--compare", report, "--min-pass-rate", "0"])
    page = ["--out", str(pack / "compare" / "report.md")]
    assert run_command(["report", "markdown", "--compare", report, *page]) == 0
    run_command(["replay", "--run", str(pack)])
    run_command(["attest", "--run", str(pack)])
    if not has_hashes:
        as_other_program(pack)
    mine = ["cases/a/artifacts/shot.png", "cases/b/artifacts/b.png", "compare/notes.txt"]
    mine += ["run/log.txt", "judges/own/x.json", "top.txt"]
    for name in mine:
        (pack / name).parent.mkdir(exist_ok=True)
        (pack / name).write_text(name)
    made_pack(pack, suite_of(tmp_path / "1.json", says("a", "yes")))
    assert [(pack / name).read_text() for name in mine] == mine
    written = {*read(pack / "manifest.json")["file_hashes"], "manifest.json"}
    there = {one.relative_to(pack).as_posix() for one in pack.rglob("*") if one.is_file()}
    assert there - written == {*mine}


@pytest.mark.parametrize("moves", range(2 * len(PARTS)))
def test_a_pack_whose_replacement_was_interrupted_is_as_it_was(
    moves: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = made_pack(tmp_path / "p", GOOD)
    before = {path: path.read_bytes() for path in pack.rglob("*") if path.is_file()}
    rename, left = Path.rename, [moves]

    def interrupted(path: Path, target: Path) -> Path:
        if not left[0]:
            monkeypatch.setattr(Path, "rename", rename)
            raise SystemExit(143)
        left[0] -= 1
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(SystemExit):
        run_command(["run", "--suite", str(GOOD), "--out", str(pack), "--run-id", "other"])
    assert {path: path.read_bytes() for path in pack.rglob("*") if path.is_file()} == before
    assert [one.name for one in tmp_path.iterdir()] == ["p"]


TOLD_TO_END = """
import os, signal, sys
from evaltui.cli.main import run_command
from evaltui.evidence.packs.pack_writer import PackWriter

def told_to_end(*_):
    os.kill(os.getpid(), signal.SIGTERM)

PackWriter.finish = told_to_end
sys.exit(run_command(["run", "--suite", sys.argv[1], "--out", "p"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nobody is told to end there")
def test_told_to_end_it_leaves_nothing_beside_the_pack(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", TOLD_TO_END, str(GOOD)]
    assert subprocess.run(argv, cwd=tmp_path, timeout=60, check=False).returncode == 143
    assert [*tmp_path.iterdir()] == []
