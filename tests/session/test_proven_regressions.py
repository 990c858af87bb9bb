"""A few suites of `benchmarks/proven_regressions.py`, which has the long series."""

import asyncio

import pytest

from benchmarks.proven_regressions import CALLS, suite, summary

pytestmark = pytest.mark.slow


def test_where_nothing_changed_nobody_who_looks_after_each_call_sees_a_fall() -> None:
    found = [asyncio.run(suite("hard", 0, seed)) for seed in range(3)]
    assert sum(one.wrong for one in found) == 0
    assert "3 suites · 0 showed a false ↓" in summary(found, 0)


@pytest.mark.parametrize(("fit", "least"), [("easy", 7.0), ("hard", 4.0)])
def test_broken_cases_are_found_within_the_budget_and_hardly_any_other(
    fit: str, least: float
) -> None:
    """So few suites vary by about one case around what is promised of many."""
    found = [asyncio.run(suite(fit, 10, seed)) for seed in range(3)]
    assert sum(one.found for one in found) / 3 >= least
    assert sum(one.wrong_at_end for one in found) <= 1
    assert all(one.calls <= 200 * CALLS + 1 for one in found)
