"""The page about the API: its requests are answered, and it names every one there is."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs evaltui[serve]")

from evaltui.api.answers import BODY_LIMIT
from evaltui.api.operation import MOST_CASES
from evaltui.api.routes import OPERATIONS
from evaltui.api.run_wanted import RunWanted
from tests.api.served import ended, make_served, serving

PAGE = (Path(__file__).parent.parent / "docs/guide/serve.md").read_text(encoding="utf-8")


def requests() -> list[tuple[str, str, dict[str, str], str]]:
    """Method, path, headers and body of each `curl`."""
    found = []
    for line in re.findall(r"^\$ curl (.+)$", PAGE, re.MULTILINE):
        words, method, headers, body = iter(shlex.split(line)), "", dict[str, str](), ""
        path = ""
        for word in words:
            if word == "-X":
                method = next(words)
            elif word == "-H":
                name, _, value = next(words).partition(": ")
                headers[name] = value
            elif word == "-d":
                body = next(words)
            elif word != "-N":
                path = word.removeprefix("localhost:8765")
        found.append((method or ("POST" if body else "GET"), path, headers, body))
    return found


async def test_its_requests_are_answered_in_their_order(tmp_path: Path) -> None:
    make_served(tmp_path)
    run = ""
    answers: list[Any] = []
    async with serving(tmp_path) as client:
        for method, path, headers, body in requests():
            there = path.replace("RUN", run)
            answer = await client.request(method, there, headers=headers, content=body)
            assert answer.is_success, (path, answer.text)
            answers.append(answer)
            if path == "/api/runs":
                run = answer.json()["runs"][0]["id"]
        told = await ended(client, run)
    assert [one.status_code for one in answers] == [200, 200, 201, 200, 202, 200, 200, 200]
    assert {one["id"] for one in told["cases"]} == {"Hello", "Returns"}


def test_it_names_every_request_and_every_field_of_a_run() -> None:
    named = {
        (method, re.sub(r"/(ID|FILE|RUN)\b", "/{}", path))
        for method, path in re.findall(r"`(GET|POST|PUT) (/api/[\w/.-]+)`", PAGE)
    }
    known = {(one.method, re.sub(r"\{[\w:]+\}", "{}", one.path)) for one in OPERATIONS}
    scoped = {one for one in known if "/projects/{}/" in one[1]}
    assert named == known - scoped
    assert "the same `scenarios`, `evals` and `POST …/runs`" in PAGE
    assert {(method, path.split("/")[4]) for method, path in scoped} == {
        *((method, "scenarios") for method in ("GET", "POST", "PUT")),
        ("GET", "evals"),
        ("POST", "runs"),
    }
    for name in RunWanted.model_fields:
        assert f"`{name}`" in PAGE, name


def test_its_limits_are_those_in_force() -> None:
    text = " ".join(PAGE.split())
    assert f"An answer has at most {MOST_CASES:,} results" in text
    assert "at most 1 MiB" in text
    assert "At most eight can be open." in text
    assert BODY_LIMIT == 1 << 20
