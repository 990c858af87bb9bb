"""Which cases belong together."""

import pytest

from evaltui.core.case import Case, CaseKey, ContractCase, Tier, TraceCase
from evaltui.core.clusters import cluster_of, group_in, group_of
from evaltui.core.json_value import Json
from evaltui.core.suite import EvalMetadata, Suite

KEY = CaseKey("evals/a.json", "a-1")


@pytest.mark.parametrize(
    ("extra", "of_trace", "of_suite", "group"),
    [
        ("own", "trace's", "suite's", "own"),
        (None, "trace's", "suite's", "trace's"),
        (None, None, "suite's", "suite's"),
        (None, None, None, ""),
        ("", "trace's", None, "trace's"),
        (["own"], None, "suite's", "suite's"),
        (0, None, "suite's", "0"),
    ],
)
def test_what_is_written_nearest_to_the_case_groups_it(
    extra: Json, of_trace: Json, of_suite: Json, group: str
) -> None:
    case = Case(KEY, TraceCase("hello", metadata={"group": of_trace}), extra={"group": extra})
    assert group_of(case, {"group": of_suite}) == group


def test_a_case_without_a_group_is_alone() -> None:
    case = Case(KEY, ContractCase("hello"))
    bare = Suite(KEY.suite, "a", Tier.GOLDEN, (case,), "0")
    assert (group_in(case, bare), group_of(case, None), cluster_of(case, bare)) == ("", "", KEY)
    named = Suite(KEY.suite, "a", Tier.GOLDEN, (case,), "0", EvalMetadata(raw={"group": "day"}))
    assert group_in(case, named) == cluster_of(case, named) == "day"
