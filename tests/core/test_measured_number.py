"""A whole number is one wherever it is written, and after it was read again."""

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.events import CaseFinished
from evaltui.core.measured_number import dollars, kept, number
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.disk.codec import decode, decode_event, encode, encode_event
from evaltui.disk.results.result_wire import CaseWire, from_wire, to_wire


@pytest.mark.parametrize(
    ("value", "json", "said"),
    [
        (5, "5", "5"),
        (5.0, "5", "5"),
        (-0.5, "-0.5", "-0.5"),
        (1 / 3, str(1 / 3), "0.333333"),
        (51200.0, "51200", "51,200"),
        (1e300, "1e300", "1e+300"),
        (10**30, "1e30", "1e+30"),
    ],
)
def test_a_number_is_written_as_what_it_is(value: float, json: str, said: str) -> None:
    assert (encode(kept(value)).decode(), number(value)) == (json, said)


@pytest.mark.parametrize(
    ("usd", "said"),
    [
        (0.01 - 0.00996, "$0.00004"),
        (0.00996, "$0.01"),
        (0.05, "$0.05"),
        (1.0, "$1"),
        (20.0, "$20"),
        (12345.0, "$12,345"),
        (0.0, "$0"),
    ],
)
def test_an_amount_of_money_has_no_exponent(usd: float, said: str) -> None:
    assert dollars(usd) == said


@pytest.mark.parametrize(
    ("usd", "said"),
    [
        (sum([0.0021] * 5), "$0.011"),
        (5 * 0.0021, "$0.011"),
        (0.0105, "$0.011"),
        (0.1, "$0.10"),
        (0.9996, "$1"),
        (1.2, "$1.20"),
        (12.5, "$12.50"),
        (1234.0, "$1,234"),
        (-1e-9, "$0"),
    ],
)
def test_a_sum_is_written_alike_in_whichever_order_it_was_added(usd: float, said: str) -> None:
    assert dollars(usd) == said


@pytest.mark.parametrize(
    ("usd", "said", "left"),
    [
        (19.89, "$19.89", "$19.89"),
        (19.999, "$20", "$19.99"),
        (20 - 0.112, "$19.89", "$19.88"),
        (0.09999, "$0.10", "$0.099"),
    ],
)
def test_what_is_left_is_never_rounded_up(usd: float, said: str, left: str) -> None:
    assert (dollars(usd), dollars(usd, is_left=True)) == (said, left)


def test_sums_beside_each_other_have_as_many_digits() -> None:
    spent, left = 0.112, 20 - 0.112
    assert dollars(spent, beside=(left,)) == "$0.112"
    assert dollars(left, beside=(spent,), is_left=True) == "$19.888"
    assert dollars(20, beside=(0.01,)) == "$20.00"
    all_ = (0.01, 0.01 - 0.00996, 0.00996)
    assert [dollars(one, beside=all_) for one in all_] == ["$0.01000", "$0.00004", "$0.00996"]


def test_it_stays_so_in_files_and_journals() -> None:
    verdict = Verdict("seeds", VerdictStatus.PASSED, "5 seeds", value=5)
    key = CaseKey("a", "b")
    result = CaseResult(
        key, "r", "agent", CaseStatus.PASSED, metrics={"seeds": 5}, verdicts=(verdict,)
    )
    wire = decode(CaseWire, encode(to_wire(result)))
    event = decode_event(encode_event(CaseFinished("r", result)))
    assert isinstance(event, CaseFinished)
    for read in (from_wire(wire, suite="a", run_id="r", agent="agent"), event.result):
        assert encode(read.metrics) == b'{"seeds":5}'
        assert encode(read.verdicts[0].value) == b"5"


def test_next_to_nothing_is_said_all_the_same() -> None:
    assert [dollars(usd) for usd in (-1, 0, 0.0004)] == ["$0", "$0", "$0.0004"]
