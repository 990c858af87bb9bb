"""Writes the JSON Schemas in `schemas/` from the models: `python scripts/schemas.py`.

With `--check` nothing is written; the exit code is 1 when a file is not up to date.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from evaltui.agents import AGENTS
from evaltui.agents.profiles.reading import profile_of
from evaltui.formats.contract_model import EvalCase, EvalFile
from evaltui.formats.scenario_model import Scenario, ScenarioFile
from evaltui.settings.json_schema import json_schema
from evaltui.settings.model import Profile, Settings
from evaltui.settings.written import SCHEMA_KEY

FOLDER = Path(__file__).resolve().parent.parent / "schemas"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")


def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by its name."""
    return {
        "agent": _titled("An agent under test: a table [agents.NAME]", _agent()),
        "evals": _titled("Eval file: golden, labeled, regression or rubric cases", _evals()),
        "scenario": _titled("Scenarios: conversations with the agent", _scenarios()),
        "seed": _titled("Seed manifest: values of `{{seed:…}}`", {"type": "object"}),
        "settings": _titled("Settings: evaltui.toml, [tool.evaltui]", _settings(is_json=False)),
        "settings-json": _titled("Settings: evaltui.config.json", _settings(is_json=True)),
    }


def _agent() -> dict[str, Any]:
    """Any of the types of agents, each with the options that it knows."""
    defs = _agents(json_schema(Profile, by_alias=False)["properties"])
    refs = [{**_agent_of(type_), "required": ["type"]} for type_ in AGENTS]
    return {"anyOf": refs, "$defs": defs}


def _settings(*, is_json: bool) -> dict[str, Any]:
    """Profiles are looked at by their type; one with a `url` and no type is for `http`."""
    made = json_schema(Settings, by_alias=is_json)
    profile = made["$defs"]["Profile"]
    untyped = {"required": ["url"], "not": {"required": ["type"]}}
    profile["allOf"] = [
        *({"if": _has_type(type_), "then": _agent_of(type_)} for type_ in AGENTS),
        {"if": untyped, "then": _agent_of("http")},
    ]
    return {**made, "$defs": made["$defs"] | _agents(profile["properties"])}


def _has_type(type_: str) -> dict[str, Any]:
    return {"properties": {"type": {"const": type_}}, "required": ["type"]}


def _agent_of(type_: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{profile_of(type_).__name__}"}


def _agents(common: dict[str, Any]) -> dict[str, Any]:
    """Definitions of all types of agents; `common` is what every profile may say besides."""
    defs: dict[str, Any] = {}
    for type_ in AGENTS:
        model = profile_of(type_)
        made = json_schema(model, by_alias=False)
        defs |= made.pop("$defs", {})
        made["properties"] = {**common, "type": {"const": type_}, **made["properties"]}
        defs[model.__name__] = made
    return defs


def _evals() -> dict[str, Any]:
    made = json_schema(TypeAdapter(EvalFile | list[EvalCase]))
    _allow_schema_key(made["$defs"]["EvalFile"])
    return made


def _scenarios() -> dict[str, Any]:
    made = json_schema(TypeAdapter(Scenario | ScenarioFile | list[Scenario]))
    for name in ("Scenario", "ScenarioFile"):
        _allow_schema_key(made["$defs"][name])
    return made


def _titled(title: str, made: dict[str, Any]) -> dict[str, Any]:
    if "properties" in made:
        _allow_schema_key(made)
    whole: dict[str, Any] = _without_links({"$schema": DRAFT, **made, "title": title})
    return whole


def _allow_schema_key(made: dict[str, Any]) -> None:
    key = {"type": "string", "description": "schema of this file, for editors"}
    made["properties"] = {SCHEMA_KEY: key, **made["properties"]}


def _without_links(value: Any) -> Any:
    """Descriptions serve the guide as well: their links lead nowhere in an editor."""
    if isinstance(value, dict):
        return {
            key: _LINK.sub(r"\1", item)
            if key == "description" and isinstance(item, str)
            else _without_links(item)
            for key, item in value.items()
        }
    return [_without_links(item) for item in value] if isinstance(value, list) else value


def main() -> int:
    made = {
        FOLDER / f"{name}.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in schemas().items()
    }
    there = {path: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    if "--check" in sys.argv[1:]:
        return int(made != there)
    for path in there.keys() - made.keys():
        path.unlink()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
