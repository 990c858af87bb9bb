"""Two dashboards on one folder, each a process of its own: used, left, killed."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.projects import MUSIC, ORDERS, write_suite
from tests.session.test_session import asking
from tests.session.test_two_dashboards import asked, project
from tests.terminal import EVALTUI, Terminal, plain_environment, terminal

pytestmark = pytest.mark.slow


def reading(*shown: Terminal, until: Callable[[], bool]) -> None:
    """Read from all of them until it holds: one that nobody reads from cannot paint."""
    others = shown[1:]

    def holds() -> bool:
        for other in others:
            other.read(0.01)
        return until()

    shown[0].until(holds)


def show(*shown: Terminal, text: str) -> None:
    reading(*shown, until=lambda: all(text in one.text for one in shown))


def save(root: Path, message: str) -> None:
    write_suite(root, "find_order", (asking(message), ORDERS[1]))


def test_a_save_is_asked_once_and_the_lock_passes_on(tmp_path: Path) -> None:
    root = project(tmp_path)
    with terminal(root) as runner, terminal(root) as other:
        show(runner, other, text="2 Cases 3")
        reading(
            runner, other, until=lambda: ("FOLLOWS" in runner.text) != ("FOLLOWS" in other.text)
        )
        first, second = (other, runner) if "FOLLOWS" in runner.text else (runner, other)
        reading(second, first, until=lambda: f"FOLLOWS pid {first.pid}" in second.lines[-1])
        reading(first, second, until=lambda: "WATCH" in first.lines[0])
        second.press("a")
        reading(second, first, until=lambda: f"the dashboard with pid {first.pid}" in second.text)
        first.press("a")
        reading(first, second, until=lambda: "3 cases never ran, cost unknown" in first.text)
        first.press("a")
        show(first, second, text="✗3")
        assert len(asked(root)) == 3

        save(root, "Show order SO-9")
        reading(first, second, until=lambda: len(asked(root)) == 4)
        show(first, second, text="run #2")
        reading(second, first, until=lambda: "✗3" in second.lines[0])

        first.kill()
        reading(second, until=lambda: "WATCH" in second.lines[0])
        reading(second, until=lambda: "FOLLOWS" not in second.text)
        assert len(asked(root)) == 4, "what is not due is not asked again"
        save(root, "Show order SO-10")
        reading(second, until=lambda: "run #3" in second.lines[0] and len(asked(root)) == 5)
    assert asked(root)[3:] == ["Show order SO-9", "Show order SO-10"]


def test_a_run_whose_process_is_killed_is_finished_by_the_other(tmp_path: Path) -> None:
    root = project(tmp_path)
    settings = root / "evaltui.toml"
    settings.write_text("concurrency = 1\n" + settings.read_text())
    function = root / "mine.py"
    slow = '    __import__("time").sleep(0.7 * ("again" in message))\n    return'
    function.write_text(function.read_text().replace("    return", slow))
    with terminal(root) as runner:
        runner.shows("WATCH", "2 Cases 3")
        runner.press("a")
        runner.shows("3 cases never ran, cost unknown")
        runner.press("a")
        runner.shows("✗3")
        with terminal(root) as follower:
            reading(follower, runner, until=lambda: "FOLLOWS" in follower.text)
            reading(follower, runner, until=lambda: "✗3" in follower.lines[0])
            messages = [f"{name} again" for name in ("First", "Second", "Third")]
            edited = [
                {**case, "input": {"message": message}}
                for case, message in zip((*ORDERS, *MUSIC), messages, strict=True)
            ]
            write_suite(root, "find_order", edited[:2])
            write_suite(root, "play_music", edited[2:])
            show(runner, follower, text="run #2")
            reading(follower, runner, until=lambda: "1/3" in follower.lines[0])
            runner.kill()
            reading(follower, until=lambda: "run #3" in follower.lines[0])
            reading(
                follower, until=lambda: "2/2" in follower.lines[0] or "/" not in follower.lines[0]
            )
    again = asked(root)[3:]
    assert set(again) == set(messages)
    assert len(again) <= 4, "one is asked once more: its answer was lost with the process"


def test_what_is_run_beside_appears(tmp_path: Path) -> None:
    root = project(tmp_path)
    with terminal(root) as shown:
        shown.shows("WATCH", "2 Cases 3")
        command = [*EVALTUI, "run", "--fail-on", "never"]
        beside = subprocess.run(
            command, cwd=root, env=plain_environment(), capture_output=True, check=True
        )
        assert beside.stdout
        shown.shows("✗3", "run #1")
    assert len(asked(root)) == 3
