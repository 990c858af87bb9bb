"""Every error is JSON that says what is wrong and what to do; bodies have a limit."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.api import routes
from evaltui.api.answers import BODY_LIMIT
from evaltui.files import is_there
from tests.api.served import serving

JSON = {"Content-Type": "application/json"}


def error_of(answer: Any) -> dict[str, Any]:
    assert answer.headers["content-type"] == "application/json"
    error: dict[str, Any] = answer.json()["error"]
    assert error["message"]
    assert error["hint"]
    return error


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nothing", 404),
        ("GET", "/elsewhere", 404),
        ("DELETE", "/api/status", 405),
        ("GET", "/api/scenarios/Retruns", 404),
        ("GET", "/api/evals/nothing.json", 404),
        ("GET", "/api/runs/nothing", 404),
        ("GET", "/api/runs/../../evaltui.toml", 404),
        ("GET", "/api/runs/nothing/events", 404),
        ("POST", "/api/runs/nothing/cancel", 404),
        ("GET", "/api/runs/nothing?status=bad", 400),
        ("GET", "/api/runs/nothing?limit=-1", 400),
    ],
)
async def test_what_is_not_there_is_said(root: Path, method: str, path: str, status: int) -> None:
    async with serving(root) as client:
        answer = await client.request(method, path)
    assert answer.status_code == status
    error_of(answer)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'"a"',
        b"\xff",
        b'{"trials": NaN}',
        b'{"maxMessages": 1e999}',
        b"[" * 100_000,
        b'{"a":"\\ud800"}',
    ],
)
async def test_a_body_that_is_no_json_object_is_refused(root: Path, body: bytes) -> None:
    async with serving(root) as client:
        for path in ("/api/runs", "/api/scenarios"):
            answer = await client.post(path, content=body, headers=JSON)
            assert answer.status_code == 400, path
            error_of(answer)


@pytest.mark.parametrize("body", [b"", b" \n"])
async def test_of_a_scenario_something_must_be_sent(root: Path, body: bytes) -> None:
    async with serving(root) as client:
        for method, path in (("POST", "/api/scenarios"), ("PUT", "/api/scenarios/Returns")):
            answer = await client.request(method, path, content=body, headers=JSON)
            assert (answer.status_code, error_of(answer)["message"]) == (400, "The body is empty.")


async def test_a_form_of_a_page_is_no_json(root: Path) -> None:
    async with serving(root) as client:
        answer = await client.post(
            "/api/runs", content=b"{}", headers={"Content-Type": "text/plain"}
        )
    assert (answer.status_code, error_of(answer)["code"]) == (415, "not-json")


async def test_a_key_that_stands_twice_is_refused_with_its_place(root: Path) -> None:
    body = """{"name": "Two", "persona": {"lines": ["Hello"]},
 "evaluators": [{"type": "regex", "é": 1, "t\\u0079pe": "length"}], "name": "Three"}"""
    async with serving(root) as client:
        answer = await client.post("/api/scenarios", content=body.encode(), headers=JSON)
    error = error_of(answer)
    assert (answer.status_code, error["code"]) == (400, "wrong-request")
    assert error["message"] == "The key `name` stands twice in the body: line 2, column 68."
    places = [(one["pointer"], one["line"], one["column"]) for one in error["problems"]]
    assert places == [("/name", 2, 68), ("/evaluators/0/type", 2, 43)]
    assert not is_there(root / "evals/two.scenario.json")
    assert not is_there(root / "evals/three.scenario.json")


async def test_a_body_has_a_limit_whether_it_tells_its_length_or_not(root: Path) -> None:
    async def endless() -> Any:
        for _ in range(BODY_LIMIT // 65_536 + 2):
            yield b" " * 65_536

    async with serving(root) as client:
        told = await client.post("/api/runs", content=b" " * (BODY_LIMIT + 1), headers=JSON)
        untold = await client.post("/api/runs", content=endless(), headers=JSON)
    for answer in (told, untold):
        assert (answer.status_code, error_of(answer)["code"]) == (413, "too-large")


async def test_a_mistake_of_ours_is_told_without_what_was_at_hand(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("the password is hunter2")

    monkeypatch.setattr(routes, "all_grants", broken)
    async with serving(root) as client:
        answer = await client.get("/api/status")
    assert (answer.status_code, error_of(answer)["code"]) == (500, "internal")
    assert "hunter2" not in answer.text
    assert "hunter2" in capsys.readouterr().err


async def test_settings_that_are_wrong_are_told_with_their_place(root: Path) -> None:
    (root / "evaltui.toml").write_text("concurrency = 'many'\n", encoding="utf-8")
    async with serving(root) as client:
        answer = await client.get("/api/evals")
        (problem,) = error_of(answer)["problems"]
        assert (answer.status_code, problem["file"], problem["line"]) == (409, "evaltui.toml", 1)
        (root / "evaltui.toml").write_text("concurrency = 2\n", encoding="utf-8")
        assert (await client.get("/api/evals")).status_code == 200
