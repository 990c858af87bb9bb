"""`evaltui`: the first frame is what the last session left, then the settings count."""

import asyncio
import gc
import json
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import evaltui.tui.start as start
import evaltui.watch
from evaltui.cli import dashboard
from evaltui.cli.main import run_command
from evaltui.cli.parser import parse
from evaltui.core.errors import UserError
from evaltui.core.watch_state import WatchState
from evaltui.tui.app import DashboardApp
from evaltui.tui.panes.guide import Guide
from evaltui.tui.screens.dashboard import DashboardScreen
from tests.projects import ORDERS, make_project, write_suite
from tests.session.test_session import AGENT, asking

LIMIT_S = 20.0
LAST = Path(".evaltui", "screen.json")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three cases, and a terminal to show them on."""
    monkeypatch.chdir(tmp_path)
    terminal = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(dashboard, "sys", SimpleNamespace(stdout=terminal, stdin=terminal))
    return make_project(tmp_path)


@pytest.fixture
def ran(project: Path) -> Path:
    """The project with the results of one run, whose events are in `run.jsonl`."""
    assert run_command(["run", "--reporter", "jsonl=run.jsonl"]) == 0
    return project


class Started:
    """The dashboard as a command line starts it; its settings are read when the test lets them."""

    def __init__(self, app: DashboardApp, may_read: threading.Event) -> None:
        self.app, self._may_read = app, may_read

    async def open(self) -> None:
        """Let the settings be read and the project be opened."""
        first = self.app.session
        self._may_read.set()
        await until(lambda: self.app.session is not first)
        await until(lambda: self.app.session.state is not WatchState.STARTING)

    def shown(self, command: str) -> str:
        """The key of a command."""
        return self.app.dashboard.controller.keymap.shown(command)


async def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


def made(*arguments: str) -> dict[str, Any]:
    """What a command line makes the dashboard of."""
    given: dict[str, Any] = {}

    def note(session: Any, **options: Any) -> int:
        given.update(options, session=session)
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(start, "run_dashboard", note)
        assert dashboard.run(parse(arguments)) == 0
    return given


@asynccontextmanager
async def started(*arguments: str, guide: bool = False) -> AsyncIterator[Started]:
    """In the end it is left as by a person, so that everything is closed. With a `guide`, as the
    demo begins."""
    given = {**made(*arguments), "guide": guide}
    may_read, load = threading.Event(), given.pop("load_session")

    def load_session() -> Any:
        assert may_read.wait(60)
        return load()

    app = start.make_app(
        given.pop("session"),
        load_session=load_session,
        is_ascii=given.pop("ascii"),
        **given,
    )
    async with app.run_test(size=(160, 45)) as pilot:
        await pilot.pause()
        try:
            yield Started(app, may_read)
        finally:
            may_read.set()
            await app.action_quit()


def leave(root: Path, **known: object) -> None:
    (root / ".evaltui").mkdir(exist_ok=True)
    (root / LAST).write_text(json.dumps(known))


def last(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / LAST).read_text())
    return found


@pytest.mark.parametrize("is_polling", [False, True], ids=["system", "polling"])
def test_watchfiles_is_loaded_beside_the_session_and_not_before(
    project: Path, monkeypatch: pytest.MonkeyPatch, *, is_polling: bool
) -> None:
    loaded = threading.Event()
    monkeypatch.setattr(evaltui.watch, "load_watchfiles", loaded.set)
    (project / "evaltui.toml").write_text("[watch]\npoll = true\n" if is_polling else "")
    given = made()
    assert not loaded.is_set()
    assert given["load_session"]().store is given["session"].store
    assert loaded.wait(0 if is_polling else LIMIT_S) is not is_polling


async def test_theme_and_keys_of_the_last_session_are_there_at_once(project: Path) -> None:
    (project / "evaltui.toml").write_text('theme = "light"\n[keys]\n"run.all" = "Q"\n')
    async with started() as first:
        assert first.app.theme == "dark"
        await first.open()
        await until((project / LAST).exists)
    assert (last(project)["theme"], last(project)["keys"]) == ("light", {"run.all": "Q"})
    async with started() as second:
        assert second.app.theme == "light"
        assert second.shown("run.all") == "Q"
        assert second.app.dashboard.controller.layout.footer.look.keys == {"a": "Q"}


async def test_what_was_edited_meanwhile_counts_once_it_is_read(project: Path) -> None:
    leave(project, theme="light", keys={"run.all": "Q"}, keys_preset="arrows")
    (project / "evaltui.toml").write_text('theme = "high-contrast"\n[keys]\n"run.all" = "W"\n')
    async with started() as shown:
        assert (shown.app.theme, shown.shown("run.all")) == ("light", "Q")
        assert shown.shown("move.down") == "↓"
        await shown.open()
        assert (shown.app.theme, shown.shown("run.all")) == ("high-contrast", "W")
        assert shown.shown("move.down") != "↓"
        layout = shown.app.dashboard.controller.layout
        assert layout.footer.keymap is shown.app.dashboard.controller.keymap
        assert layout.footer.look.keys == {"a": "W"}
        await until(lambda: last(project)["theme"] == "high-contrast")


async def test_settings_edited_while_they_are_in_force_are_kept(project: Path) -> None:
    async with started() as shown:
        await shown.open()
        await until(lambda: shown.app.session.state is WatchState.WATCHING)
        (project / "evaltui.toml").write_text('theme = "light"\n')
        await until(lambda: (project / LAST).exists() and last(project)["theme"] == "light")


async def test_flags_count_and_are_not_kept(project: Path) -> None:
    leave(project, theme="light", agent="embedded")
    (project / "evaltui.toml").write_text('theme = "light"\n[keys]\n"run.all" = "Q"\n')
    async with started("--theme", "high-contrast", "--agent", "http://127.0.0.1:9/x") as shown:
        assert shown.app.theme == "high-contrast"
        assert shown.app.session.config.agents[0].name == "http://127.0.0.1:9/x"
        await shown.open()
        assert shown.app.theme == "high-contrast"
        await until(lambda: "Q" in last(project).get("keys", {}).values())
    assert (last(project)["theme"], last(project)["agent"]) == ("light", "embedded")


async def test_the_guide_hears_of_the_save_in_the_session_that_was_opened(project: Path) -> None:
    """It is on the screen before the settings are read, and with them another session comes."""
    async with started(guide=True) as shown:
        guide = shown.app.dashboard.query_one(Guide)
        await shown.open()
        store = shown.app.session.store
        await until(lambda: "find_order in tools.json:" in str(guide.content).replace("`", ""))
        await until(lambda: all(row.result for row in store.board(AGENT).rows.values()))
        write_suite(project, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await until(lambda: str(guide.content).startswith("3/3"))


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", ["set-aside"]), ('{"theme": 3}', ["set-aside"]), ('{"theme": "../../x"}', [])],
)
async def test_a_damaged_file_is_set_aside_and_written_again(
    project: Path, text: str, said: list[str]
) -> None:
    (project / ".evaltui").mkdir()
    (project / LAST).write_text(text)
    async with started() as shown:
        assert (shown.app.theme, shown.shown("run.all")) == ("dark", "a")
        await shown.open()
        store = shown.app.session.store
        await until(lambda: [one.code for one in store.problems.others] == said)
        (project / "evaltui.toml").write_text('theme = "light"\n')
        await until(lambda: shown.app.session.state is WatchState.WATCHING)
        await until(lambda: (project / LAST).exists() and '"light"' in (project / LAST).read_text())


async def test_mistakes_in_keys_are_those_of_the_settings(project: Path) -> None:
    leave(project, keys={"no.such": "Q"})
    (project / "evaltui.toml").write_text('[keys]\n"run.nothing" = "W"\n')
    async with started() as shown:
        assert not shown.app.session.store.problems.others
        await shown.open()
        said = " ".join(map(str, shown.app.session.store.problems.reported))
        assert "run.nothing" in said and "no.such" not in said


async def test_the_board_of_another_agent_does_not_stay(ran: Path) -> None:
    (ran / "evaltui.toml").write_text('[agents.shop]\nurl = "http://127.0.0.1:9/x"\n')
    async with started() as shown:
        assert len(shown.app.session.store.boards) == 1
        await shown.open()
        assert "shop" in shown.app.session.agents
        assert not [name for name in shown.app.session.store.boards if "embedded" in name]
        assert shown.app.dashboard.controller.agent == "shop"
        cases = shown.app.dashboard.controller.layout.cases
        await until(lambda: cases.border_title == "2 Cases 3")


async def test_the_folder_with_the_last_results_is_found_from_below(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(project, theme="light")
    (project / ".git").mkdir()
    (project / "evaltui.toml").write_text('theme = "light"\n')
    below = project / "evals"
    monkeypatch.chdir(below)
    assert dashboard.last_config(parse([])).root == project
    (project / ".git").rmdir()
    assert dashboard.last_config(parse([])).root == below


def test_a_settings_file_that_is_named_says_where_the_project_is(project: Path) -> None:
    other = project / "other"
    other.mkdir()
    leave(other, theme="light")
    (other / "mine.toml").write_text("")
    config = dashboard.last_config(parse(["--config", "other/mine.toml"]))
    assert (config.root, config.theme) == (other, "light")


def test_a_folder_that_is_missing_is_said_before_the_screen_opens(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "run_dashboard", lambda *_, **__: pytest.fail("it was opened"))
    assert run_command(["-C", str(project / "nowhere")]) == 2
    assert "There is no folder" in capsys.readouterr().err


def test_settings_that_are_refused_end_the_dashboard(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise UserError("The folder went away.", "Look for it.")

    whole = DashboardApp.run
    monkeypatch.setattr(DashboardApp, "run", lambda app: whole(app, headless=True))
    monkeypatch.setattr(dashboard, "read_settings", refuse)
    assert run_command(["-C", str(project)]) == 2
    said = capsys.readouterr().err
    assert said == "evaltui: The folder went away. Look for it.\n"


def test_garbage_is_looked_for_once_a_frame_was_painted(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[bool] = []

    def refuse(*_: object, **__: object) -> None:
        looks.append(gc.isenabled())
        raise UserError("That is enough.")

    def show(app: DashboardApp) -> DashboardScreen:
        looks.append(gc.isenabled())
        return screen(app)

    whole, screen = DashboardApp.run, DashboardApp.get_default_screen
    monkeypatch.setattr(DashboardApp, "run", lambda app: whole(app, headless=True))
    monkeypatch.setattr(DashboardApp, "get_default_screen", show)
    monkeypatch.setattr(dashboard, "read_settings", refuse)
    assert gc.isenabled()
    assert run_command(["-C", str(project)]) == 2
    assert looks == [False, True]


def test_garbage_is_looked_for_where_no_frame_is_painted(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert run_command(["-C", str(project)]) == 2
    assert gc.isenabled()


async def test_a_replay_is_shown_by_the_settings(ran: Path) -> None:
    leave(ran, theme="light")
    (ran / "evaltui.toml").write_text('theme = "high-contrast"\nmultisetTools = false\n')
    async with started("--replay", "run.jsonl") as shown:
        assert shown.app.theme == "light"
        assert not shown.app.session.store.boards
        before = shown.app.session
        shown._may_read.set()
        await until(lambda: shown.app.session is not before)
        assert shown.app.theme == "high-contrast"
        assert not shown.app.session.config.multiset_tools
        await until(lambda: bool(shown.app.session.store.boards))
    assert last(ran) == {"theme": "light"}
