"""Where a pack is built: nothing is left there for ever."""

import os
import time
from pathlib import Path

from tests.evidence.packs import GOOD, made_pack


def test_what_killed_processes_left_is_removed_once_nobody_can_be_at_it(tmp_path: Path) -> None:
    names = (".p.0a1b2c3d", ".p.ffffffff", ".q.0a1b2c3d")
    old, young, other = (tmp_path / f"{name}.evaltui-tmp" for name in names)
    for folder in (old, young, other):
        (folder / "run").mkdir(parents=True)
    for folder in (old, other):
        os.utime(folder, (time.time() - 7200,) * 2)
    made_pack(tmp_path / "p", GOOD)
    assert [folder.exists() for folder in (old, young, other)] == [False, True, True]
