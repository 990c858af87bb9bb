"""An answer is one attempt, however often it was judged."""

import pytest
from msgspec.structs import replace

from evaltui.core.result import CaseStatus
from evaltui.tui.render.history import write_history
from tests.tui.panes.stage import NOW, staged
from tests.tui.render.test_detail_renderers import written


def test_an_answer_judged_again_counts_as_it_was_judged_last() -> None:
    one = staged().runs[0]
    twice = [
        replace(one, number=number, status=CaseStatus.FAILED, metrics={"words": 10.0 * number})
        for number in (2, 1)
    ]
    again = [
        replace(one, number=number, status=status, is_rejudging=True, metrics={"words": 20.0})
        for number, status in ((4, CaseStatus.PASSED), (3, CaseStatus.FAILED))
    ]
    asked = written(lambda p: write_history(p, twice, NOW, None), 100).plain
    plain = written(lambda p: write_history(p, (*again, *twice), NOW, None), 100).plain
    assert "passed   0 of 2 attempts" in asked and "judged again" not in asked
    assert "passed   1 of 2 attempts (50%" in plain
    assert plain.count("judged again") == 2 and "#4" in plain and "#1" in plain
    for start in ("latency", "words"):
        lines = [
            next(line for line in text.splitlines() if line.startswith(start))
            for text in (asked, plain)
        ]
        assert lines[0] == lines[1]


@pytest.mark.parametrize(("passes", "is_flaky"), [(0, False), (2, True), (5, False)])
def test_a_run_is_flaky_where_some_of_its_attempts_passed_and_some_failed(
    passes: int, is_flaky: bool
) -> None:
    run = replace(staged().runs[0], passes=passes, trials=5)
    plain = written(lambda p: write_history(p, [run], NOW, None), 100).plain
    assert f"{passes}/5 attempts passed" in plain
    assert ("flaky" in plain) is is_flaky


@pytest.mark.parametrize(
    ("times", "said"),
    [
        ([None, None], "latency  no time told"),
        ([20.0, None], "latency  ·█  20ms"),
        ([0.0, None], "latency  ·▁  0ms"),
    ],
)
def test_a_time_that_nobody_told_is_none(times: list[float | None], said: str) -> None:
    one = staged().runs[0]
    runs = [replace(one, number=3 - at, duration_ms=time) for at, time in enumerate(times)]
    lines = written(lambda p: write_history(p, runs, NOW, None), 100).plain.splitlines()
    assert next(one for one in lines if one.startswith("latency")).rstrip() == said
    newest, older = (next(one for one in lines if one.startswith(at)) for at in ("#3", "#2"))
    assert ("ms" in newest, "ms" in older) == (times[0] is not None, False)


P, F, E, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        (((P, 1, 1), (E, 0, 1), (F, 0, 1), (S, 0, 1)), "passed   1 of 2 attempts (50%"),
        (((E, 0, 3), (F, 2, 3), (E, 2, 2)), "passed   4 of 5 attempts (80%"),
        (((E, 1, 1), (F, 0, 1)), "passed   1 of 2 attempts (50%"),
        (((P, 0, 1), (P, 0, 0)), "passed   2 of 2 attempts (100%"),
        (((E, 0, 1), (E, 0, 3)), "passed   no attempt could be judged"),
        (((F, 0, 1), (E, 0, 3)), "none of 3 attempts could be judged"),
    ],
)
def test_errors_are_no_attempts_of_a_pass_rate(
    runs: tuple[tuple[CaseStatus, int, int], ...], said: str
) -> None:
    past = [
        replace(staged().runs[0], status=status, passes=passes, trials=trials)
        for status, passes, trials in runs
    ]
    assert said in written(lambda p: write_history(p, past, NOW, None), 100).plain


def test_passes_of_nothing_are_no_attempts_that_passed() -> None:
    one = replace(staged().runs[0], status=P, passes=3, trials=3)
    idle = replace(one, is_nothing_asserted=True)
    plain = written(lambda p: write_history(p, [idle, idle], NOW, None), 100).plain
    assert "passed   nothing was asserted" in plain
    assert "attempts passed" not in plain
    plain = written(lambda p: write_history(p, [idle, one], NOW, None), 100).plain
    assert "passed   3 of 3 attempts" in plain


def test_the_longest_word_keeps_its_distance_from_the_bar() -> None:
    idle = replace(staged().runs[0], status=P, is_nothing_asserted=True)
    plain = written(lambda p: write_history(p, [idle], NOW, None), 100).plain
    assert "nothing asserted █" in plain
