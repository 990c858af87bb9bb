"""The API of a small project, asked in this process."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from evaltui.api.app import make_app
from evaltui.api.door import Door
from tests.projects import make_project

LINES = ["Look up order SO-1", "Thanks"]
LENGTH = {"type": "response-length", "config": {"max": 400}}
COUNT = {"type": "tool-call-count"}
RETURNS = "evals/returns.scenario.json"
RAIN = {"name": "Returns", "persona": {"lines": LINES}, "evaluators": [LENGTH, COUNT]}


def make_served(root: Path) -> Path:
    """Three cases and one scenario, which the embedded agent passes."""
    make_project(root)
    write(root, RETURNS, [RAIN])
    return root


def write(root: Path, file: str, value: Any) -> None:
    path = root / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


@asynccontextmanager
async def serving(
    root: Path, door: Door | None = None, **overrides: object
) -> AsyncIterator[httpx.AsyncClient]:
    """From the start of the server to its end."""
    app = make_app(root, overrides, door or Door())
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.inner.router.lifespan_context(app.inner),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as client,
    ):
        yield client


async def ended(client: httpx.AsyncClient, run_id: str) -> dict[str, Any]:
    """The run once it is over: its events end then."""
    await client.get(f"/api/runs/{run_id}/events")
    told: dict[str, Any] = (await client.get(f"/api/runs/{run_id}")).json()
    return told


def events_in(text: str) -> list[dict[str, Any]]:
    blocks = [block.split("\n") for block in text.strip().split("\n\n")]
    return [json.loads(lines[2].removeprefix("data: ")) for lines in blocks]
