"""What reading an eval file gives, and what a format must offer."""

import os.path
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, Self

from msgspec import Struct

from evaltui.core.case import Case, Tier
from evaltui.core.errors import Problem
from evaltui.core.suite import Suite
from evaltui.json_text.document import JsonDocument

NOT_AN_EVAL_FILE = "not-an-eval-file"
"""Problem code of a file that no format recognizes; harmless where the file was only guessed."""


class CaseTexts(Struct, frozen=True):
    """From which texts the cases of a file were read: one that stands there still when the file is
    read again is the same case, maybe on another line."""

    tier: Tier = Tier.GOLDEN
    """Of the file, which shapes its cases too."""
    cases: tuple[Case, ...] = ()
    """Those of which nothing was complained."""
    hashes: bytes = b""
    """Eight bytes for each: of its text, within this process. All texts would take much memory."""

    @classmethod
    def of(cls, tier: Tier, read: Mapping[int, Case]) -> Self:
        """`read`: by the hash of its text."""
        return cls(tier, tuple(read.values()), array("q", read).tobytes())

    def known(self, tier: Tier) -> dict[int, Case]:
        """By the hash of its text, for a file of that tier."""
        if tier is not self.tier:
            return {}
        hashes = array("q")
        hashes.frombytes(self.hashes)
        return dict(zip(hashes, self.cases, strict=True))


NO_TEXTS = CaseTexts()


class ReadSuite(Struct, frozen=True):
    """An eval file as far as it could be read; `suite` is `None` when it has no usable shape."""

    suite: Suite | None
    problems: tuple[Problem, ...]
    texts: CaseTexts = NO_TEXTS
    """Empty where each reading reads all cases."""


class Format(Protocol):
    """A module of this folder that turns one shape of file into a suite."""

    def recognizes(self, document: JsonDocument) -> bool:
        """Whether a file of this shape is its business."""
        ...

    def read(
        self,
        document: JsonDocument,
        file_hash: str,
        beside: Mapping[str, bytes],
        before: CaseTexts,
    ) -> ReadSuite:
        """Read it; what is wrong becomes a problem or an invalid case, never an exception.

        `beside`: the content, by name, of the files that are read along. `before`: of the
        reading before, where there was one.
        """
        ...


def suite_id(path: Path, root: Path) -> str:
    """The path below the root with `/` (with `..` when it lies outside), always encodable.

    It names the suite in results; no path for writing may be built from it.
    """
    relative = Path(os.path.relpath(path, root))
    return relative.as_posix().encode("utf-8", "backslashreplace").decode()
