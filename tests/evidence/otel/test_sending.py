"""Runs sent to a collector: spans, parents and verdicts arrive, and nothing secret is told."""

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import repeat
from pathlib import Path
from typing import Any, ClassVar

import pytest

from evaltui.cli.main import run_command
from evaltui.evidence.gates.attestation import SECRET, verify
from tests.evidence.made_packs import made_pack, read, says, suite_of
from tests.projects import write_tools
from tests.test_guide_examples import TOOL

pytest.importorskip(
    "opentelemetry.exporter.otlp.proto.http", reason="the OpenTelemetry SDK is not installed"
)


class Collector(BaseHTTPRequestHandler):
    bodies: ClassVar[list[tuple[str, bytes]]]
    status = 200
    answers: Iterable[bytes] = ()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.bodies.append((self.path, body))
        self.send_response(self.status)
        if 300 <= self.status < 400:
            self.send_header("Location", "/elsewhere")
        self.end_headers()
        with suppress(OSError):
            for piece in self.answers:
                self.wfile.write(piece)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[tuple[str, type[Collector]]]:
    class Mine(Collector):
        bodies: ClassVar[list[tuple[str, bytes]]] = []

    server = HTTPServer(("127.0.0.1", 0), Mine)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", Mine
    server.shutdown()
    server.server_close()


def spans_in(found: type[Collector]) -> list[Any]:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    spans: list[Any] = []
    for path, body in found.bodies:
        assert path == "/v1/traces"
        request = ExportTraceServiceRequest.FromString(body)
        spans += [s for r in request.resource_spans for of in r.scope_spans for s in of.spans]
    return spans


def attributes(owner: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in owner.attributes}


@pytest.mark.slow
def test_a_suite_of_traces_is_sent_with_its_verdicts(
    tmp_path: Path, collector: tuple[str, type[Collector]]
) -> None:
    suite = suite_of(tmp_path / "s.json", says("good", "yes"), says("bad", "no"))
    made_pack(tmp_path / "p", suite, "--otel", collector[0])
    spans = spans_in(collector[1])
    agents = [one for one in spans if attributes(one)["gen_ai.operation.name"] == "invoke_agent"]
    assert [attributes(one)["evaltui.case_id"] for one in agents] == ["good", "bad"]
    chats = [one for one in spans if one.name == "chat"]
    assert [one.parent_span_id for one in chats] == [one.span_id for one in agents]
    told = [
        {row["gen_ai.evaluation.name"]: row["gen_ai.evaluation.score.label"] for row in rows}
        for rows in ([attributes(event) for event in one.events] for one in agents)
    ]
    assert [one["regex"] for one in told] == ["pass", "fail"]


def test_what_a_case_used_is_sent_once(
    tmp_path: Path, collector: tuple[str, type[Collector]]
) -> None:
    used = {"token_usage": {"input_tokens": 21, "output_tokens": 9, "cost_usd": 0.25}}
    suite = suite_of(tmp_path / "s.json", says("good", "yes", metadata=used))
    made_pack(tmp_path / "p", suite, "--otel", collector[0])
    agent, chat = map(attributes, spans_in(collector[1]))
    told = {key: one for key, one in agent.items() if key.startswith("gen_ai.usage.")}
    assert told == {f"gen_ai.usage.{key}": one for key, one in used["token_usage"].items()}
    assert not any(key.startswith("gen_ai.usage.") for key in chat)


@pytest.mark.slow
def test_a_run_of_eval_files_is_sent(
    tmp_path: Path, collector: tuple[str, type[Collector]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_tools(tmp_path, (TOOL,))
    (tmp_path / "evals").mkdir()
    case = {
        "id": "gs-get-weather-001",
        "input": {"message": "What is the weather in Bern?"},
        "stubs": {"get_weather": {"temperature": 18}},
        "expect": {"toolsCalled": ["get_weather"]},
    }
    (tmp_path / "evals" / "get_weather.golden.json").write_text(json.dumps([case]))
    assert run_command(["run", "--otel", collector[0]]) == 0
    spans = spans_in(collector[1])
    agent, *inner = spans
    assert (agent.name, attributes(agent)["gen_ai.agent.name"]) == (
        "invoke_agent embedded/2",
        "embedded/2",
    )
    assert {one.parent_span_id for one in inner} == {agent.span_id}
    tools = [attributes(one) for one in inner if one.name == "execute_tool get_weather"]
    assert json.loads(tools[0]["gen_ai.tool.call.result"]) == {"temperature": 18}
    assert "evaltui.time_estimated" in attributes(agent) or agent.start_time_unix_nano > 1.7e18


def test_what_does_not_arrive_is_told_without_secrets_and_the_pack_is_kept_and_signed(
    tmp_path: Path,
    collector: tuple[str, type[Collector]],
    capfd: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(SECRET, "s")
    collector[1].status = 400
    suite = suite_of(tmp_path / "s.json", says("good", "yes"))
    address = collector[0].replace("://", "://me:hunter2-hunter2@") + "/v1/traces?token=hunter2"
    argv = ["run", "--suite", str(suite), "--out", str(tmp_path / "p"), "--otel", address]
    assert run_command([*argv, "--summary-json", str(tmp_path / "summary.json")]) == 1
    said = capfd.readouterr()
    assert "could not be sent to http://127.0.0.1" in said.err
    assert "hunter2" not in said.err + said.out
    assert read(tmp_path / "summary.json") == json.loads(said.out)["summary"]
    assert verify(tmp_path / "p", secret="s")["passed"]


def test_spans_that_the_collector_did_not_take_have_not_arrived(
    tmp_path: Path, collector: tuple[str, type[Collector]], capsys: Any
) -> None:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

    answer = ExportTraceServiceResponse()
    collector[1].answers = [answer.SerializeToString()]
    suite = suite_of(tmp_path / "s.json", says("good", "yes"))
    argv = ["run", "--suite", str(suite), "--otel", collector[0], "--out"]
    assert run_command([*argv, str(tmp_path / "all")]) == 0
    answer.partial_success.rejected_spans = 1
    answer.partial_success.error_message = "quota"
    collector[1].answers = [answer.SerializeToString()]
    capsys.readouterr()
    assert run_command([*argv, str(tmp_path / "p")]) == 1
    said = capsys.readouterr().err
    assert f"{collector[0]} did not take 1 of " in said
    assert len(collector[1].bodies) == 2, "those that it took are not sent again"
    assert (tmp_path / "p" / "manifest.json").is_file()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nothing_is_sent_on_and_that_is_told(
    tmp_path: Path,
    collector: tuple[str, type[Collector]],
    capsys: Any,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
) -> None:
    monkeypatch.setattr("evaltui.evidence.otel.sending.LIMIT_S", 0.3)
    collector[1].status = status
    suite = suite_of(tmp_path / "s.json", says("good", "yes"))
    argv = ["run", "--suite", str(suite), "--out", str(tmp_path / "p"), "--otel", collector[0]]
    assert run_command(argv) == 1
    assert "could not be sent" in capsys.readouterr().err
    assert {path for path, _ in collector[1].bodies} == {"/v1/traces"}


@pytest.mark.parametrize("kind", ["long", "late"])
def test_an_answer_without_an_end_is_not_waited_for(
    tmp_path: Path,
    collector: tuple[str, type[Collector]],
    capsys: Any,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    ended = threading.Event()

    def drip() -> Iterator[bytes]:
        while not ended.wait(0.02):
            yield b"x"

    monkeypatch.setattr("evaltui.evidence.otel.sending.LIMIT_S", 0.3)
    collector[1].answers = drip() if kind == "late" else repeat(b"x" * 65536)
    suite = suite_of(tmp_path / "s.json", says("good", "yes"))
    argv = ["run", "--suite", str(suite), "--out", str(tmp_path / "p"), "--otel", collector[0]]
    try:
        assert run_command(argv) == 1
    finally:
        ended.set()
    assert "could not be sent" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["localhost:4318", "ftp://x", "nonsense"])
def test_what_is_no_address_is_refused_before_anything_runs(
    tmp_path: Path, address: str, capsys: Any
) -> None:
    suite = suite_of(tmp_path / "s.json", says("good", "yes"))
    argv = ["run", "--suite", str(suite), "--out", str(tmp_path / "p"), "--otel", address]
    assert run_command(argv) == 2
    assert "takes an address" in capsys.readouterr().err
    assert not (tmp_path / "p").exists()
