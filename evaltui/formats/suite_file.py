"""What reading an eval file gives, and what a format must offer."""

import os.path
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from evaltui.core.errors import Problem
from evaltui.core.suite import Suite
from evaltui.json_text.document import JsonDocument

NOT_AN_EVAL_FILE = "not-an-eval-file"
"""Problem code of a file that no format recognizes; harmless where the file was only guessed."""


class ReadSuite(Struct, frozen=True):
    """An eval file as far as it could be read; `suite` is `None` when it has no usable shape."""

    suite: Suite | None
    problems: tuple[Problem, ...]


class Format(Protocol):
    """A module of this folder that turns one shape of file into a suite."""

    def recognizes(self, document: JsonDocument) -> bool:
        """Whether a file of this shape is its business."""
        ...

    def read(
        self, document: JsonDocument, file_hash: str, beside: Mapping[str, bytes]
    ) -> ReadSuite:
        """Read it; what is wrong becomes a problem or an invalid case, never an exception.

        `beside`: the content, by name, of the files that are read along.
        """
        ...


def suite_id(path: Path, root: Path) -> str:
    """The path below the root with `/` (with `..` when it lies outside), always encodable.

    It names the suite in results; no path for writing may be built from it.
    """
    relative = Path(os.path.relpath(path, root))
    return relative.as_posix().encode("utf-8", "backslashreplace").decode()
