"""How telling a word is in general: document frequencies of words in public tool descriptions.

Counted by `scripts/build_background.py`; `NOTICE` says where the text comes from. The table never
depends on the registry under test, so editing one tool cannot move the score of another.
"""

import json
from functools import cache
from importlib.resources import files
from math import log

from msgspec import Struct

COMMON_SHARE = 0.0012
"""From this share of the counted tools on, a word counts as an ordinary one."""


class Background(Struct, frozen=True, eq=False):
    """Inverse document frequencies by stem, and what a word never counted is worth."""

    idf: dict[str, float]
    unknown: float
    ordinary: frozenset[str]
    """Stems so usual that a capital at the start of a sentence does not make them a name."""

    def of(self, stem: str) -> float:
        return self.idf.get(stem, self.unknown)


def from_counts(
    documents: int, counts: dict[str, int], proper: frozenset[str] = frozenset()
) -> Background:
    """The table for `counts` documents by stem out of `documents`; no `proper` stem is ordinary."""
    at_least = max(2, COMMON_SHARE * documents)
    return Background(
        idf={stem: _idf(documents, count) for stem, count in counts.items()},
        unknown=_idf(documents, 0),
        ordinary=frozenset(stem for stem, n in counts.items() if n >= at_least) - proper,
    )


@cache
def background() -> Background:
    """The shipped table, read once."""
    raw = json.loads(files(__package__).joinpath("background.json").read_text("utf-8"))
    counts = {stem: int(n) for n, row in raw["stems_by_count"].items() for stem in row.split()}
    return from_counts(raw["documents"], counts, frozenset(raw["proper"].split()))


def _idf(documents: int, count: int) -> float:
    return log(1 + (documents - count + 0.5) / (count + 0.5))
