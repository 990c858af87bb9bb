"""Every event survives the way to disk and back."""

import json
import re
import threading
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.json import Decoder

from evaltui.core.baseline import Baseline, BaselineCase, Comparison
from evaltui.core.case import Case, CaseKey, RubricCase, RubricDimension, Tier
from evaltui.core.errors import Problem, Severity
from evaltui.core.events import (
    BaselineCompared,
    BaselinePinned,
    CallCompared,
    CaseFinished,
    CaseMuted,
    CasesStale,
    CaseStarted,
    DetailLoaded,
    EvaluatorPrinted,
    Event,
    EvidenceWeighed,
    NothingChanged,
    ProblemFound,
    ProjectChecked,
    ProjectRead,
    ResultsCameStale,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunnerChanged,
    RunStarted,
    SpendingChanged,
    TextStreamed,
    ToolCalled,
    TrialFinished,
    TurnFinished,
    WatchPaused,
    WatchResumed,
)
from evaltui.core.json_value import Json
from evaltui.core.proof import Proof
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.core.suite import EvalMetadata, Suite
from evaltui.core.tool import ToolDefinition, ToolRegistry, Unresolved
from evaltui.disk import codec
from evaltui.disk.codec import decode, decode_event, encode, encode_event, parse, read
from tests.disk.samples import errored, failed, passed, suite_result

KEY = CaseKey("evals/a.json", "c-1")
RUBRIC = RubricCase("hello", dimensions=(RubricDimension("tone", 3, "kind"),))
CASE = Case(KEY, RUBRIC, Tier.RUBRIC, extra={"x": 1})
SUITE = Suite("evals/a.json", "a", Tier.RUBRIC, (CASE,), "0" * 12, EvalMetadata("a", raw={"k": []}))
TOOL = ToolDefinition(
    "a",
    "does a",
    parameters={"type": "object"},
    unresolved=(Unresolved("version", "VERSION", "tools/a.ts", 3),),
)
EVERY_EVENT: tuple[Event, ...] = (
    ProjectRead((SUITE,), ToolRegistry({"a": TOOL}, ("tools/a.ts",)), (
        Problem("evals/b.json", "not JSON", line=3, severity=Severity.WARNING),), ("a",), 1.5),
    ProjectChecked((Problem("evals/b.json", "no assertion", "Did you mean `c`?", 3, 4),)),
    ResultsLoaded("embedded", (passed(),), ((CaseStatus.PASSED, CaseStatus.FAILED),), 7),
    DetailLoaded("embedded", failed()),
    CaseMuted(KEY, "known"),
    NothingChanged(("tools/a.ts",)),
    WatchPaused(),
    WatchResumed(),
    RunnerChanged("pid 4711"),
    SpendingChanged("mini", 0.5, 1.5, 3),
    CasesStale("embedded", (DueCase(KEY, Degree.POSSIBLY, ("why",)),), 3, ("f",)),
    ResultsCameStale("embedded", (DueCase(KEY, Degree.TO_JUDGE, ("why",)),)),
    RunStarted("r", "embedded", 4, (KEY,), "asked for", ("f",), 2, 3, 1.5, None),
    CaseStarted("r", "embedded", KEY, 1),
    TextStreamed("r", "a", KEY, "It is"),
    TurnFinished("r", "embedded", KEY, 2, "héllo \u2028"),
    TrialFinished("r", CaseResult(KEY, "r", "embedded", CaseStatus.FAILED, trial=1)),
    ToolCalled("r", "embedded", KEY, ToolCall("a", None, None, None, [1, {"b": None}], "x", "1")),
    CaseFinished("r", failed()),
    CallCompared(failed()),
    RunFinished("r", "embedded", RunEnd.CANCELLED, 1.5, (suite_result(passed(), errored()),)),
    EvidenceWeighed("mine", (Proof(KEY, TwoSides(Trials(20), Trials(0, 4)), further=3),), 9),
    BaselineCompared("r", "embedded", (Comparison("s", "r0", ("a",), (), ("b",)),)),
    BaselinePinned("embedded", "main", (
        Baseline("s", "r0", "main", {"c": BaselineCase(CaseStatus.PASSED, 0.5, 4)}, 2.0, "x"),)),
    EvaluatorPrinted("./mine.py", "mine: looking", 2.5),
    ProblemFound(Problem("", "the disk is full"), 3.0),
)  # fmt: skip


@pytest.mark.parametrize("event", EVERY_EVENT, ids=lambda event: type(event).__name__)
def test_round_trip(event: Event) -> None:
    line = encode_event(event)
    assert b"\n" not in line
    assert json.loads(line)["event"] == type(event).__name__
    assert decode_event(line) == event


def test_every_kind_of_event_is_tried() -> None:
    assert {type(event).__name__ for event in EVERY_EVENT} == {
        kind.__name__ for kind in get_args(Event)
    }


JSON_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(JSON_VALUES, st.text())
def test_any_value_and_text_round_trips(value: Json, text: str) -> None:
    event = ToolCalled("r", text, CaseKey(text, text), ToolCall(text, {"x": value}, result=value))
    assert decode_event(encode_event(event)) == event


@given(st.text(alphabet=st.characters(categories=("Cs", "Ll")), min_size=1))
def test_half_a_surrogate_pair_is_replaced(text: str) -> None:
    # Two halves side by side are one character in JSON, as they are in JavaScript.
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    line = encode_event(ProblemFound(Problem(text, text)))
    assert decode_event(line) == ProblemFound(Problem(whole, whole))
    escaped = json.dumps({"event": "ProblemFound", "problem": {"file": text, "what": text}})
    assert decode_event(escaped) == ProblemFound(Problem(whole, whole)), "as 0.1.0 wrote it"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize(("text", "whole"), [("plain", "plain"), ("\ud800", "\ufffd")])
def test_nan_and_infinity_are_never_written_or_read(number: float, text: str, whole: str) -> None:
    line = encode({"a": number, "b": [text, number]})
    assert json.loads(line, parse_constant=pytest.fail) == {"a": None, "b": [whole, None]}
    assert parse(json.dumps({"a": [number]})) == {"a": [None]}


def test_any_mapping_is_an_object() -> None:
    frozen: Mapping[str, Json] = MappingProxyType({"a": 1})
    assert encode({"m": frozen}) == b'{"m":{"a":1}}'


def test_unknown_keys_are_passed_over_and_defaults_fill_in() -> None:
    line = (
        b'{"event":"CaseFinished","run_id":"r","later":1,"result":'
        b'{"key":["s","c"],"run_id":"r","agent":"a","status":"passed"}}'
    )
    assert decode_event(line) == CaseFinished(
        "r", CaseResult(CaseKey("s", "c"), "r", "a", CaseStatus.PASSED)
    )


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"{}",
        b'{"event":"Nonsense"}',
        b'{"event":"CaseStarted","run_id":"r"}',
        b'{"event":"CaseStarted","run_id":1,"agent":"a","key":["s","c"]}',
        b'{"event":"CaseStarted","run_id":"r","agent":"a","key":["s"]}',
        b'{"event":"CaseFinished","run_id":"r","result":{"key":["s","c"],"status":"odd"}}',
        encode_event(EVERY_EVENT[7])[:-20],
    ],
)
def test_damaged_lines_are_value_errors(line: bytes) -> None:
    with pytest.raises(ValueError):
        decode_event(line)


def test_huge_integers_keep_their_digits() -> None:
    assert parse(encode({"n": 2**80 + 1})) == {"n": 2**80 + 1}


class _Row(Struct, frozen=True):
    id: str = ""


class _Table(Struct, frozen=True):
    rows: tuple[_Row, ...] = ()
    name: str = ""


@pytest.mark.parametrize("rows", ['{"id": "x"}', "5", "null", '"x"'])
def test_what_stands_in_place_of_a_row_of_records_is_none(rows: str) -> None:
    assert read(_Table, f'{{"rows": {rows}, "name": "n"}}') == _Table((), "n")


def test_a_wrong_record_falls_out_of_its_row() -> None:
    text = '{"rows": [{"id": "a"}, 5, {"id": "b"}]}'
    assert read(_Table, text) == _Table((_Row("a"), _Row("b")))


def test_a_record_is_described_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at once end the process now and then: a tenth of the starts with six threads."""
    inside, together = 0, 0

    def made(kind: Any) -> Any:
        nonlocal inside, together
        inside += 1
        together = max(together, inside)
        other_came.wait(0.2)
        inside -= 1
        return Decoder(kind)

    other_came = threading.Event()
    monkeypatch.setattr(codec, "Decoder", made)
    kinds = [type(f"Kind{number}", (Struct,), {}) for number in range(3)]
    threads = [threading.Thread(target=decode, args=(kind, b"{}")) for kind in kinds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == 1


MAKES = re.compile(r"msgspec\.convert|import .*\bconvert\b|\bDecoder\b|json\.decode\(.*type=")


def test_nothing_but_the_codec_makes_decoders() -> None:
    package = Path(codec.__file__).parents[1]
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if MAKES.search(line) and "codec import" not in line
    }
    assert found == {"disk/codec.py"}
