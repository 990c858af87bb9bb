"""Whether there is anything to show, and that two changes between two looks are both kept."""

import pytest

from evaltui.core.case import CaseKey
from evaltui.store.changes import Changes

ONE, TWO = CaseKey("a.json", "1"), CaseKey("b.json", "2")
FLAGS = [name for name in Changes.__struct_fields__ if name.startswith("is_")]


@pytest.mark.parametrize("flag", FLAGS)
def test_every_kind_of_change_is_a_change(flag: str) -> None:
    changes = Changes()
    assert not changes
    setattr(changes, flag, True)
    assert changes


def test_rows_and_counts_add_up_by_agent() -> None:
    changes = Changes()
    changes.note("a", [ONE], ["a.json"])
    changes.note("a", [TWO], ["b.json"])
    changes.note("b", [ONE], [])
    assert changes
    assert changes.rows == {"a": {ONE, TWO}, "b": {ONE}}
    assert changes.counts == {"a": {"a.json", "b.json"}}
