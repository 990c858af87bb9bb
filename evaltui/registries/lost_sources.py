"""Sources that are not there now, as while a path is being typed: their last good tools stay."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from evaltui.core.errors import Problem
from evaltui.core.tool import ToolRegistry
from evaltui.registries.last_good import kept_words
from evaltui.registries.source import SourceRead, SourceSettings
from evaltui.registries.text_file import NOT_FOUND


def with_stand_ins(
    sources: Sequence[SourceSettings],
    reads: Sequence[SourceRead],
    unknown: Sequence[Problem],
    before: ToolRegistry,
) -> tuple[list[SourceRead], list[Problem]]:
    """With the tools in force until now in place of those of sources that are not there: those of
    the same place, and of places that are named no more.

    `reads` are those of the `sources`; `unknown` is said of sources that could not be read since
    nobody knows what they are.
    """
    there = {
        source.location
        for source, read in zip(sources, reads, strict=True)
        if read.tools or not any(problem.code == NOT_FOUND for problem in read.problems)
    }
    is_lost = bool(unknown) or any(source.location not in there for source in sources)
    kept = tuple(tool for tool in before if tool.source not in there)
    if not (is_lost and kept):
        return [*reads], [*unknown]
    said = kept_words(len(kept), 0.0)

    def told(found: Iterable[Problem]) -> tuple[Problem, ...]:
        return tuple(replace(problem, hint=f"{problem.hint} {said}") for problem in found)

    found = [
        read if source.location in there else replace(read, problems=told(read.problems))
        for source, read in zip(sources, reads, strict=True)
    ]
    return [*found, SourceRead(kept, before.files)], [*told(unknown)]
