"""Removes result files of runs long past, so that a watched project does not fill its disk."""

import re
from collections import defaultdict
from collections.abc import Container
from contextlib import suppress
from pathlib import Path

from evaltui.core.case import Tier
from evaltui.disk.results.results_folder import newest_first

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_TIERS = "|".join(tier.value for tier in Tier)
_OURS = re.compile(rf"(?P<suite>.+-(?:{_TIERS}))-(?P<run>{_UUID})(?P<shared>\.[0-9a-f]{{6}})?")


def prune_results(output_dir: Path, keep_runs: int, kept: Container[str]) -> None:
    """Keep the last `keep_runs` files of each suite, and those whose name or run is in `kept`.

    What is not named as `result_path` names it is somebody else's and stays.
    """
    seen: dict[tuple[str, str], int] = defaultdict(int)
    for path in newest_first(output_dir):
        match = _OURS.fullmatch(path.stem)
        if match is None:
            continue
        suite = (match["suite"], match["shared"] or "")
        seen[suite] += 1
        if seen[suite] > keep_runs and path.name not in kept and match["run"] not in kept:
            with suppress(OSError):
                path.unlink()
