"""Settings of the evaluators that come along that keep to a schema and still mean nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.verdict import VerdictStatus
from evaltui.evaluators.config_fields import fields_of, read_fields
from evaltui.evaluators.registry import create_registry
from tests.evaluators.seen import verdict_by

REMOTE = "http://127.0.0.1:1/x"
BROKEN: list[tuple[str, dict[str, Any], str, str]] = [
    ("tool-arguments", {"p": {"$regex": "("}}, ".arguments.p.$regex", "`(` is no pattern"),
    ("tool-arguments", {"q": {"$range": [5, 1]}}, ".arguments.q.$range", "from 5 to 1"),
    ("tool-arguments", {"s": {"$range": [1]}}, ".arguments.s.$range", "$range: "),
    ("tool-arguments", {"s": {"$range": "ab"}}, ".arguments.s.$range", "$range: "),
    ("tool-arguments", {"s": {"$regex": 5}}, ".arguments.s.$regex", "$regex: "),
    ("tool-arguments", {"r": {"$any": False}}, ".arguments.r.$any", "true was expected"),
    ("tool-arguments", {"f": [{"g": {"$gt": 5}}]}, ".arguments.f[0].g", "no rule `$gt`"),
    ("tool-arguments", {"f": {"g": {"$regex": "("}}}, ".arguments.f.g.$regex", "is no pattern"),
    ("regex", {"pattern": "("}, ".pattern", "`(` is no pattern"),
    ("json-schema", {"schema": {"type": "objct"}}, ".schema", "it is not a JSON Schema"),
    ("json-schema", {"schema": {"$ref": REMOTE}}, ".schema", f"refers to `{REMOTE}`, which is not"),
    ("json-schema", {"schema": {"$ref": "#/$defs/a"}}, ".schema", "it refers to what is not there"),
    ("response-length", {"min": 5, "max": 4}, ".max", "at least 5 and at most 4"),
]


def _config(type_: str, given: dict[str, Any]) -> dict[str, Any]:
    is_nested = type_ == "tool-arguments"
    return {"tool": "t", "mode": "ignore", "arguments": given} if is_nested else given


@pytest.mark.parametrize(("type_", "given", "place", "what"), BROKEN)
async def test_the_run_says_so_and_neither_passes_nor_fails_the_case(
    type_: str, given: dict[str, Any], place: str, what: str
) -> None:
    verdict = await verdict_by(type_, _config(type_, given))
    assert verdict.status == VerdictStatus.ERROR
    assert f"`config{place}`: " in verdict.reason
    assert what in verdict.reason


@pytest.mark.parametrize(("type_", "given", "place", "what"), BROKEN)
def test_the_check_says_where_what_and_what_to_do(
    type_: str,
    given: dict[str, Any],
    place: str,
    what: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    use = {"type": type_, "config": _config(type_, given)}
    case = {"id": "a", "input": {"message": "x"}, "evaluators": [use]}
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals/a.golden.json").write_text(json.dumps([case], indent=1), "utf-8")
    (tmp_path / "evaltui.toml").write_text('evals = "evals"\n', "utf-8")
    assert run_command(["evaluators", "check", "-C", str(tmp_path)]) != 0
    told = "".join(capsys.readouterr())
    assert f"evaluators[0].config{place}" in told
    assert what in told


@pytest.mark.parametrize(("type_", "given", "place", "what"), BROKEN)
def test_the_form_says_it_at_its_field(
    type_: str, given: dict[str, Any], place: str, what: str
) -> None:
    known = create_registry().registered(type_)
    assert known is not None
    fields = fields_of(known.definition.config_schema, _config(type_, given))
    _, (mistake,) = read_fields(fields, {}, known.schema)
    assert (mistake.name, what in mistake.what) == (place.split(".")[1], True)
