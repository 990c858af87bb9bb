"""A part of a suite, judged by itself: its cases, and what the merge needs to know."""

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

from evaltui.core.errors import UserError
from evaltui.disk.codec import decode_exactly
from evaltui.evidence.measurements import NAMES
from evaltui.files import RESULTS_LIMIT, is_file, read_file
from evaltui.traces.reading import TraceSuite

FILE = "run/shard.json"


class Shard(Struct, frozen=True):
    """One of `count` parts, 1-based: cases that stand beside one another in the suite."""

    index: int
    count: int

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    def cases(self, total: int) -> range:
        """Their places in the suite, 0-based."""
        return range((self.index - 1) * total // self.count, self.index * total // self.count)


def read_shard(text: str) -> Shard:
    """From `2/5`. Raises UserError."""
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise UserError(f"`{text}` is not part of a run.", "E.g. --shard 2/5: the second of five.")
    return Shard(int(found[1]), int(found[2]))


class ShardNote(Struct, frozen=True):
    """What a shard's pack tells besides its own: `run/shard.json`. How its cases were judged is
    told by these alone."""

    index: int
    count: int
    suite_sha256: str
    total_cases: int
    case_ids: list[str]
    """In their order."""
    values: dict[str, list[float]]
    """Of the measurements, each case's."""


def digest_of(suite: TraceSuite) -> str:
    """Of its cases as they are written."""
    digest = sha256(suite.dataset_id.encode())
    for text in suite.texts:
        digest.update(b"%d\0" % len(bytes(text)))
        digest.update(bytes(text))
    return digest.hexdigest()


def read_note(pack: Path) -> ShardNote:
    """Raises UserError where the pack is none of a shard, and OSError."""
    path = pack / FILE
    if not is_file(path):
        what = f"`{pack}` is not part of a run: it has no `{FILE}`."
        raise UserError(what, "Name folders that `run --shard` wrote.")
    try:
        note = decode_exactly(ShardNote, read_file(path, RESULTS_LIMIT))
        if missing := [name for name in NAMES if name not in note.values]:
            raise ValueError(f"`values.{missing[0]}` is missing")
    except ValueError as error:
        raise UserError(f"`{path}` cannot be read: {error}.", "Judge that part again.") from None
    return note


def shared_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """What all shards of a run must tell of it; machines may have other folders."""
    pinned = config.get("pinned_env") or {}
    known = {name: value for name, value in config.items() if name not in ("started_at", "judges")}
    machine = ("python_version", "platform", "machine", "git_commit", "dependency_lock_hash")
    return {**known, "pinned_env": {name: pinned.get(name) for name in machine}}
