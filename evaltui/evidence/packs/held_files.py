"""The files read from a pack, each verified against the hash in its manifest."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from evaltui.evidence.packs.pack_hashes import (
    CHANGED,
    GONE,
    LEADS_OUT,
    MANIFEST,
    NO_HASHES,
    UNNAMED,
    hashes_of,
    is_ours,
    refusal,
)
from evaltui.files import RESULTS_LIMIT, is_file, leads_out, read_file


class HeldFiles:
    """Each file is read once: what is hashed is what is returned.

    Making one raises OSError, SuiteMistake for a manifest that cannot be read, and UserError for a
    pack of ours that lost its hashes.
    """

    def __init__(self, pack: Path) -> None:
        manifest = pack / MANIFEST
        data = read_file(manifest, RESULTS_LIMIT) if is_file(manifest) else None
        self.pack = pack
        self.manifest_sha256 = None if data is None else _hash(data)
        """`None` without a manifest."""
        self.recorded = {} if data is None else hashes_of(data, manifest)
        """Empty for a pack of another program that tells none: of it nothing is held."""
        if not self.recorded and is_ours(pack):
            raise refusal(pack, MANIFEST, NO_HASHES)

    def read(self, name: str) -> bytes | None:
        """`None` for one that is not there, and needs not be.

        Raises OSError, and UserError for one that is not as it was written.
        """
        with self.reading(name) as data:
            return data

    @contextmanager
    def reading(self, name: str) -> Iterator[bytes | None]:
        """As `read`, hashed by another thread beside what is done with it meanwhile. Of a file that
        is not as it was written no other mistake is told."""
        path, written = self.pack / name, self.recorded.get(name)
        if self.recorded and leads_out(path, self.pack):
            raise refusal(self.pack, name, LEADS_OUT)
        data = read_file(path, RESULTS_LIMIT) if is_file(path) else None
        if data is None and written is not None:
            raise refusal(self.pack, name, GONE)
        if data is None or not self.recorded:
            yield data
            return
        if written is None:
            raise refusal(self.pack, name, UNNAMED)
        made: list[str] = []
        hashing = Thread(target=lambda: made.append(_hash(data)))
        hashing.start()
        try:
            yield data
        finally:
            hashing.join()
            if made != [written]:
                raise refusal(self.pack, name, CHANGED) from None

    def tells(self, name: str, data: bytes) -> bool:
        """Whether the manifest has it that this was written to a file, which is not read."""
        written = self.recorded.get(name)
        return written is not None and written == _hash(data)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
