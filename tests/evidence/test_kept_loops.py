"""Cases that an interrupted run had played are known to the one that goes on with it."""

from pathlib import Path

from evaltui.core.case import Case
from evaltui.evidence.kept_loops import KeptLoops
from evaltui.traces.reading import read_case
from tests.evidence.made_packs import says

ASKED = {"command": "python agent.py"}
PLAYED = read_case("s.json", says("a", "yes"), 0)


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def interrupted(out: Path, *, resumes: bool = False) -> Case:
    kept = KeptLoops(out, ASKED, resumes=resumes)
    kept.add(PLAYED, PLAYED)
    kept.close(is_whole=False)
    return PLAYED


def test_who_goes_on_knows_them_however_often_that_is_interrupted(tmp_path: Path) -> None:
    case = interrupted(tmp_path / "out")
    for _ in range(3):
        kept = KeptLoops(tmp_path / "out", ASKED, resumes=True)
        assert kept.get(case) == PLAYED
        kept.close(is_whole=False)
    other = KeptLoops(tmp_path / "out", {"command": "another"}, resumes=True)
    assert other.get(case) is None
    other.close(is_whole=True)
    assert names(tmp_path) == []


def test_who_does_not_go_on_drops_them(tmp_path: Path) -> None:
    case = interrupted(tmp_path / "out")
    KeptLoops(tmp_path / "out", ASKED, resumes=False).close(is_whole=False)
    kept = KeptLoops(tmp_path / "out", ASKED, resumes=True)
    assert kept.get(case) is None
    kept.close(is_whole=False)


def test_half_a_line_is_dropped_with_what_nobody_knows(tmp_path: Path) -> None:
    case = interrupted(tmp_path / "out")
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-9])
    kept = KeptLoops(tmp_path / "out", ASKED, resumes=True)
    assert kept.get(case) is None and path.read_bytes() == b""
    kept.close(is_whole=False)
