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


class Saves:
    """Of two files, one of cases and one of a tool, in a project with one queue."""

    def __init__(self, root: Path = Path("/p")) -> None:
        self.told, self.begun = list[Event](), list[bool]()
        self.cases, self.tool = root / "a.json", root / "b.ts"
        queue = SimpleNamespace(begin_save=lambda *, leaves: self.begun.append(leaves))
        self.queues = SimpleNamespace(by_name={"mine": queue}, is_busy=False)
        project = SimpleNamespace(
            root=root,
            files={self.cases: None},
            files_watched=frozenset({self.cases, self.tool}),
            registry=SimpleNamespace(all_files=frozenset({"b.ts"})),
            shown=lambda path: path.name,
            tools_of=lambda path: path == self.tool,
        )
        events = SimpleNamespace(emit=self.told.append)
        state = SimpleNamespace(events=events, project=project, config=Config(root))
        self.files = SavedFiles(cast("ProjectState", state), cast("AgentQueues", self.queues))

    async def tell(self, *paths: Path, is_changed: bool = False, leaves: bool = False) -> None:
        self.told.clear()
        stamps = stamps_of(paths)
        await self.files.tell_of_nothing(stamps, is_changed=is_changed, leaves=leaves)


async def test_a_save_of_a_file_of_the_project_that_changes_nothing_is_told() -> None:
    saves = Saves()
    await saves.tell(Path("/p/else"), leaves=True)
    assert saves.told == []
    await saves.tell(saves.tool, saves.cases, leaves=True)
    assert (saves.told, saves.begun) == ([NothingChanged(("a.json", "b.ts"))], [True])


@pytest.mark.parametrize("is_busy", [False, True])
async def test_what_is_being_run_or_is_about_to_be_stays_the_last_save(is_busy: bool) -> None:
    saves = Saves()
    saves.queues.is_busy = is_busy
    await saves.tell(saves.tool, is_changed=not is_busy)
    assert (saves.told, saves.begun) == ([NothingChanged(("b.ts",), is_aside=True)], [])


async def test_a_file_that_holds_what_it_held_is_no_save(tmp_path: Path) -> None:
    """As after `touch`, or where it is saved again as it is."""
    saves = Saves(tmp_path)
    saves.tool.write_text("first")
    await saves.files.begin()
    assert not await saves.files.note_contents([saves.tool])
    saves.tool.touch()
    await saves.tell(saves.tool)
    assert (saves.told, saves.begun) == ([NothingChanged(("b.ts",), is_aside=True)], [])
    saves.tool.write_text("first // a comment")
    await saves.tell(saves.tool)
    assert (saves.told, saves.begun) == ([NothingChanged(("b.ts",))], [False])
    await saves.tell(saves.tool)
    assert saves.told == [NothingChanged(("b.ts",), is_aside=True)], "it was saved as it is"
    saves.tool.write_text("second")
    assert await saves.files.note_contents([saves.tool]), "it is read"
    await saves.tell(saves.tool)
    assert saves.told == [NothingChanged(("b.ts",), is_aside=True)]
    await saves.tell(saves.cases)
    assert saves.told == [NothingChanged(("a.json",), is_aside=True)], "else it were read otherwise"


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
