"""A case's line: the same however often it is asked for, and nothing kept beyond a run."""

import gc
import weakref

from msgspec.structs import replace

from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.disk import case_lines
from evaltui.disk.case_lines import encode_case, forget_cases
from evaltui.disk.codec import parse
from tests.disk.samples import failed, passed


class Text(str):
    """Can be watched while it lives."""

    __slots__ = ("__weakref__",)


def test_asked_again_it_is_the_same_line_and_not_another_cases() -> None:
    one, other = passed("gs-1"), passed("gs-2")
    first = encode_case(one)
    assert encode_case(one) is first
    assert parse(encode_case(other))["id"] == "gs-2"
    assert parse(first)["verdicts"][0]["check"] == "toolsCalled"


def test_brief_lines_have_no_verdicts_even_after_whole_ones() -> None:
    case = passed()
    assert "verdicts" in parse(encode_case(case))
    assert "verdicts" not in parse(encode_case(case, brief=True))
    assert "verdicts" not in parse(encode_case(failed()))


def test_equal_verdicts_of_other_objects_are_told_as_they_are() -> None:
    verdicts = tuple(Verdict("c", VerdictStatus.PASSED, f"reason {n}") for n in range(3))
    for _ in range(2):
        told = parse(encode_case(replace(passed(), verdicts=verdicts)))["verdicts"]
        assert [each["reason"] for each in told] == ["reason 0", "reason 1", "reason 2"]


def test_results_are_let_go_after_the_run() -> None:
    text = Text("description")
    encode_case(replace(passed(), description=text))
    alive = weakref.ref(text)
    del text
    gc.collect()
    assert alive() is not None
    forget_cases()
    gc.collect()
    assert alive() is None


def test_no_more_is_kept_than_allowed() -> None:
    kept: case_lines._Encoded[object] = case_lines._Encoded(100)
    ones = [object() for _ in range(5)]
    for one in ones:
        kept.keep(one, b"x" * 40)
    assert [kept.get(one) is not None for one in ones] == [False] * 4 + [True]
