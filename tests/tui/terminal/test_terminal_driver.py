"""After a stop all is painted again, whoever switched the terminal's modes back."""

import asyncio
import sys
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from evaltui.tui.terminal.terminal_driver import TerminalDriver


class Shown:
    def __init__(self) -> None:
        self.painted: list[dict[str, Any]] = []

    def refresh(self, **how: Any) -> None:
        self.painted.append(how)


class Driver(TerminalDriver):
    """Without a terminal."""

    def __init__(self, *, heard_stop: bool, is_on: bool = True) -> None:
        self.own_loop = asyncio.get_running_loop()
        self.shown_app: Any = Shown()
        self.heard_stop, self.is_on = heard_stop, is_on

    def suspend_application_mode(self) -> None:
        pass

    def resume_application_mode(self) -> None:
        pass


@pytest.mark.parametrize("heard_stop", [True, False], ids=["SIGTSTP", "SIGSTOP"])
async def test_all_is_painted_when_it_goes_on(heard_stop: bool) -> None:
    driver, theirs = Driver(heard_stop=heard_stop), list[str]()
    driver._go_on(lambda: theirs.append("resumed"))
    await asyncio.sleep(0)
    assert driver.shown_app.painted == [{"layout": True}]
    assert theirs == (["resumed"] if heard_stop else [])


async def test_nothing_is_painted_while_another_program_has_the_terminal() -> None:
    driver = Driver(heard_stop=True, is_on=False)
    driver._go_on(lambda: None)
    await asyncio.sleep(0)
    assert driver.shown_app.painted == []
