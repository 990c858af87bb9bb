"""What a trace took: every reader gets the same figures, and a negative one is none."""

from typing import Any

import pytest

from evaltui.core.case import Case
from evaltui.core.trace_times import latencies_ms, tells_no_time
from evaltui.core.verdict import VerdictStatus
from evaltui.evidence.measurements import Measurements
from evaltui.traces.measured import cost_usd, tokens
from evaltui.traces.reading import read_case, trace_body
from evaltui.traces.recorded_response import recorded_response
from tests.traces.judges.test_judges import judged, say

HUGE = 10**400
"""A whole number that no double holds."""


def case_of(*events: dict[str, Any], **fields: Any) -> Case:
    trace = [{"idx": index, **event} for index, event in enumerate(events)]
    return read_case("d", {"case_id": "c", "trace": trace, **fields}, 0)


@pytest.mark.parametrize(
    ("told", "sum_ms"),
    [
        ([{"latency_ms": 400}, {"attributes": {"latency_ms": 1200}}], 1600),
        ([{"latency_ms": 635}, {"latency_ms": -100_000}], 635),
        ([{"latency_ms": 635}, {"attributes": {"latency_ms": HUGE}}], 635),
        ([{"latency_ms": 635}, {"latency_ms": 1e13}], 635),
        ([{"latency_ms": 5, "attributes": {"latency_ms": 7}}], 5),
        ([{"latency_ms": 5}, {"attributes": {"latency_ms": "900"}}], 905),
    ],
)
def test_board_and_report_tell_the_same_latency(told: list[dict[str, Any]], sum_ms: float) -> None:
    case = case_of(*(say("x", **one) for one in told))
    measured = Measurements()
    measured.add(case)
    assert recorded_response(case).duration_ms == sum_ms
    assert measured.document()["latency_ms"]["mean"] == sum_ms
    assert sum(latencies_ms(trace_body(case).trace)) == sum_ms


@pytest.mark.parametrize(
    "told", [-1, "-1", HUGE, 1e13, "soon", "nan", True], ids=lambda one: str(one)[:9]
)
def test_what_is_no_time_never_passes_a_limit_of_latency(told: Any) -> None:
    wrong = say("x", attributes={"latency_ms": told})
    found = judged("latency_slo", say("y", latency_ms=1), wrong, config={"max_total_latency_ms": 9})
    assert (found.status, found.category) == (VerdictStatus.FAILED, "contract_violation")
    assert found.evidence["events"] == [{"event_idx": 1}]
    assert tells_no_time(trace_body(case_of(wrong)).trace[0])


def test_a_negative_latency_breaks_the_replay_contract_wherever_it_is_told() -> None:
    for told in (
        {"latency_ms": -1},
        {"attributes": {"latency_ms": -1}},
        {"attributes": {"latency_ms": "-1"}},
    ):
        found = judged("replay_contract", say("x", **told))
        assert found.evidence["issues"] == ["event 0: latency_ms is negative"]


@pytest.mark.parametrize("told", [-5, HUGE, "-5", "much", True, [1]], ids=lambda one: str(one)[:9])
def test_what_is_no_amount_never_passes_a_budget(told: Any) -> None:
    used = {"input_tokens": told, "output_tokens": 1, "cost_usd": told}
    body = trace_body(case_of(say("x"), metadata={"token_usage": used}))
    assert (tokens(body), cost_usd(body)) == ({"input": None, "output": 1.0}, None)
    for limit in ("max_cost_usd", "max_input_tokens", "max_total_tokens"):
        config = {limit: 1_000_000}
        found = judged("cost_budget", say("x"), metadata={"token_usage": used}, config=config)
        assert found.status is VerdictStatus.FAILED, limit


def test_a_negative_figure_beside_a_good_one_leaves_their_sum_unknown() -> None:
    wrong = say("x", attributes={"usage.input_tokens": -90, "usage.cost_usd": -1})
    case = case_of(wrong, metadata={"token_usage": {"input_tokens": 100, "cost_usd": 2}})
    assert tokens(trace_body(case))["input"] is None
    assert cost_usd(trace_body(case)) is None


@pytest.mark.parametrize("prefix", ["usage.", "gen_ai.usage."])
def test_figures_that_are_written_as_text_count(prefix: str) -> None:
    events = [say("x", attributes={f"{prefix}input_tokens": told}) for told in (5, "900", "")]
    assert tokens(trace_body(case_of(*events)))["input"] == 905


@pytest.mark.parametrize("key", ["cost_usd", "usage.cost_usd", "gen_ai.usage.cost_usd"])
@pytest.mark.parametrize("told", [0.5, "0.5"])
def test_a_cost_counts_by_any_of_its_names(key: str, told: Any) -> None:
    case = case_of(say("x", attributes={key: told}), metadata={"token_usage": {"cost_usd": 0.25}})
    assert cost_usd(trace_body(case)) == 0.75


@pytest.mark.parametrize(
    ("of_all", "costs", "usd"),
    [(None, (50, 0.01), 50.01), (None, (2, 2), 4), (50, (0,), 50), (None, (50, None), 50)],
)
def test_a_cost_is_never_lower_than_one_of_its_parts(
    of_all: float | None, costs: tuple[float | None, ...], usd: float
) -> None:
    events = [say("x", attributes={"usage.cost_usd": one}) for one in costs]
    metadata = {"token_usage": {"cost_usd": of_all}}
    case = case_of(*events, metadata=metadata)
    measured = Measurements()
    measured.add(case)
    assert measured.document()["cost_usd"]["total"] == pytest.approx(usd)
    config = {"max_cost_usd": usd - 0.001}
    found = judged("cost_budget", *events, metadata=metadata, config=config)
    assert found.status is VerdictStatus.FAILED
