"""What was saved: told of where it changed nothing, and read again where it was written again."""

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from evaltui.core.config import Config
from evaltui.core.events import Event, NothingChanged
from evaltui.session.saved_files import SavedFiles, report_soon, stamps_of

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from evaltui.session.agent_queues import AgentQueues
    from evaltui.session.project_state import ProjectState
    from evaltui.watch import Watcher

A, B = Path("/p/a.ts"), Path("/p/b.ts")


class Saves:
    """Of two files, one of cases and one of a tool, in a project with one queue."""

    def __init__(self, root: Path = Path("/p")) -> None:
        self.told, self.begun = list[Event](), list[bool]()
        queue = SimpleNamespace(begin_save=lambda *, leaves: self.begun.append(leaves))
        self.queues = SimpleNamespace(by_name={"mine": queue}, is_busy=False)
        project = SimpleNamespace(
            files={A: None}, shown=lambda path: path.name, tools_of=lambda path: path == B
        )
        events = SimpleNamespace(emit=self.told.append)
        state = SimpleNamespace(events=events, project=project, config=Config(root))
        self.files = SavedFiles(cast("ProjectState", state), cast("AgentQueues", self.queues))


def test_a_save_of_a_file_of_the_project_that_changes_nothing_is_told() -> None:
    saves = Saves()
    saves.files.tell_of_nothing([Path("/p/else")], is_changed=False, leaves=True)
    assert saves.told == []
    saves.files.tell_of_nothing([B, A], is_changed=False, leaves=True)
    assert (saves.told, saves.begun) == ([NothingChanged(("a.ts", "b.ts"))], [True])


@pytest.mark.parametrize("is_busy", [False, True])
def test_what_is_being_run_or_is_about_to_be_stays_the_last_save(is_busy: bool) -> None:
    saves = Saves()
    saves.queues.is_busy = is_busy
    saves.files.tell_of_nothing([A], is_changed=not is_busy, leaves=False)
    assert (saves.told, saves.begun) == ([NothingChanged(("a.ts",), is_aside=True)], [])


def test_what_was_not_written_since_it_was_read_is_no_save(tmp_path: Path) -> None:
    files, file, gone = Saves(tmp_path).files, tmp_path / "a.ts", tmp_path / "gone.ts"

    def written() -> list[Path]:
        return files.written_since_read(stamps_of([file, gone]))

    file.write_text("first")
    assert written() == [file, gone]
    files.note_read(stamps_of([file, gone]))
    file.chmod(0o640)
    assert written() == [gone], "what is gone may come again"
    file.write_text("second")
    os.utime(file, (1, 1))  # the clock of a file system may stand between two writes
    assert written() == [file, gone]


def test_what_was_written_again_is_reported(tmp_path: Path) -> None:
    saves, file, reported = Saves(tmp_path), tmp_path / "a.ts", list[Path]()
    watcher = cast("Watcher", SimpleNamespace(report=reported.append))
    file.write_text("first")
    assert not saves.files.report_again(watcher, ["a.ts"]), "it was not read yet"
    saves.files.note_read(stamps_of([file]))
    assert not saves.files.report_again(watcher, ["a.ts", "https://tools.example/mcp"])
    file.write_text("second")
    os.utime(file, (1, 1))
    assert saves.files.report_again(watcher, ["a.ts"])
    assert reported == [file]


def test_what_was_written_while_it_was_read_is_looked_at_again_and_is_no_other_save(
    tmp_path: Path,
) -> None:
    saves, file, reported = Saves(tmp_path), tmp_path / "a.ts", list[Path]()
    watcher = cast("Watcher", SimpleNamespace(report=reported.append))
    file.write_text("fir")
    before = stamps_of([file])
    file.write_text("first")
    os.utime(file, (1, 1))
    saves.files.note_read(before, stamps_of([file]))
    assert saves.files.report_again(watcher, ["a.ts"])
    assert reported == [file]
    now = stamps_of([file])
    assert saves.files.written_since_read(now) == []
    saves.files.note_read(now)
    assert not saves.files.report_again(watcher, ["a.ts"])


def test_a_live_source_that_changed_is_passed_on_while_the_loop_is_there() -> None:
    reported: list[Path] = []
    watcher = cast("Watcher", SimpleNamespace(report=reported.append))

    def soon(step: Callable[[Path], None], path: Path) -> None:
        step(path)
        raise RuntimeError("the loop is closed")

    loop = cast("AbstractEventLoop", SimpleNamespace(call_soon_threadsafe=soon))
    report_soon(loop, watcher, "mcp://shop")
    assert reported == [Path("mcp://shop")]
