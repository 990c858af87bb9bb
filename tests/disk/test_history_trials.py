"""What was known when somebody pinned is remembered, and not for ever."""

import sqlite3
from pathlib import Path

from evaltui.core.case import CaseKey
from evaltui.core.statistics.trials import Trials
from evaltui.disk.history import History
from evaltui.disk.history_trials import MOST_PINS, PinnedInputs

KEY, OTHER = CaseKey("s", "a"), CaseKey("s", "b")


def rows(folder: Path) -> set[tuple[str, float]]:
    connection = sqlite3.connect(folder / "history.sqlite3")
    try:
        return {*connection.execute("SELECT name, pinned_at FROM discounted")}
    finally:
        connection.close()


def test_pins_long_past_are_forgotten_and_those_in_force_are_not(tmp_path: Path) -> None:
    history = History.open(tmp_path, tmp_path / "out")
    history.discounted("mine", {OTHER: PinnedInputs("then", 0.5)})
    for number in range(1, 40):
        pins = {KEY: PinnedInputs(f"inputs {number % 3}", float(number))}
        assert history.discounted("mine", pins) == {KEY: Trials()}
    last = {("a", float(number)) for number in range(40 - MOST_PINS, 40)}
    assert rows(tmp_path) == {("b", 0.5), *last}
    again = {KEY: PinnedInputs("inputs 1", 1.0)}  # an older name is the baseline again
    history.discounted("mine", again)
    assert rows(tmp_path) == {("b", 0.5), *last, ("a", 1.0)}
    history.close()
