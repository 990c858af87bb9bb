"""A history whose rows hold something else than we write is set aside, said and made anew."""

import sqlite3
from pathlib import Path

import pytest

from evaltui.core.errors import Problem
from evaltui.core.statistics.trials import MOST_TRIALS, Planned, Trials
from evaltui.disk.history.history import History
from evaltui.disk.history.history_schema import ForeignError
from evaltui.disk.history.history_values import more_of, planned_of, trials_of
from evaltui.disk.history.pinned_inputs import PinnedInputs
from evaltui.disk.history.run_record import RunRecord
from evaltui.disk.history.shared_inputs import SamePrints
from tests.disk.evidence_table import counted
from tests.disk.samples import no_problem, passed

COLUMNS = (
    *(f"latest.{name}" for name in ("duration_ms", "typical_ms", "finished_at", "more")),
    *(f"{table}.{name}" for table in ("evidence", "discounted") for name in ("passed", "failed")),
    *(f"past.{name}" for name in ("duration_ms", "finished_at", "passes", "trials")),
)
RESULT = passed(run="run-1")
INPUTS = SamePrints().of(RESULT.inputs)
PINS = {RESULT.key: PinnedInputs(INPUTS, 5.0)}


def made(tmp_path: Path) -> None:
    history = History.open(tmp_path, tmp_path / "results", no_problem)
    entry = RunRecord("run-1", history.next_number(), "embedded", "asked for", finished_at=1.0)
    history.record(entry, [RESULT])
    history.trials.note_pins("embedded", PINS)
    history.close()


def read(tmp_path: Path) -> list[Problem]:
    """All that is ever asked of it; what was found is used as numbers are."""
    said: list[Problem] = []
    history = History.open(tmp_path, tmp_path / "results", said.append)
    for one in history.last_results("embedded").results:
        assert one.duration_ms + one.typical_ms + one.finished_at + one.passes + one.trials > 0
    for counts in history.trials.of("embedded", [(RESULT.key, INPUTS)]).values():
        assert counts.count < 10**10
    for counts in history.trials.note_pins("embedded", PINS).values():
        assert counts.count < 10**10
    for kinds in counted(history, "embedded").values():
        assert all(one.passed + one.failed + one.finished_at > 0 for one in kinds)
    for entry in history.entries(RESULT.key, "embedded"):
        assert entry.duration_ms is not None
        assert entry.duration_ms + entry.finished_at + entry.passes + entry.trials > 0
    history.close()
    return said


def test_what_we_write_is_read(tmp_path: Path) -> None:
    made(tmp_path)
    assert not read(tmp_path)


@pytest.mark.parametrize("odd", ["'x'", "x'00ff'"])
@pytest.mark.parametrize("column", COLUMNS)
def test_what_we_never_write_sets_the_file_aside(tmp_path: Path, column: str, odd: str) -> None:
    made(tmp_path)
    table, name = column.split(".")
    connection = sqlite3.connect(tmp_path / "history.sqlite3")
    assert connection.execute(f"UPDATE {table} SET {name}={odd}").rowcount == 1
    connection.commit()
    connection.close()
    said = read(tmp_path)
    assert [one.code for one in said] == ["set-aside"]
    assert (tmp_path / "history.sqlite3.damaged").exists()


@pytest.mark.parametrize("odd", [(-1, 0), (0, 10**12), (1.5, 0), (None, 0)])
def test_counts_that_no_history_reaches_are_none(odd: tuple[object, object]) -> None:
    assert trials_of(3, 4) == Trials(3, 4)
    with pytest.raises(ForeignError):
        trials_of(*odd)


@pytest.mark.parametrize(
    "odd",
    [
        '{"judged":{"passes":-1}}',
        '{"judged":{"failures":-1}}',
        f'{{"judged":{{"passes":{MOST_TRIALS + 1}}}}}',
        '{"erred":-1}',
        f'{{"erred":{MOST_TRIALS + 1}}}',
    ],
)
def test_no_more_was_planned_than_a_history_reaches(odd: str) -> None:
    most = f'{{"judged":{{"passes":{MOST_TRIALS},"failures":0}},"erred":1}}'
    assert planned_of(most) == Planned(Trials(MOST_TRIALS, 0), 1)
    assert more_of(f'{{"planned":{most}}}') == {"planned": planned_of(most)}
    with pytest.raises(ForeignError):
        planned_of(odd)
    with pytest.raises(ForeignError):
        more_of(f'{{"planned":{odd}}}')


def test_a_field_of_another_kind_or_version_is_passed_over_alone() -> None:
    assert more_of('{"trials":3,"later":[1],"passes":"x","score":null}') == {"trials": 3}
    for odd in ("[1]", "{", "", b"{}", 3):
        with pytest.raises(ForeignError):
            more_of(odd)
