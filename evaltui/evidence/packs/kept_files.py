"""What somebody else put into the folders of a pack, which stays when the pack is replaced."""

import os
import re
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

from evaltui.core.errors import UserError
from evaltui.evidence.packs.pack_folder import PARTS
from evaltui.evidence.packs.pack_hashes import PLACE, recorded_hashes

_OURS = frozenset(
    {
        *(PLACE, "manifest.json", "compare/report.md"),
        *(f"compare/{one}.json" for one in ("baseline_delta", "gate_decision")),
        *(f"compare/{one}.json" for one in ("replay_report", "replay_exec_report")),
    }
)
"""What commands write that a manifest does not name; the page where the guide has it put."""
_LAYOUT = re.compile(
    r"report\.json|run/(config|summary)\.json|run/events\.jsonl|judges/[^/]+\.json"
    r"|cases/.+/(trajectory|verdicts)\.json"
)
"""What is of a pack whose manifest names no files."""


def keep_files(old: Path, building: Path) -> None:
    """Has the files of an older pack that neither it nor a command wrote in the new one too, by a
    second name where that is possible. Raises OSError."""
    for name in _of_others(old):
        place = building / name
        if os.path.lexists(place):
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(old / name, place, follow_symlinks=False)
        except OSError:
            shutil.copy2(old / name, place, follow_symlinks=False)


def _of_others(pack: Path) -> Iterator[str]:
    written = _written(pack)
    for part in PARTS:
        # A part that is a link, as any folder that is one, is not gone into: only the link goes.
        for folder, _, names in os.walk(pack / part) if not (pack / part).is_symlink() else ():
            for name in names:
                found = (Path(folder) / name).relative_to(pack).as_posix()
                is_of_pack = found in written if written else _LAYOUT.fullmatch(found)
                if found not in _OURS and not is_of_pack:
                    yield found


def _written(pack: Path) -> Collection[str]:
    """Empty where the manifest cannot be read, or names no files."""
    try:
        return recorded_hashes(pack)
    except (OSError, UserError):
        return ()
