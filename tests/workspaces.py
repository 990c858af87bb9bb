"""EvalStudio workspaces as its own program writes them."""

import json
from pathlib import Path
from typing import Any

PROJECT = "5b0c4f4e-0000-4000-8000-000000000001"
DATA = f"projects/{PROJECT}/data"
KEY = "sk-key-of-the-workspace-1234"
TOKEN = "token-of-the-connector-1234"
STAMPS = {"createdAt": "2026-02-26T10:00:00.000Z", "updatedAt": "2026-02-26T10:00:00.000Z"}
ANN: dict[str, Any] = {
    "id": "u-ann",
    "name": "Ann",
    "description": "In a hurry",
    "lines": ["Hi", "Thanks"],
}
BOB: dict[str, Any] = {
    "id": "u-bob",
    "name": "Bob",
    "systemPrompt": "Slow",
    "lines": ["Hello", "Bye"],
}
LENGTH: dict[str, Any] = {"type": "response-length", "config": {"max": 400}}
REFUND: dict[str, Any] = {
    "id": "s-refund",
    "name": "Refund",
    "instructions": "The kettle is broken.",
    "maxMessages": 4,
    "personaIds": ["u-ann", "u-bob"],
    "evaluators": [LENGTH, {"type": "tool-call-count"}],
}
HELLO: dict[str, Any] = {
    "id": "s-hello",
    "name": "Hello",
    "messages": [{"role": "user", "content": "Hi", "id": "m-1", "metadata": {"a": 1}}],
    "maxMessages": 2,
    "evaluators": [LENGTH],
}
EVAL: dict[str, Any] = {
    "id": "e-1",
    "name": "All",
    "scenarioIds": ["s-refund", "s-hello"],
    "connectorId": "c-1",
}


def connector(url: str = "http://localhost:1", **more: Any) -> dict[str, Any]:
    """One over HTTP, as versions before 0.6 made them."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return {"id": "c-1", "name": "Shop", "type": "http", "baseUrl": url, "headers": headers, **more}


def write_entities(root: Path, kind: str, *entities: Any, data: str = DATA) -> Path:
    """`kind`: `scenarios`, `personas`, `connectors`, `evals` or `runs`."""
    path = root / data / f"{kind}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    stamped = [{**one, **STAMPS} if isinstance(one, dict) else one for one in entities]
    path.write_text(json.dumps(stamped, indent=2), encoding="utf-8")
    return path


def write_config(root: Path, **more: Any) -> Path:
    path = root / "evalstudio.config.json"
    config = {"version": 3, "name": "ws", "projects": [{"id": PROJECT, "name": "Shop"}], **more}
    known = {key: value for key, value in config.items() if value is not None}
    path.write_text(json.dumps(known, indent=2), encoding="utf-8")
    return path


def write_workspace(root: Path, url: str = "http://localhost:1", data: str = DATA) -> Path:
    """Two personas, two scenarios, a connector and an eval of all of it."""
    if data == DATA:
        write_config(root)
    else:
        write_config(root, version=2, projects=None)
    write_entities(root, "personas", ANN, BOB, data=data)
    write_entities(root, "scenarios", REFUND, HELLO, data=data)
    write_entities(root, "connectors", connector(url), data=data)
    write_entities(root, "evals", EVAL, data=data)
    return root
