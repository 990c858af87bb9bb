"""`run --suite`: judges every case of a suite of traces and writes the evidence."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import Case
from evaltui.core.check import Stage
from evaltui.core.clusters import group_of
from evaltui.core.verdict import VerdictStatus
from evaltui.evidence.asserted import asserted_of_trace, judged_by, measured_by
from evaltui.evidence.judge_code import code_of_judges
from evaltui.evidence.packs.pack_folder import new_pack
from evaltui.evidence.packs.pack_writer import NoteMaker, PackWriter
from evaltui.evidence.packs.shards import Shard, ShardNote, digest_of
from evaltui.evidence.run_config import RunConfig, new_run_id
from evaltui.evidence.summary import SummaryCounts
from evaltui.evidence.verdicts import case_verdicts
from evaltui.traces.judges import DEFAULT, opened, stage_of
from evaltui.traces.judges.expected_output import ExpectedOutputJudge
from evaltui.traces.reading import TraceSuite
from evaltui.traces.repair_loop import Looped
from evaltui.traces.scoring import score

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry

UNNAMED = ExpectedOutputJudge.name
"""Judges where nobody is named, and is told of only where it judged something."""


Played: TypeAlias = Callable[[Case, Stage], Awaitable[Looped]]


class Scored(Struct, frozen=True):
    run_id: str
    summary: Mapping[str, Any]


async def score_suite(
    suite: TraceSuite,
    out: Path,
    config: RunConfig,
    *,
    judges: Sequence[str],
    folder: Path,
    played: Played | None = None,
    concurrency: int = 1,
    shard: Shard | None = None,
    evaluators: "EvaluatorRegistry | None" = None,
) -> Scored:
    """Judge every case and write the pack to `out`; `judges` is empty for those by default.

    Of a shard only its cases, with what `merge` needs to make one pack of all of them.
    `played` makes and judges what a case only asks for, `concurrency` at once.
    `evaluators`: all that cases may name; without it those that come along.

    Raises UserError for a bad case or an unknown judge, and OSError; `out` is as it was then.
    """
    stage = stage_of(judges, config.judge_configs, folder)
    run_id = config.run_id or new_run_id()
    counts = SummaryCounts()
    has_judged_unnamed = False
    async with opened(stage):
        code = code_of_judges(stage, evaluators)
        with (
            new_pack(out) as building,
            PackWriter(building, run_id=run_id, dataset_id=suite.dataset_id) as pack,
        ):
            ids: list[str] = []
            cases = suite.cases(None if shard is None else shard.cases(len(suite)))
            if played is None:
                judged = _judged(cases, stage, evaluators)
            else:
                judged = _played(cases, stage, played, concurrency)
            async for one in judged:
                case, found = one.case, one.verdicts
                ids.append(case.id)
                if not judges:
                    unnamed = next(one for one in found if one.check == UNNAMED)
                    skipped = unnamed.status is VerdictStatus.SKIPPED
                    has_judged_unnamed |= not skipped
                    found = tuple(one for one in found if not skipped or one is not unnamed)
                group = group_of(case, suite.metadata)
                asserted = asserted_of_trace(case, judged_by(found), measured_by(found))
                verdicts = case_verdicts(case.id, found, group, asserted)
                counts.add(verdicts)
                pack.add(case, verdicts)
            named = judges or (*DEFAULT, *((UNNAMED,) if has_judged_unnamed else ()))
            summary = counts.document(run_id, suite.dataset_id)
            run_config = replace(
                config, run_id=run_id, judges=list(dict.fromkeys(named)), judge_code=code
            )
            document = run_config.document(folder)
            if shard is None:
                pack.finish(document, summary)
            else:
                pack.finish_shard(document, summary, _note(suite, shard, ids))
    return Scored(run_id, summary)


def _note(suite: TraceSuite, shard: Shard, ids: list[str]) -> NoteMaker:
    def made(values: dict[str, list[float]]) -> ShardNote:
        return ShardNote(shard.index, shard.count, digest_of(suite), len(suite), ids, values)

    return made


async def _judged(
    cases: Iterator[Case], stage: Stage, evaluators: "EvaluatorRegistry | None"
) -> AsyncIterator[Looped]:
    """The cases as they are."""
    for case in cases:
        yield Looped(case, await score(case, stage, evaluators))


async def _played(
    cases: Iterator[Case], stage: Stage, played: Played, concurrency: int
) -> AsyncIterator[Looped]:
    """The cases in their order, so many of them being played ahead."""
    ahead: deque[asyncio.Task[Looped]] = deque()
    try:
        for case in cases:
            ahead.append(asyncio.ensure_future(played(case, stage)))
            if len(ahead) >= concurrency:
                yield await ahead.popleft()
        while ahead:
            yield await ahead.popleft()
    finally:
        for task in ahead:
            task.cancel()
        await asyncio.gather(*ahead, return_exceptions=True)
