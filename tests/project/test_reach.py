"""Which paths may be looked at."""

from pathlib import Path

from evaltui.core.config import Config
from evaltui.project.reach import reach, within


def test_in_place_of_a_link_that_leads_out_its_folder_is_watched(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    (root / "src").mkdir(parents=True)
    elsewhere.mkdir()
    (elsewhere / "a.ts").write_text("")
    (root / "own.ts").write_text("")
    (root / "src/a.ts").symlink_to(elsewhere / "a.ts")
    (root / "out").symlink_to(elsewhere)
    mine = reach(Config(root))
    assert within(mine, [root / "own.ts"]) == {root / "own.ts"}
    assert within(mine, [root / "src/a.ts"]) == {root / "src"}, "a file may come to stand there"
    assert within(mine, [root / "out/a.ts", elsewhere / "a.ts"]) == set()
