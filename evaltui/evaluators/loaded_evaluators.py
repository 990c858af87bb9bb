"""All evaluators of a project, as of one loading."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from evaltui.core.errors import Problem
from evaltui.evaluators.registry import EvaluatorRegistry, create_registry

if TYPE_CHECKING:
    from evaltui.evaluators.plugin_entry import PluginEntry


class LoadedEvaluators(Struct, frozen=True, eq=False, dict=True):
    """All evaluators of a project, and what is wrong with those that it names."""

    loaded: EvaluatorRegistry | None = None
    """`None` where only those that come along are there."""
    problems: "tuple[tuple[PluginEntry, Problem], ...]" = ()
    """Each with its entry in the settings."""
    files: frozenset[Path] = frozenset()
    awaited: frozenset[Path] = frozenset()
    """What would belong to `files` if it were there."""
    is_complete: bool = True
    """Whether all entries were loaded; else a type that is not known may be in one of them."""
    is_left_out: bool = False
    """Whether one of those was not loaded because nobody agreed to it."""

    @cached_property
    def registry(self) -> EvaluatorRegistry:
        return create_registry() if self.loaded is None else self.loaded

    @property
    def watched(self) -> frozenset[Path]:
        """What loads one of them anew when it is saved."""
        return self.files | self.awaited

    @property
    def know_files(self) -> bool:
        """Whether the files of each are all known."""
        return self.loaded is None or all(one.knows_files for one in self.loaded)

    def is_like(self, other: "LoadedEvaluators") -> bool:
        """Whether nothing differs: the same evaluators, and the same wrong with them."""
        mine, others = ([*each.registry] for each in (self, other))
        same = len(mine) == len(others) and all(
            one.definition is another.definition for one, another in zip(mine, others, strict=False)
        )
        facts, other_facts = (
            (each.problems, each.watched, each.is_complete, each.is_left_out)
            for each in (self, other)
        )
        return same and facts == other_facts
