"""Lines of the console are as wide as each other, whatever stands in them."""

import pytest

from evaltui.core.case import Case, CaseKey, Tier, TraceCase
from evaltui.core.cells import cells
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.core.trace import Event
from evaltui.reporters.ansi import Ink
from evaltui.reporters.console_lines import WIDTH, bar, case_lines, figures
from evaltui.reporters.muted_failures import Mutes


def test_times_stand_below_each_other_whatever_letters_an_id_has() -> None:
    names = ("gs-paris-001", "gs-東京の天気-002", "gs-\U0001f469\u200d\U0001f467-003", "京" * 90)
    lines = [
        case_lines(
            CaseResult(CaseKey("a.golden.json", name), "run", "embedded", CaseStatus.PASSED),
            Ink(False),
        )[0]
        for name in names
    ]
    assert len({cells(line) for line in lines}) == 1
    assert "…" in lines[-1]


@pytest.mark.parametrize("title", ["get_weather — golden evals", "a · b (continued)", "東京 — x"])
def test_a_title_is_as_wide_as_the_others_whatever_it_says(title: str) -> None:
    assert cells(bar(f"═══ {title} ")) == WIDTH


@pytest.mark.parametrize(
    ("latency", "line", "figure"),
    [(None, "✗ a", "no time"), (0.0, "0ms", "0ms"), (7.0, "7ms", "7ms")],
)
def test_a_trace_that_tells_no_time_took_no_0_ms(
    latency: float | None, line: str, figure: str
) -> None:
    said = Event(0, actor="assistant", type="message", output="yes", latency_ms=latency)
    case = Case(CaseKey("s.trace.json", "a"), TraceCase("", trace=(said,)))
    suite = Suite("s.trace.json", "", Tier.TRACE, (case,), "")
    result = CaseResult(case.key, "run", "trace", CaseStatus.FAILED, duration_ms=latency or 0.0)
    assert case_lines(result, Ink(False), 40, case=case)[0].endswith(line)
    assert figures([result], Mutes(), {suite.id: suite}).endswith(f"| {figure} recorded in traces")
