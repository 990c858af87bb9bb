"""From a saved file to the cases that run: what a save reruns, and when."""

from pathlib import Path

import pytest

from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.events import CasesStale, NothingChanged
from evaltui.session import Session
from evaltui.session.settings_in_force import SettingsInForce
from tests.projects import MUSIC, ORDERS, make_project, with_description, write_suite, write_tools
from tests.session.test_session import AGENT, MUSIC_TOO, asking, watched

ORDERS_FILE = "find_order.golden.json"


async def test_a_changed_case_is_the_only_one_rerun(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (_, ear):
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: bool(ear.runs()))
        (started,) = ear.started()
    assert [key.case for key in started.cases] == ["gs-find-order-001"]
    assert started.reason == "gs-find-order-001 message"
    assert started.trigger == ("evals/find_order.golden.json",)


async def test_a_changed_description_reruns_the_cases_that_mention_the_tool(
    tmp_path: Path,
) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        write_tools(tmp_path, with_description("find_order", "Looks up an order by number."))
        await ear.until(lambda: bool(ear.runs()))
        stale = next(event for event in ear.heard if isinstance(event, CasesStale) and event.cases)
    affected = [case for case in stale.cases if case.degree == "affected"]
    assert {case.key.case for case in affected} == {"gs-find-order-001", "gs-find-order-002"}
    assert affected[0].reasons == ("find_order.description changed",)
    assert session.store.board(AGENT).rows[affected[0].key].result is not None


async def test_saving_without_changing_reruns_nothing(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (_, ear):
        write_suite(tmp_path, "find_order", ORDERS)
        write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
        await ear.until(lambda: bool(ear.runs()))
    assert [key.case for key in ear.started()[0].cases] == ["gs-play-music-002"]


def errors(session: Session) -> list[Problem]:
    return [one for one in session.store.problems.of_project if one.severity is Severity.ERROR]


async def test_a_half_saved_file_leaves_the_board_and_the_next_save_heals_it(
    tmp_path: Path,
) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        path = tmp_path / "evals" / "find_order.golden.json"
        whole = path.read_text()
        path.write_text(whole[: len(whole) // 2])
        await ear.until(lambda: bool(errors(session)))
        assert len(session.store.board(AGENT).rows) == 3
        assert [problem.file for problem in errors(session)] == ["evals/find_order.golden.json"]
        path.write_text(whole)
        await ear.until(lambda: not errors(session))
        assert not ear.runs()


@pytest.mark.parametrize(
    "file",
    ["evals/find_order.golden.json", "tools.json", "evaltui.toml", "evals/seed-manifest.json"],
)
async def test_what_was_saved_broken_is_named_as_the_last_save(tmp_path: Path, file: str) -> None:
    root = make_project(tmp_path)
    (root / "evaltui.toml").write_text('registry = "tools.json"\n')
    (root / "evals" / "seed-manifest.json").write_text('{"a": 1}')
    async with watched(root) as (session, ear):
        write_suite(root, "play_music", (MUSIC[0], MUSIC_TOO))
        await ear.until(lambda: bool(ear.runs()))
        assert session.store.trigger == ("evals/play_music.golden.json",)
        (root / file).write_text("{[half")
        await ear.until(lambda: bool(errors(session)))
        assert session.store.trigger == (file,)


async def test_what_a_save_did_is_no_doing_of_a_file_that_was_saved_broken_with_it(
    tmp_path: Path,
) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        (tmp_path / "evals" / "find_order.golden.json").write_text("{[half")
        write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
        await ear.until(lambda: bool(ear.runs()) and bool(errors(session)))
        assert [run.trigger for run in ear.started()] == [("evals/play_music.golden.json",)]
        save = session.store.board(AGENT).headline.save
        assert save is not None
        assert save.trigger == ("evals/play_music.golden.json",)


async def test_several_saves_in_a_row_make_one_run(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        for number in ("SO-7", "SO-8", "SO-9"):
            write_suite(tmp_path, "find_order", (asking(f"Show order {number}"), ORDERS[1]))
        await ear.until(lambda: bool(ear.runs()))
        row = session.store.board(AGENT).rows[ear.started()[0].cases[0]]
        assert row.case.message == "Show order SO-9"
    assert len(ear.started()) == 1


async def test_a_tool_that_no_word_of_a_message_names_leaves_its_case_alone(
    tmp_path: Path,
) -> None:
    async with watched(make_project(tmp_path)) as (_, ear):
        write_tools(tmp_path, with_description("find_order", "Looks up parcels."))
        await ear.until(lambda: bool(ear.runs()))
    assert {key.suite for key in ear.started()[0].cases} == {"evals/find_order.golden.json"}


async def test_a_tool_that_claims_a_word_of_a_message_reruns_its_case(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (_, ear):
        claims = with_description("find_order", "Looks up an order, a parcel or a song.")
        write_tools(tmp_path, claims)
        await ear.until(lambda: bool(ear.runs()))
        stale = next(event for event in ear.heard if isinstance(event, CasesStale) and event.cases)
    degrees = {case.key.case: case.degree for case in stale.cases}
    assert degrees["gs-play-music-001"] == "possibly affected"
    assert {case.reasons for case in stale.cases} == {("find_order.description changed",)}
    assert len(ear.started()[0].cases) == 3


async def test_settings_that_come_while_watching_are_followed(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        (tmp_path / "evaltui.toml").write_text("call_at = 0.99\n")
        await ear.until(lambda: bool(ear.runs()))
        board = session.store.board(AGENT)
        assert {row.result.status for row in board.rows.values() if row.result} == {"failed"}
    assert ear.started()[0].reason == "agent changed"


async def test_what_a_save_reruns_is_tried_as_often_as_the_settings_say(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path), trials=2) as (session, ear):
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: bool(ear.runs()))
        assert session.requests.due_keys(AGENT) == ()
    assert ear.started()[0].trials == 2


@pytest.mark.parametrize("name", ["evals/find_order.golden.json", "tools.json"])
async def test_a_save_that_changes_nothing_is_told_of_before_and_after_one_that_does(
    tmp_path: Path, name: str
) -> None:
    async with watched(make_project(tmp_path)) as (_, ear):

        async def save_as_it_is() -> None:
            ear.heard.clear()
            (tmp_path / name).write_bytes((tmp_path / name).read_bytes())
            await ear.until(lambda: bool(ear.all(NothingChanged)))
            assert ear.all(NothingChanged)[0] == NothingChanged((name,))
            assert not ear.started()

        await save_as_it_is()
        write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
        await ear.until(lambda: bool(ear.runs()))
        await save_as_it_is()


async def test_what_goes_wrong_with_reading_a_save_is_said_and_the_next_one_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> bool:
        raise UserError("It cannot be read.", "Mend it.")

    async with watched(make_project(tmp_path)) as (session, ear):
        with monkeypatch.context() as broken:
            broken.setattr(SettingsInForce, "reread", fail)
            write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
            await ear.until(lambda: bool(session.store.problems.others))
        problem = session.store.problems.others[0]
        assert (problem.what, problem.hint) == ("It cannot be read.", "Mend it.")
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        # The system may tell of the save before once more, which is read then.
        await ear.until(lambda: bool(ear.runs()))
        assert "gs-find-order-001" in {key.case for key in ear.started()[0].cases}
