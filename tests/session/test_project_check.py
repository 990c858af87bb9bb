"""The dashboard's problems are those of `evaltui check`, from the start and after a save."""

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem
from evaltui.core.events import CaseFinished, ProjectChecked, RunFinished
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.disk.git_process import GitRuns
from evaltui.expectations.lint import lint_suite
from evaltui.project import Project, findings, with_few
from evaltui.project.left_behind import LeftBehind
from evaltui.session import Session, project_check
from evaltui.session.project_check import ProjectCheck
from tests.projects import MUSIC, ORDERS, TOOLS, case, make_project, write_suite, write_tools
from tests.session.test_session import Ear, opened

FIND = "evals/find_order.golden.json"
HTTP = '[agents.a]\ntype = "http"\nurl = "http://127.0.0.1:9"\n'


def settings(text: str) -> Callable[[Path], object]:
    return lambda root: (root / "evaltui.toml").write_text(text)


def misspelt(root: Path) -> None:
    write_suite(root, "find_order", [{**ORDERS[0], "expect": {"toolsCaled": ["find_order"]}}])


def cut(root: Path) -> None:
    (root / FIND).write_text((root / FIND).read_text()[:150])


def without_a_tool(root: Path) -> None:
    write_tools(root, TOOLS[:1])


def without_tools(root: Path) -> None:
    (root / "tools.json").unlink()


def expecting_two(root: Path) -> None:
    both = case("gs-find-order-003", "Find SO-3", "find_order")
    both["expect"]["toolsCalled"] = ["find_order", "find_ordr"]
    write_suite(root, "find_order", [*ORDERS, both])


def edited_regression(root: Path) -> None:
    path = root / "evals" / "find_order.regression.json"
    old = case("rg-find-order-001", "Where is SO-4?", "find_order")
    old |= {"createdAt": "2026-01-02T03:04:05Z"}
    path.write_text(json.dumps({"cases": [old]}))
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b.c", *command]
        subprocess.run(git, check=True)
    old["input"] = {"message": "Where is SO-5?"}
    path.write_text(json.dumps({"cases": [old]}))


def muted(root: Path) -> None:
    (root / ".evaltui").mkdir(exist_ok=True)
    (root / ".evaltui/mutes.json").write_text('{"evals/gone.golden.json::a": "flaky"}')


BY_KEY = "mute by a key"
"""Its file is none of the project's, and no save."""

KEEPS_TOOLS = "registry"
"""Then its last good tools are in force in the dashboard, and none in the command."""
BROKEN = {
    "misspelt": (misspelt, "Did you mean `toolsCalled`?"),
    "cut": (cut, "find_order.golden.json:"),
    "without_a_tool": (without_a_tool, "no tool `play_music`"),
    "without_tools": (without_tools, "No tool registry was found"),
    "expecting_two": (expecting_two, "no tool `find_ordr`, which a case expects or stubs"),
    "edited_regression": (edited_regression, "differs from its committed version"),
    "setting": (settings("trails = 3\n"), "Did you mean `trials`?"),
    "option": (settings(HTTP + "retrys = 2\n"), "Did you mean `retries`?"),
    "command": (settings('[keys]\n"run.nothing" = "W"\n'), "run.nothing"),
    "mute": (settings('[mute]\n"evals/gone.golden.json::a" = "x"\n'), "evaltui.toml:2"),
    BY_KEY: (muted, ".evaltui/mutes.json:1"),
    "secret": (
        settings(HTTP + 'headers = { x-key = "${EVALTUI_NO_SUCH}" }\n'),
        "`EVALTUI_NO_SUCH` in `headers.x-key` is not set",
    ),
    "registry": (settings('registry = "nowhere.json"\n'), "nowhere.json"),
    "none": (lambda root: write_suite(root, "play_music", MUSIC), "no proof value"),
}


def saved(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def printed(root: Path) -> list[str]:
    """What `evaltui check` prints, without its last line; sorted as there."""
    with redirect_stdout(StringIO()) as out:
        run_command(["-C", str(root), "check"])
    return out.getvalue().splitlines()[:-1]


def shown(session: Session) -> list[str]:
    marks = {"error": "✗ error", "warning": "⚠ warning", "lint": "· lint"}
    return [f"{marks[one.severity]:10}  {one}" for one in session.store.problems.of_project]


@asynccontextmanager
async def following(root: Path) -> AsyncIterator[tuple[Session, Ear]]:
    """A session that watches, once it has had its closer look; nothing need run in it."""
    async with opened(root) as (session, ear):
        watching = asyncio.create_task(session.watch())
        await ear.until(lambda: bool(ear.all(ProjectChecked)))
        try:
            yield session, ear
        finally:
            await session.close()
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)


@pytest.mark.parametrize("name", BROKEN)
async def test_both_say_the_same_at_the_start(tmp_path: Path, name: str) -> None:
    break_it, said = BROKEN[name]
    break_it(make_project(tmp_path))
    told = await asyncio.to_thread(printed, tmp_path)
    assert any(said in line for line in told)
    async with following(tmp_path) as (session, _):
        assert shown(session) == told


@pytest.mark.parametrize("name", [one for one in BROKEN if one not in (BY_KEY, KEEPS_TOOLS)])
async def test_both_say_the_same_after_a_save_and_after_it_is_mended(
    tmp_path: Path, name: str
) -> None:
    break_it, said = BROKEN[name]
    make_project(tmp_path)
    settings("trials = 1\n")(tmp_path)
    before = saved(tmp_path)
    whole = await asyncio.to_thread(printed, tmp_path)
    async with following(tmp_path) as (session, ear):
        assert shown(session) == whole
        break_it(tmp_path)
        told = await asyncio.to_thread(printed, tmp_path)
        await ear.until(lambda: shown(session) == told)
        for path, content in before.items():
            path.write_bytes(content)
        (tmp_path / "evals" / "find_order.regression.json").unlink(missing_ok=True)
        await ear.until(lambda: shown(session) == whole)
    assert any(said in line for line in told)


async def test_only_what_was_saved_is_looked_into_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_project(tmp_path)
    looked: list[str] = []

    def noted(suite: Suite) -> list[Problem]:
        looked.append(suite.id)
        return lint_suite(suite)

    monkeypatch.setattr("evaltui.expectations.lint.lint_suite", noted)
    async with following(tmp_path) as (session, ear):
        assert looked == [FIND, "evals/play_music.golden.json"]
        misspelt(tmp_path)
        await ear.until(lambda: any("toolsCaled" in line for line in shown(session)))
    assert looked[2:] == [FIND]


async def test_what_a_look_found_is_not_put_in_order_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined: list[tuple[tuple[str, ...], tuple[str, ...]]] = []

    def noted(few: Sequence[Problem], ordered: Sequence[Problem]) -> tuple[Problem, ...]:
        joined.append((tuple(one.what for one in few), tuple(one.what for one in ordered)))
        return with_few(few, ordered)

    make_project(tmp_path)
    expecting_two(tmp_path)
    (tmp_path / "evals" / "broken.golden.json").write_text("[")
    monkeypatch.setattr("evaltui.session.project_state.with_few", noted)
    async with following(tmp_path):
        few, many = joined[-1]
    assert any("find_ordr" in what for what in many)
    assert not any("find_ordr" in what for what in few)
    assert few


async def test_what_a_save_has_run_comes_before_the_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    def noted(
        project: Project, left_behind: Iterable[LeftBehind], runs: GitRuns
    ) -> tuple[Problem, ...]:
        looked.append(project.number)
        return findings(project, left_behind, runs)

    make_project(tmp_path)
    monkeypatch.setattr("evaltui.session.project_check.DEBOUNCE_S", 30)
    monkeypatch.setattr("evaltui.session.project_check.findings", noted)
    async with opened(tmp_path) as (session, ear):
        watching = asyncio.create_task(session.watch())
        await ear.until(lambda: len(ear.all(RunFinished)) == 1)
        misspelt(tmp_path)  # the first save comes before the first look too
        await ear.until(lambda: len(ear.all(RunFinished)) == 2)
        assert looked == []
        assert not any("toolsCaled" in line for line in shown(session))
        await session.close()
        await watching


async def test_a_look_that_breaks_off_is_said_and_the_next_save_is_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_project(tmp_path)
    misspelt(tmp_path)
    whole = findings

    def broken(*_: object) -> tuple[Problem, ...]:
        raise ZeroDivisionError("by zero")

    async with opened(tmp_path) as (session, ear):
        monkeypatch.setattr("evaltui.session.project_check.findings", broken)
        watching = asyncio.create_task(session.watch())
        await ear.until(lambda: bool(session.store.problems.others))
        (problem,) = session.store.problems.others
        assert (problem.file, problem.code) == ("", "check-broken")
        assert "could not be checked: ZeroDivisionError: by zero" in problem.what
        assert "report this" in problem.hint
        monkeypatch.setattr("evaltui.session.project_check.findings", whole)
        write_suite(tmp_path, "play_music", [{**MUSIC[0], "id": "gs-play-music-002"}])
        await ear.until(lambda: bool(ear.all(ProjectChecked)))
        assert any("toolsCaled" in line for line in shown(session))
        await session.close()
        await watching


class Running:
    """A queue that runs something."""

    is_busy = True
    is_rejudging = False


@pytest.mark.parametrize("is_flood", [True, False])
async def test_a_look_gives_way_to_a_flood_of_results_but_not_to_a_run_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_flood: bool
) -> None:
    monkeypatch.setattr(project_check, "WINDOW_S", 0.05)
    monkeypatch.setattr(project_check, "FLOOD", 0 if is_flood else 2)
    root = make_project(tmp_path)
    misspelt(root)
    async with opened(root) as (session, ear):
        running = Running()
        queues = running
        looking = session.watch_loop
        check = ProjectCheck(session._project, session.baselines, queues, looking)  # type: ignore[arg-type]
        check.follow()
        result = CaseResult(CaseKey(FIND, "gs-find-order-001"), "r", "a", CaseStatus.PASSED)
        session.emit(CaseFinished("r", result))
        if is_flood:
            await asyncio.sleep(0.15)
        else:
            await ear.until(lambda: bool(ear.all(ProjectChecked)))
        assert bool(ear.all(ProjectChecked)) is not is_flood
        running.is_busy = False
        await ear.until(lambda: bool(ear.all(ProjectChecked)))
        await check.close()


async def test_a_look_gives_way_to_a_save_that_nothing_was_run_for_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_while_looking = 0
    root = make_project(tmp_path)
    monkeypatch.setattr(project_check, "WINDOW_S", 0.01)

    class Idle:
        is_busy = is_rejudging = False

    class Looking:
        """Into a save, until it was asked often enough."""

        @property
        def is_looking(self) -> bool:
            nonlocal asked_while_looking
            asked_while_looking += 1
            return asked_while_looking < 5

    async with opened(root) as (session, ear):
        check = ProjectCheck(session._project, session.baselines, Idle(), Looking())  # type: ignore[arg-type]
        check.follow()
        await ear.until(lambda: bool(ear.all(ProjectChecked)))
        assert asked_while_looking == 5
        await check.close()


@pytest.mark.parametrize("is_longest", [True, False])
async def test_a_look_gives_way_to_kept_answers_that_are_judged_again_but_not_forever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_longest: bool
) -> None:
    looked_at_judging = 0
    root = make_project(tmp_path)
    misspelt(root)
    monkeypatch.setattr(project_check, "LONGEST_S", 0.05 if is_longest else 60.0)
    monkeypatch.setattr(project_check, "WINDOW_S", 0.01)

    class Judging:
        """Until it was looked at often enough, or for ever."""

        is_busy = True

        @property
        def is_rejudging(self) -> bool:
            nonlocal looked_at_judging
            looked_at_judging += 1
            return is_longest or looked_at_judging < 5

    async with opened(root) as (session, ear):
        queues = Judging()
        looking = session.watch_loop
        check = ProjectCheck(session._project, session.baselines, queues, looking)  # type: ignore[arg-type]
        check.follow()
        await ear.until(lambda: bool(ear.all(ProjectChecked)))
        assert looked_at_judging >= 1 if is_longest else looked_at_judging == 5
        await check.close()
