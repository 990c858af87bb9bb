"""The dashboard in a project that nobody agreed to: it shows the list, and waits for ctrl+t."""

import asyncio
import sys
from pathlib import Path

import pytest

from evaltui.cli.dashboard import last_config
from evaltui.cli.parser import parse
from evaltui.session import Session
from evaltui.settings.load import load_config
from tests.driver import driving
from tests.projects import make_project

ANSWER = '{"response": "ok", "toolCalls": [{"name": "find_order", "params": {}, "success": true}]}'
SETTINGS = f"""
registry = "tools.json"
agent = "mine"
[agents.mine]
type = "command"
command = ["{sys.executable}", "agent.py"]
is_free = true
"""


def project(root: Path) -> Path:
    make_project(root)
    (root / "evaltui.toml").write_text(SETTINGS)
    (root / "agent.py").write_text(f"open('started', 'a').write('x')\nprint({ANSWER!r})\n")
    return root


def session_of(root: Path) -> Session:
    read = load_config(root)
    return Session(read.config, problems=read.problems)


async def until(driver: object, text: str) -> None:
    async with asyncio.timeout(20):
        while text not in driver.text:  # type: ignore[attr-defined]
            await driver.settle()  # type: ignore[attr-defined]


@pytest.mark.slow
async def test_nothing_runs_until_ctrl_t_and_y(tmp_path: Path) -> None:
    root = project(tmp_path)
    async with driving(session_of(root), is_alone=False) as driver:
        await until(driver, "Do you trust this project?")
        driver.sees("agent.py` in `.`", "None of it has happened yet", "y agrees")
        await driver.press("escape")
        driver.sees("not trusted: ctrl+t", "gs-find-order-001")
        await driver.press("a")
        driver.sees("ctrl+t shows it and asks")
        (root / "tools.json").write_text((root / "tools.json").read_text().replace("song", "tune"))
        await driver.press("ctrl+t", "enter")
        assert not (root / "started").exists()
        await driver.press("ctrl+t", "y")
        await until(driver, "✓2")
        driver.misses("not trusted")
        assert (root / "started").exists()
    async with driving(session_of(root), is_alone=False) as driver:
        await until(driver, "gs-find-order-001")
        driver.misses("Do you trust")
        await driver.press("ctrl+t")
        driver.sees("You agreed to this")


def test_the_first_frame_reads_nothing_outside(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    for folder in (root, elsewhere):
        folder.mkdir()
    screen = '{"theme": "light", "agent": "theirs"}'
    (elsewhere / "screen.json").write_text(screen)
    (root / ".evaltui").symlink_to(elsewhere)
    assert last_config(parse(["-C", str(root)])).theme == "dark"
    (root / ".evaltui").unlink()
    (root / ".evaltui").mkdir()
    (root / ".evaltui/screen.json").write_text(screen)
    assert last_config(parse(["-C", str(root)])).theme == "light"


@pytest.mark.slow
async def test_other_settings_end_it_while_one_watches(tmp_path: Path) -> None:
    root = project(tmp_path)
    async with driving(session_of(root), is_alone=False) as driver:
        await until(driver, "Do you trust this project?")
        await driver.press("y")
        await until(driver, "✓2")
        (root / "evil.py").write_text("open('evil-started', 'w')\n")
        (root / "evaltui.toml").write_text(SETTINGS.replace("agent.py", "evil.py"))
        await until(driver, "not trusted: ctrl+t")
        await driver.press("a")
        driver.sees("ctrl+t shows it and asks", "gs-find-order-001")
        assert not (root / "evil-started").exists()


@pytest.mark.parametrize("kind", ["program", "address"])
async def test_only_what_runs_a_program_is_said_to_give_it_the_environment(
    tmp_path: Path, kind: str
) -> None:
    root = project(tmp_path)
    if kind == "address":
        asked = 'agent = "a"\n[agents.a]\ntype = "http"\nurl = "http://127.0.0.1:9/chat"\n'
        (root / "evaltui.toml").write_text(f'registry = "tools.json"\n{asked}')
    async with driving(session_of(root), is_alone=False) as driver:
        await until(driver, "Do you trust this project?")
        driver.sees("You are asked again when one of these changes.")
        assert ("get your environment" in driver.text) is (kind == "program")
