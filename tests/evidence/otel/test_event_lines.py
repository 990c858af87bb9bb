"""`export-otel`: a span for each event, with ids and times that readers take."""

import json
import re
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.evidence.otel.packs import TRACE, event, exported, write_pack

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"


def test_each_event_is_a_line(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, [{"case_id": "a", "trace": TRACE}], "--model", "m")
    spans = exported(pack)
    assert [one["name"] for one in spans] == ["message", "tool_call", "tool_result", "message"]
    for span in spans:
        assert re.fullmatch("[0-9a-f]{32}", span["trace_id"])
        assert re.fullmatch("[0-9a-f]{16}", span["span_id"])
        assert span["attributes"]["agent_eval.case_id"] == "a"
        assert span["attributes"]["agent_eval.run_id"] == "r"
        assert span["attributes"]["gen_ai.request.model"] == "m"
        assert None not in span["attributes"].values()
        (told,) = span["events"]
        assert told["name"] == "agent.trace.event"
        assert None not in told["attributes"].values()
    assert spans[1]["attributes"]["gen_ai.tool.name"] == "look"
    assert len({one["span_id"] for one in spans}) == 4


def test_a_span_lasts_as_long_as_its_event(tmp_path: Path) -> None:
    spans = exported(write_pack(tmp_path, [{"case_id": "a", "trace": TRACE}]))
    times = [
        (datetime.fromisoformat(one["start_time"]), datetime.fromisoformat(one["end_time"]))
        for one in spans
    ]
    start, end = times[2]
    assert (end - start).total_seconds() == 0.25
    assert times == sorted(times)
    assert start == times[1][1], "its event has no time: it begins where the one before ended"
    estimated = [one["attributes"].get("evaltui.time_estimated") for one in spans]
    assert estimated == [None, None, True, None]


def test_an_error_is_the_status_of_its_span(tmp_path: Path) -> None:
    trace = [
        event(0, "agent", "message", error="overloaded"),
        event(1, "agent", "message", output="a"),
    ]
    spans = exported(write_pack(tmp_path, [{"case_id": "a", "trace": trace}]))
    assert [one["status"]["code"] for one in spans] == ["ERROR", "OK"]


USED = {"token_usage": {"input_tokens": 30, "output_tokens": 4, "cost_usd": 0.5}}
INPUT, OUTPUT, COST = (
    f"gen_ai.usage.{one}" for one in ("input_tokens", "output_tokens", "cost_usd")
)


@pytest.mark.parametrize(
    ("told", "place", "cost"),
    [({}, 3, 0.5), ({"usage.input_tokens": 7, "cost_usd": 1.25}, 1, 1.75)],
    ids=["no event tells", "an event tells"],
)
def test_what_a_case_used_as_a_whole_is_told_once(
    tmp_path: Path, told: dict[str, float], place: int, cost: float
) -> None:
    trace = [{**one, "attributes": told} if one["idx"] == 1 else one for one in TRACE]
    spans = exported(write_pack(tmp_path, [{"case_id": "a", "trace": trace, "metadata": USED}]))
    said = [one["attributes"] for one in spans]
    assert [at for at, one in enumerate(said) if INPUT in one] == [place]
    assert said[place][INPUT] == 30 + told.get("usage.input_tokens", 0)
    assert said[place][COST] == cost
    assert [one.get(OUTPUT) for one in said] == [None, None, None, 4]
    assert not any(name in one for name in told for one in said)


@pytest.mark.parametrize("bad", ["no", "0" * 32, "g" * 32, "ab", "cd" * 8])
def test_ids_that_are_none_or_taken_are_made(bad: str, tmp_path: Path) -> None:
    trace = [
        event(number, "user", "message", input="a", trace_id=bad, span_id=bad, parent_span_id=bad)
        for number in range(3)
    ]
    spans = exported(write_pack(tmp_path, [{"case_id": "a", "trace": trace}]))
    assert len({one["span_id"] for one in spans}) == 3
    assert all(re.fullmatch("(?!0+$)[0-9a-f]{16}", one["span_id"]) for one in spans)
    assert all(re.fullmatch("(?!0+$)[0-9a-f]{32}", one["trace_id"]) for one in spans)
    assert exported(tmp_path / "run") == spans, "always the same"


def test_two_cases_never_share_a_trace(tmp_path: Path) -> None:
    trace = [event(0, "user", "message", input="a", trace_id="ab" * 16, span_id="cd" * 8)]
    cases = [{"case_id": name, "trace": trace} for name in "ab"]
    first, second = exported(write_pack(tmp_path, cases))
    assert first["trace_id"] == "ab" * 16
    assert second["trace_id"] != first["trace_id"]


def test_who_an_imported_event_is_from_is_kept(tmp_path: Path) -> None:
    suite = str(tmp_path / "suite.json")
    source = str(FIXTURES / "adapters" / "vertex_conversation.json")
    run_command(["import-trace", "--input", source, "--out", suite])
    run_command(["run", "--suite", suite, "--out", str(tmp_path / "run")])
    systems = {one["attributes"]["gen_ai.system"] for one in exported(tmp_path / "run")}
    assert systems == {"vertex"}


def test_a_pack_that_is_none_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "spans.jsonl"
    assert run_command(["export-otel", "--run", str(tmp_path), "--out", str(out)]) == 1
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "file_not_found"


@pytest.mark.parametrize("line", ["{", "3", '{"idx": "a"}', "\udcff"])
def test_a_broken_line_is_named_and_nothing_written(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = write_pack(tmp_path, [{"case_id": "a", "trace": TRACE}])
    path = pack / "run" / "events.jsonl"
    path.write_bytes(path.read_bytes() + line.encode("utf-8", "surrogateescape"))
    out = tmp_path / "spans.jsonl"
    capsys.readouterr()
    assert run_command(["export-otel", "--run", str(pack), "--out", str(out)]) == 1
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["code"] == "validation_error"
    assert f"{path}:5" in error["message"]
    assert not out.exists()


def test_a_pack_that_was_changed_is_exported_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = write_pack(tmp_path, [{"case_id": "a", "trace": TRACE}])
    capsys.readouterr()
    exported(pack)
    assert capsys.readouterr().err == ""
    path = pack / "run" / "events.jsonl"
    path.write_bytes(path.read_bytes().replace(b"3 degrees", b"9 degrees"))
    assert len(exported(pack)) == 4
    (warning,) = capsys.readouterr().err.splitlines()
    assert f"warning: `{path}` was changed after its pack was written" in warning


@pytest.mark.parametrize("form", ["events", "otlp"])
def test_cases_without_events_are_missed_in_the_export(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases: list[dict[str, object]] = [
        {"case_id": "a", "trace": TRACE}, {"case_id": "b"}, {"case_id": "c", "trace": []},
    ]  # fmt: skip
    pack = write_pack(tmp_path, cases)
    capsys.readouterr()
    assert exported(pack, "--format", form)
    told = json.loads(capsys.readouterr().out)
    assert told == {"out": str(tmp_path / "spans.jsonl"), "cases_without_events": 2}
    whole = write_pack(tmp_path, cases[:1])
    capsys.readouterr()
    exported(whole, "--format", form)
    assert "cases_without_events" not in json.loads(capsys.readouterr().out)


def test_a_pack_of_events_alone_is_exported(tmp_path: Path) -> None:
    pack = write_pack(tmp_path, [{"case_id": "a", "trace": TRACE}])
    shutil.rmtree(pack / "cases")
    assert len(exported(pack)) == 4
