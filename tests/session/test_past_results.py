"""What is asked of earlier runs: of one case, of one run, and of points in time."""

from pathlib import Path

from evaltui.core.comparison import Effect
from evaltui.core.errors import Problem
from evaltui.core.events import ProblemFound
from evaltui.core.result import CaseStatus
from evaltui.expectations.call_diff import DiffTarget
from tests.projects import make_project, with_description, write_tools
from tests.session.test_session import AGENT, all_keys, opened


async def test_the_last_results_of_a_case_are_told_newest_first_and_no_more_than_asked(
    tmp_path: Path,
) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        key, other, _ = all_keys(session)
        runs = [(await session.run([key]))[0].run_id for _ in range(3)]
        assert [entry.run_id for entry in session.past(key, AGENT)] == runs[::-1]
        assert [entry.run_id for entry in session.past(key, AGENT, 2)] == runs[:0:-1]
        assert session.past(other, AGENT) == []
        for run_id in runs:
            whole = session.history.whole(key, run_id)
            assert whole is not None and whole.response is not None
            assert (whole.run_id, bool(whole.verdicts)) == (run_id, True)
        assert session.history.whole(key, "no such run") is None
        assert session.history.whole(other, runs[0]) is None
        earlier = session.earlier(key, AGENT, DiffTarget.PREVIOUS)
        assert earlier is not None and earlier.run_id == runs[1]


async def test_points_in_time_say_what_each_run_told(
    tmp_path: Path,
) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        keys = all_keys(session)
        (first,) = await session.run(keys)
        write_tools(tmp_path, with_description("find_order", "Bakes bread."))
    async with opened(tmp_path) as (session, _):
        (second,) = await session.run(keys)
        now, then = session.history.timeline(AGENT, tuple(session.store.mutes))
        assert [now.run_id, then.run_id] == [second.run_id, first.run_id]
        rows = session.store.board(AGENT).rows.values()
        failed = [row.key for row in rows if row.result and row.result.status is CaseStatus.FAILED]
        assert now.effects[Effect.WORSE] == len(failed) > 0
        found = session.history.results_between(AGENT, then, now)
        assert {result.run_id for result in found.before} == {first.run_id}
        assert {result.run_id for result in found.since} == {second.run_id}
        own = session.history.results_between(AGENT, None, then)
        assert (own.before, len(own.since)) == ((), len(keys))
        session.edits.mute("known", failed[0])
        now, _ = session.history.timeline(AGENT, tuple(session.store.mutes))
        assert now.effects == second.changes.counts, (
            "what is muted later does not change what the run told"
        )


async def test_whoever_listens_no_more_is_told_nothing(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        told = ProblemFound(Problem("", "full"))
        session.emit(told)
        session.remove_sink(ear)
        session.emit(told)
        assert ear.all(ProblemFound) == [told]
