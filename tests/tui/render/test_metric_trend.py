"""Metrics over past runs: the line, its figures, and what is said of runs without a value."""

import pytest
from msgspec.structs import replace

from evaltui.tui.render.history import Measured, write_history, write_metric_trends
from evaltui.tui.render.sparkline import sparkline, trend_line
from tests.tui.panes.stage import NOW, staged
from tests.tui.render.test_detail_renderers import WIDTHS, written


def said(*past: Measured, width: int = 120, is_ascii: bool = False) -> str:
    return written(lambda p: write_metric_trends(p, past), width, is_ascii).plain


def test_sparklines() -> None:
    assert sparkline([0, 5, 10]) == "▁▅█"
    assert sparkline([]) == ""
    assert sparkline([0, 0]) == "▁▁"
    assert sparkline([1, 10], is_ascii=True).isascii()


def test_a_trend_goes_from_the_least_to_the_greatest_and_has_its_gaps() -> None:
    assert trend_line([100, 107, None, 103]) == "▁█·▄"
    assert trend_line([-1, 1]) == "▁█"
    assert trend_line([4, 4]) == "▄▄"
    assert trend_line([None]) == "·"
    assert trend_line([1e308, -1e308]) == "█▁"
    assert trend_line([1, None, 2], is_ascii=True) == ". @"


def test_each_metric_has_first_last_least_and_greatest_value() -> None:
    shown = said({"tokens": 1200.0, "calls": 2}, {"tokens": 900.0}, {"tokens": 1000.0})
    assert "first 1,200  last 1,000  min 900  max 1,200" in shown
    assert "tokens  █▁▃" in shown


def test_runs_without_a_value_are_told() -> None:
    assert "not measured" not in said({"m": 1}, {"m": 2})
    assert "not measured in 1 of 3 runs" in said({"m": 1}, {}, {"m": 2})
    assert "not measured in 1 of 2 runs, the last" in said({"m": 1}, {})
    assert "not measured in 2 of 3 runs, nor in the last" in said({"m": 1}, {}, {})
    assert "1, measured once" in said({"m": 1}, {}, {})
    assert "not kept of 2 earlier runs" in said(None, None, {"m": 1})


def test_where_nothing_was_measured_nothing_is_written() -> None:
    assert said({}, None) == ""
    history = written(lambda p: write_history(p, staged().runs, NOW, None)).plain
    assert "metrics" not in history


@pytest.mark.parametrize("width", WIDTHS)
def test_the_history_of_a_case_shows_them_oldest_first(width: int) -> None:
    runs = [
        replace(run, metrics={"a metric of some length": float(number), "b": -0.5})
        for number, run in enumerate(staged().runs)
    ]
    plain = written(lambda p: write_history(p, runs, NOW, None), width).plain
    assert "first 7 last 0" in " ".join(plain.split())
    assert "█▇▆▅▄▃▂▁" in plain
