"""The rows of a board that an earlier process left, before the project is read."""

from collections import Counter
from collections.abc import Iterator, Mapping

from evaltui.core.case import Case, ContractCase
from evaltui.core.events import ResultsLoaded
from evaltui.core.result import CaseStatus
from evaltui.core.suite import Suite
from evaltui.core.usual_time import without_last
from evaltui.store.row import Row


def cached_rows(loaded: ResultsLoaded, suites: Mapping[str, Suite]) -> Iterator[Row]:
    """One for each result; of its case no more is known than the result says."""
    for index, result in enumerate(loaded.results):
        case = Case(result.key, ContractCase(""), description=result.description)
        row = Row(result.key, case, suites[result.key.suite], result)
        row.recent = loaded.strips[index] if loaded.strips else ()
        row.usual_ms = without_last(result.typical_ms, result.duration_ms)
        yield row


def unlisted(loaded: ResultsLoaded) -> dict[str, Counter[CaseStatus]]:
    """By suite, how many more cases were counted than have a result here."""
    found = {name: Counter(counts) for name, counts in loaded.counts.items()}
    for result in loaded.results:
        found[result.key.suite][result.shown_status] -= 1
    return found
