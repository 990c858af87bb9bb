"""Rows after each reading of the project: the short way gives what going through all gives."""

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.suite import Suite
from evaltui.store.project_rows import project_rows
from evaltui.store.row import Row

NAMES = ("a", "b", "c")


@st.composite
def readings(draw: st.DrawFn) -> list[tuple[tuple[Suite, ...], frozenset[str]]]:
    """One after the other, most suites as they were; a case may stand twice in its file."""
    found: list[tuple[tuple[Suite, ...], frozenset[str]]] = []
    suites: dict[str, Suite] = {}
    for _ in range(draw(st.integers(1, 6))):
        for name in draw(st.sets(st.sampled_from(NAMES))):
            ids = draw(st.lists(st.sampled_from("1234"), max_size=4))
            cases = tuple(
                Case(CaseKey(name, case), ContractCase(draw(st.text(max_size=1)))) for case in ids
            )
            suites[name] = Suite(name, name, Tier.GOLDEN, cases, "")
        gone = draw(st.sets(st.sampled_from(NAMES), max_size=1))
        order = draw(st.permutations([name for name in suites if name not in gone]))
        outdated = frozenset(draw(st.sets(st.sampled_from(NAMES))))
        found.append((tuple(suites[name] for name in order), outdated))
    return found


def seen(row: Row) -> tuple[object, ...]:
    return row.key, row.case, row.suite, row.is_outdated, row.place


@given(readings())
def test_every_reading_gives_the_rows_of_all_its_cases(
    sequence: list[tuple[tuple[Suite, ...], frozenset[str]]],
) -> None:
    rows: dict[CaseKey, Row] = {}
    before: tuple[Suite, ...] = ()
    for suites, outdated in sequence:
        then = {key: seen(row) for key, row in rows.items()}
        now, touched = project_rows(rows, suites, outdated, before)
        fresh, _ = project_rows({}, suites, outdated)
        assert [seen(row) for row in now.values()] == [seen(row) for row in fresh.values()]
        changed = {key for key, row in now.items() if then.get(key, ())[:4] != seen(row)[:4]}
        assert changed <= {row.key for row in touched}
        assert all(row is rows[key] for key, row in now.items() if key in rows)
        assert now is not rows or list(then) == list(now)
        rows, before = now, suites
