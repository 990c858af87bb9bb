"""The baseline that the settings name is in force as soon as they are saved."""

from pathlib import Path

from evaltui.core.events import BaselinePinned
from evaltui.session import Session
from tests.projects import make_project
from tests.session.test_session import AGENT, Ear, all_keys, opened, watched


def name_baseline(root: Path, name: str) -> None:
    (root / "evaltui.toml").write_text(f'# mine\nbaseline_run_id = "{name}"\n' if name else "")


def last_run(session: Session) -> str:
    result = session.store.board(AGENT).rows[all_keys(session)[0]].result
    assert result is not None
    return result.run_id


def in_force(session: Session) -> set[str]:
    """The runs whose results the board is compared with."""
    return {one.run_id for one in session.store.board(AGENT).standards.baselines.values()}


def pins_heard(ear: Ear) -> list[tuple[str, str]]:
    return [(one.name, one.message) for one in ear.heard if isinstance(one, BaselinePinned)]


def wrong(session: Session) -> list[tuple[str, str]]:
    found = (one for one in session.store.problems.of_project if one.code == "baseline")
    return [(one.place, one.what) for one in found]


async def test_a_run_that_is_named_while_open_is_compared_with_and_let_go(tmp_path: Path) -> None:
    name_baseline(make_project(tmp_path), "")
    async with watched(tmp_path) as (session, ear):
        first = last_run(session)
        name_baseline(tmp_path, first)
        await ear.until(lambda: in_force(session) == {first})
        name_baseline(tmp_path, "")
        await ear.until(lambda: in_force(session) == set())
        assert pins_heard(ear) == [
            (first, f"Comparing with baseline {first}"),
            ("default", "Comparing with baseline default"),
        ]
        assert not ear.started()


async def test_a_name_of_pins_is_followed_and_what_is_pinned_goes_there(tmp_path: Path) -> None:
    name_baseline(make_project(tmp_path), "")
    async with watched(tmp_path) as (session, ear):
        first, keys = last_run(session), all_keys(session)
        await session.baselines.pin(keys, AGENT, "before")
        assert in_force(session) == set()
        name_baseline(tmp_path, "before")
        await ear.until(lambda: in_force(session) == {first})
        assert session.baselines.name_in_force(AGENT) == "before"
        name_baseline(tmp_path, "")
        await ear.until(lambda: in_force(session) == set())
        assert session.baselines.name_in_force(AGENT) == "default"


async def test_one_that_is_chosen_by_hand_stays_until_the_settings_name_another(
    tmp_path: Path,
) -> None:
    name_baseline(make_project(tmp_path), "")
    async with watched(tmp_path) as (session, ear):
        await session.baselines.pin(all_keys(session), AGENT, "before")
        await session.baselines.use("before", AGENT)
        (tmp_path / "evaltui.toml").write_text("trials = 1\nconcurrency = 2\n")
        await ear.until(lambda: session.config.concurrency == 2)
        (tmp_path / "evaltui.toml").write_text("call_at = 0.99\n")
        await ear.until(lambda: bool(ear.runs()))
        assert session.baselines.name_in_force(AGENT) == "before"
        first = last_run(session)
        name_baseline(tmp_path, first)
        await ear.until(lambda: in_force(session) == {first})


async def test_one_that_is_not_there_is_said_where_it_stands_until_it_is_corrected(
    tmp_path: Path,
) -> None:
    name_baseline(make_project(tmp_path), "")
    async with watched(tmp_path) as (session, ear):
        first = last_run(session)
        name_baseline(tmp_path, first)
        await ear.until(lambda: in_force(session) == {first})
        name_baseline(tmp_path, "nope")
        await ear.until(lambda: bool(wrong(session)))
        ((place, what),) = wrong(session)
        assert place.startswith("evaltui.toml:2")
        assert "`nope`" in what
        assert in_force(session) == {first}, "what was good stays"
        name_baseline(tmp_path, first)
        await ear.until(lambda: wrong(session) == [])
        assert in_force(session) == {first}


async def test_the_next_session_compares_with_the_same(tmp_path: Path) -> None:
    name_baseline(make_project(tmp_path), "")
    async with watched(tmp_path) as (session, _):
        first = last_run(session)
    name_baseline(tmp_path, first)
    async with opened(tmp_path) as (session, ear):
        assert in_force(session) == {first}
        assert pins_heard(ear) == [(first, "")], "nobody did anything"
