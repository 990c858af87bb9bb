"""From a saved file to the cases that run: what a save reruns, and when."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from evaltui.core.config import Config
from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.events import (
    CasesStale,
    Event,
    NothingChanged,
    RunEnd,
    RunFinished,
    RunStarted,
    WatchPaused,
    WatchResumed,
)
from evaltui.core.watch_state import WatchState
from evaltui.session import Session
from evaltui.session.money.spending import Cause
from evaltui.session.saved_files import stamps_of
from evaltui.session.settings_in_force import SettingsInForce
from evaltui.session.watch_loop import WatchLoop
from tests.projects import MUSIC, ORDERS, make_project, with_description, write_suite, write_tools
from tests.session.test_session import AGENT, MUSIC_TOO, asking, watched

if TYPE_CHECKING:
    from evaltui.session.agent_queues import AgentQueues
    from evaltui.session.project_state import ProjectState
    from evaltui.session.who_runs import WhoRuns
    from evaltui.watch import Watcher

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
        await ear.until(lambda: bool(errors(session)) and session.store.trigger == (file,))


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
            assert ear.all(NothingChanged)[0] == NothingChanged((name,), is_aside=True)
            assert not ear.started()

        await save_as_it_is()
        write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
        await ear.until(lambda: bool(ear.runs()))
        await save_as_it_is()


async def test_what_an_editor_does_to_a_file_after_it_was_read_is_no_save(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (_, ear):
        file = write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
        await ear.until(lambda: bool(ear.runs()))
        file.chmod(0o640)
        other = tmp_path / "tools.json"
        other.write_bytes(other.read_bytes())
        await ear.until(lambda: bool(ear.all(NothingChanged)))
        assert ear.all(NothingChanged) == [NothingChanged((other.name,), is_aside=True)]


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


A, B = Path("/p/a.ts"), Path("/p/b.ts")
SAVE = ("a.ts",)


class Queue:
    """Notes what a save has it run."""

    def __init__(self) -> None:
        self.ran: list[tuple[Cause, tuple[str, ...]]] = []
        self.unlike = self.taken_up = 0
        of_save = SimpleNamespace(left={}, take_up_left=self._take_up)
        self.due = SimpleNamespace(has_unlike=False, of_save=of_save)
        wanted = SimpleNamespace(of_save=lambda: {1: None, 2: None}, to_judge_of_save=lambda: [3])
        self.to_run = wanted

    def _take_up(self) -> None:
        self.taken_up += 1

    def run_due(self, cause: Cause, trigger: tuple[str, ...]) -> None:
        self.ran.append((cause, trigger))

    def run_unlike(self) -> None:
        self.unlike += 1

    def begin_save(self, **_: bool) -> None: ...


class Looped:
    """A loop of one queue, in a project that watches two files and in which nothing is wrong."""

    def __init__(self, state: WatchState = WatchState.WATCHING) -> None:
        self.queue, self.told = Queue(), list[Event]()
        self.state = SimpleNamespace(
            events=SimpleNamespace(emit=self.told.append),
            unusable="",
            config=Config(Path("/p")),
            settings=SimpleNamespace(problems=()),
            project=SimpleNamespace(
                files={},
                problems=(),
                files_watched=frozenset({A}),
                tools_of=lambda _: (),
                shown=lambda path: path.name,
            ),
        )
        self.queues = SimpleNamespace(by_name={"mine": self.queue}, watched=frozenset({B}))
        self.loop = WatchLoop(
            cast("ProjectState", self.state),
            cast("AgentQueues", self.queues),
            cast("WhoRuns", None),
        )
        self.loop.state = state

    def save(self, *files: str) -> None:
        """These were read."""
        self.loop._to_run.add(files)


def test_while_paused_nothing_runs_and_what_was_saved_does_afterwards() -> None:
    made = Looped()
    made.loop.resume()
    assert (made.told, made.loop.pending("mine")) == ([], 0)
    made.loop.pause()
    made.save("b.ts", "a.ts")
    made.loop.run_changed()
    assert made.queue.ran == []
    assert (made.loop.pending("mine"), made.loop.pending("other")) == (3, 0)
    made.loop.resume()
    assert made.queue.ran == [(Cause.SAVED, ("a.ts", "b.ts"))]
    made.loop.pause()
    made.loop.resume()
    assert made.queue.ran[1:] == [(Cause.OPENED, ())], "nothing was saved"
    assert made.told == [WatchPaused(), WatchResumed()] * 2
    assert made.queue.unlike == 2


def test_who_follows_leaves_what_is_saved_to_the_other_and_takes_it_up_after_that() -> None:
    made = Looped(WatchState.FOLLOWING)
    made.loop.pause()
    made.save("a.ts")
    made.loop.run_changed()
    assert made.queue.ran == []
    made.loop.take_over()
    assert made.queue.ran == [(Cause.SAVED, SAVE)]
    assert made.queue.taken_up == 1
    made.loop.take_over()
    assert len(made.queue.ran) == 1, "it runs here already"
    idle = Looped(WatchState.FOLLOWING)
    idle.loop.take_over()
    assert (idle.queue.ran, idle.queue.taken_up) == ([(Cause.OPENED, ())], 0)


@pytest.mark.parametrize(
    ("end", "ran"), [(RunEnd.LOST, [(Cause.SAVED, SAVE)]), (RunEnd.COMPLETED, [(Cause.OPENED, ())])]
)
def test_a_save_that_another_process_runs_for_is_done_unless_its_run_is_lost(
    end: RunEnd, ran: list[object]
) -> None:
    made = Looped(WatchState.FOLLOWING)
    made.save("a.ts")
    made.loop.hear_other(RunStarted("r", "mine", 1, (), "by hand"))
    assert made.loop._to_run.are_there, "that was for no save"
    made.loop.run_changed()
    made.queue.due.of_save.left[1] = None
    made.loop.hear_other(RunStarted("r", "mine", 1, (), "saved", SAVE))
    assert made.queue.due.of_save.left == {}
    made.loop.hear_other(RunFinished("another", "mine", RunEnd.LOST, 1.0))
    made.loop.hear_other(RunFinished("r", "mine", end, 1.0))
    made.loop.take_over()
    assert made.queue.ran == ran


def test_with_settings_that_cannot_be_used_a_save_waits_for_better_ones() -> None:
    made = Looped()
    made.state.unusable = "evaltui.toml:1"
    made.loop._cause = Cause.OPENED
    made.save("a.ts")
    made.loop.run_changed()
    assert made.queue.ran == []
    made.state.unusable = ""
    made.loop.run_changed()
    made.save("b.ts")
    made.loop.run_changed()
    assert made.queue.ran == [(Cause.OPENED, SAVE), (Cause.SAVED, ("b.ts",))]


def test_files_that_cannot_be_read_do_nothing_beside_those_that_can() -> None:
    made = Looped()
    made.state.project.problems = (Problem("b.ts", "broken", code="toml-syntax"),)
    made.save("b.ts")
    assert made.loop._saved == ("b.ts",)
    made.save("a.ts")
    assert made.loop._saved == SAVE


def test_all_is_watched_that_can_change_an_answer() -> None:
    assert Looped().loop._files() == {A, B}


async def test_what_is_saved_runs_once_the_saving_is_over() -> None:
    made = Looped()
    watcher = SimpleNamespace(has_news=True)
    made.loop._watcher = cast("Watcher", watcher)
    made.save("a.ts")
    made.loop._run_after_debounce()
    timers = [made.loop._timer]
    assert made.queue.ran == [] and timers[0] is not None
    made.loop._hold()
    timers.append(made.loop._timer)
    assert timers[0].cancelled() and timers[1] is None
    watcher.has_news = False
    made.loop._run_after_debounce()
    assert (made.queue.ran, made.queue.unlike) == ([(Cause.SAVED, SAVE)], 1)
    made.loop._run_after_debounce()
    assert len(made.queue.ran) == 1
    made.loop.state = WatchState.PAUSED
    made.loop._run_after_debounce()
    assert made.queue.unlike == 2


@pytest.mark.parametrize("state", [WatchState.WATCHING, WatchState.FOLLOWING])
async def test_once_it_is_agreed_to_everything_is_read_again_and_what_is_due_runs(
    state: WatchState,
) -> None:
    made, done = Looped(state), list[str]()

    def noted(name: str) -> Callable[..., Awaitable[None]]:
        async def note(*_: object) -> None:
            done.append(name)

        return note

    made.state.reread_project, made.state.emit_reading = noted("read"), lambda: done.append("tell")
    made.queues.update, made.queues.follow_history = noted("agents"), noted("history")
    made.queue.due.compare, made.queue.due.open = noted("compare"), lambda: done.append("open")
    watched: list[frozenset[Path]] = []
    made.loop._watcher = cast("Watcher", SimpleNamespace(update=watched.append))
    await made.loop.take_up_trust()
    assert done == ["read", "agents", "tell", "history", "compare", "open"]
    assert watched == [{A, B}]
    is_runner = state is WatchState.WATCHING
    assert made.queue.ran == ([(Cause.OPENED, ())] if is_runner else [])


async def test_what_was_written_again_is_read_before_it_is_run(tmp_path: Path) -> None:
    made, reported = Looped(), list[Path]()
    made.state.config = Config(tmp_path)
    file = tmp_path / "a.ts"
    file.write_text("first")
    made.loop._watcher = cast("Watcher", SimpleNamespace(has_news=False, report=reported.append))
    made.loop.saved_files.note_read(stamps_of([file]))
    made.save("a.ts", "https://tools.example/mcp")
    file.write_text("second")
    os.utime(file, (1, 1))  # the clock of a file system may stand between two writes
    made.loop._run_after_debounce()
    assert (made.queue.ran, reported) == ([], [file]), "the system did not tell of it yet"
    made.loop.saved_files.note_read(stamps_of([file]))
    made.loop._run_after_debounce()
    assert [trigger for _, trigger in made.queue.ran] == [("a.ts", "https://tools.example/mcp")]


async def test_what_is_written_between_reading_and_looking_is_read_before_it_is_run(
    tmp_path: Path,
) -> None:
    made, reported = Looped(), list[Path]()
    file = tmp_path / "a.ts"
    file.write_text("first")

    async def nothing(*_: object) -> None: ...

    async def read(_: object) -> SimpleNamespace:
        file.write_text("second")  # too late for what is returned
        os.utime(file, (1, 1))
        return SimpleNamespace(
            problems=(), shown=lambda path: path.name, changed_since=lambda _: ("a.ts",)
        )

    made.state.config, made.state.reread_project = Config(tmp_path), read
    made.state.settings.reread, made.state.emit_reading = nothing, lambda _: None
    made.queues.concerned_by, made.queues.follow_history = lambda _: (), nothing
    made.queue.due.compare = nothing
    made.loop._watcher = cast("Watcher", SimpleNamespace(has_news=False, report=reported.append))
    await made.loop._look_into([file])
    made.loop._run_after_debounce()
    assert (made.queue.ran, reported) == ([], [file])
    made.loop._hold()
