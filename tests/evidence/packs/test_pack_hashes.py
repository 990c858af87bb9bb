"""No file of a pack may be added: what reads or gates it says which."""

import os
import sys
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.evidence.packs.pack_hashes import PLACE, changed_files, recorded_hashes
from evaltui.evidence.packs.pack_reading import read_pack
from tests.evidence.made_packs import as_other_program, made_pack, read, says, suite_of

DELTA = Path("c/compare/baseline_delta.json")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packs `b` and `c`, compared, of which the gate lets the second pass."""
    monkeypatch.chdir(tmp_path)
    for name in "bc":
        made_pack(Path(name), suite_of(Path(f"{name}.json"), says("x", "yes"), says("y", "yes")))
    assert run_command(["compare", "--baseline", "b", "--candidate", "c"]) == 0
    assert gate() == 0


def gate() -> int:
    return run_command(["gate", "--compare", str(DELTA), "--min-pass-rate", "1"])


ADDED = [
    "judges/evil.json",
    "judges/sub/regex.json",
    "run/extra.json",
    "cases/notes.txt",
    "cases/x/more.json",
    "cases/x/artifacts/a.txt",
    "cases/deep/er/verdicts.json",
    "cases/new/trajectory.json",
]


@pytest.mark.parametrize("pack", ["b", "c"])
@pytest.mark.parametrize("name", ADDED)
def test_a_file_that_was_added_does_not_pass(pack: str, name: str) -> None:
    file = Path(pack, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{}")
    assert gate() == 1
    (why,) = read(DELTA.with_name("gate_decision.json"))["failures"]
    assert f"{name}` was added after its pack was written" in why
    assert (name, "was added after its pack was written") in problems_of(pack)


def problems_of(pack: str) -> set[tuple[str, str]]:
    return {(one.file, one.what) for one in read_pack(Path(pack)).problems}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
@pytest.mark.parametrize("to", ["../../../b", "../../judges", "nowhere"])
def test_nor_does_a_folder_that_became_a_link(to: str) -> None:
    Path("c/cases/x/artifacts").rmdir()
    Path("c/cases/x/artifacts").symlink_to(to)
    assert gate() == 1
    assert {name for name, _ in problems_of("c")} == {"cases/x/artifacts"}


@pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")
def test_a_name_that_is_no_text_is_told() -> None:
    Path(os.fsdecode(b"c/run/\xff.json")).write_text("{}")
    assert gate() == 1
    (why,) = read(DELTA.with_name("gate_decision.json"))["failures"]
    assert "run/\ufffd.json` was added" in why


def test_what_is_no_part_of_a_pack_may_be_beside_it() -> None:
    for name in ("compare/notes.txt", PLACE, "README.md", ".git/config", "cases/x/empty/a"):
        Path("c", name).parent.mkdir(exist_ok=True)
        if not name.endswith("/a"):
            Path("c", name).write_text("{}")
    assert not [*changed_files(Path("c"), recorded_hashes(Path("c")))]


def test_of_a_pack_without_hashes_nothing_is_known() -> None:
    pack = as_other_program(Path("c"))
    (pack / "run/extra.json").write_text("{}")
    assert not [*changed_files(pack, recorded_hashes(pack))]
