"""A write that has begun comes before the last words; none comes after them."""

import io
from pathlib import Path
from threading import Event, Thread

from evaltui.tui.terminal.terminal_modes import TerminalGate

LONGEST_S = 30.0


class Slow(io.StringIO):
    """Its first write is under way until `taken` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.taken = Event(), Event()

    def write(self, text: str) -> int:
        self.begun.set()
        assert self.taken.wait(LONGEST_S)
        return super().write(text)


def test_what_was_begun_ends_before_it_is_shut() -> None:
    terminal = Slow()
    gate = TerminalGate(terminal)
    painter = Thread(target=gate.write, args=("begun",))
    painter.start()
    assert terminal.begun.wait(LONGEST_S)
    seen: list[str] = []

    def leave() -> None:
        gate.shut(LONGEST_S)
        seen.append(terminal.getvalue())

    leaving = Thread(target=leave)
    leaving.start()
    terminal.taken.set()
    for thread in (painter, leaving):
        thread.join(LONGEST_S)
    assert seen == ["begun"]


def test_what_is_written_later_goes_nowhere() -> None:
    terminal = io.StringIO()
    gate = TerminalGate(terminal)
    gate.write("before")
    gate.shut(LONGEST_S)
    assert gate.write("after") == 5
    gate.flush()
    assert terminal.getvalue() == "before"


def test_a_terminal_that_takes_nothing_is_not_waited_for() -> None:
    terminal = Slow()
    gate = TerminalGate(terminal)
    painter = Thread(target=gate.write, args=("begun",))
    painter.start()
    assert terminal.begun.wait(LONGEST_S)
    gate.shut(0.01)
    terminal.taken.set()
    painter.join(LONGEST_S)
    assert gate.write("after") == 5
    assert terminal.getvalue() == "begun"


def test_what_it_says_of_itself_is_said_by_the_file(tmp_path: Path) -> None:
    with (tmp_path / "a").open("w", encoding="latin-1") as file:
        gate = TerminalGate(file)
        assert (gate.fileno(), gate.isatty(), gate.encoding) == (file.fileno(), False, "latin-1")
        assert gate.writable()
