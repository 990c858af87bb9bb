"""Packs to be exported, made of suites of our own, and what comes of them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaltui.cli.main import run_command


def write_pack(root: Path, cases: Sequence[dict[str, Any]], *flags: str) -> Path:
    """Judge cases; returns the folder of the pack."""
    suite = root / "suite.json"
    suite.write_text(json.dumps({"dataset_id": "d", "cases": cases}))
    out = root / "run"
    assert (
        run_command(["run", "--suite", str(suite), "--out", str(out), "--run-id", "r", *flags]) == 0
    )
    return out


def exported(pack: Path, *flags: str) -> list[Any]:
    """Each line of the exported file."""
    out = pack.parent / "spans.jsonl"
    assert run_command(["export-otel", "--run", str(pack), "--out", str(out), *flags]) == 0
    return [json.loads(line) for line in out.read_bytes().splitlines()]


def spans_of(request: Any) -> list[Any]:
    """The spans of one line of OTLP."""
    (resource,) = request["resourceSpans"]
    (scope,) = resource["scopeSpans"]
    spans: list[Any] = scope["spans"]
    return spans


def attributes_of(span: Any) -> dict[str, Any]:
    """Texts, numbers and truth values by name."""
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def event(idx: int, actor: str, type_: str, **more: Any) -> dict[str, Any]:
    return {"idx": idx, "actor": actor, "type": type_, **more}


TRACE = [
    event(0, "user", "message", input="How warm?", ts="2026-01-01T10:00:00Z"),
    event(1, "agent", "tool_call", tool="look", input={"q": 1}, ts="2026-01-01T10:00:01Z"),
    event(2, "tool", "tool_result", tool="look", output={"t": 3}, latency_ms=250),
    event(3, "assistant", "message", output="3 degrees", ts="2026-01-01T12:00:02+01:00"),
]
