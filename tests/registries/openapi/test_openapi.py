"""OpenAPI files as tools."""

import json
from pathlib import Path

import pytest

from evaltui.core.errors import Severity
from evaltui.core.tool import ToolStatus
from evaltui.registries import ReadRegistry, RegistryReader
from evaltui.registries.source import FoundSource
from tests.registries.projects import write

API = """\
openapi: 3.0.3
info: {title: Weather, version: 2.1.0}
paths:
  /weather/{city}:
    parameters:
      - {name: city, in: path, required: true, schema: {type: string}, description: Where.}
    get:
      operationId: getWeather
      summary: Weather of a city.
      description: Use it for today and tomorrow.
      tags: [weather]
      parameters:
        - $ref: '#/components/parameters/Days'
        - {name: Authorization, in: header, schema: {type: string}}
        - {name: on, in: query, schema: {type: string, enum: [on, no], nullable: true}}
    delete:
      deprecated: true
      responses: {200: {description: gone}}
  /reports:
    post:
      operationId: addReport
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: 'schemas.yaml#/Report'}
components:
  parameters:
    Days: {name: days, in: query, schema: {type: integer, minimum: 0, exclusiveMinimum: true}}
"""
SCHEMAS = """\
Report:
  type: object
  required: [id, text, place]
  properties:
    id: {type: string, readOnly: true}
    text: {type: string, example: sunny}
    place: {$ref: '#/Place'}
Place:
  type: object
  properties:
    name: {type: string}
    inside: {$ref: '#/Place'}
"""
LINKED = """\
    get: {$ref: shared/look.yaml}
"""
LOOK = """\
operationId: look
summary: Look at the sky.
parameters:
  - {$ref: '#/own'}
own: {name: cloud, in: query, schema: {type: integer}}
"""


def read(
    root: Path, location: str = "api.yaml", reader: RegistryReader | None = None
) -> ReadRegistry:
    return (reader or RegistryReader()).read(root, [FoundSource("openapi", location)])


def test_operations_are_tools(tmp_path: Path) -> None:
    write(tmp_path, {"api.yaml": API, "schemas.yaml": SCHEMAS})
    result = read(tmp_path)
    assert result.problems == ()
    tools = result.registry.tools
    assert list(tools) == ["getWeather", "delete_weather_city", "addReport"]
    weather = tools["getWeather"]
    assert weather.description == "Weather of a city.\n\nUse it for today and tomorrow."
    assert (weather.version, weather.category) == ("2.1.0", "weather")
    assert (weather.file, weather.line) == ("api.yaml", 7)
    assert weather.parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where."},
            "days": {"type": "integer", "exclusiveMinimum": 0},
            "on": {"type": ["string", "null"], "enum": ["on", "no", None]},
        },
        "required": ["city"],
    }
    assert tools["delete_weather_city"].status is ToolStatus.DEPRECATED


def test_keys_that_are_numbers_in_yaml_and_values_unknown_to_json_are_texts(tmp_path: Path) -> None:
    schema = "{type: object, properties: {7: {enum: [1, !!binary aGk=]}}}"
    body = f"{{content: {{application/json: {{schema: {schema}}}}}}}"
    api = f"openapi: 3.0.0\npaths: {{/a: {{post: {{operationId: a, requestBody: {body}}}}}}}\n"
    write(tmp_path, {"api.yaml": api})
    parameters = read(tmp_path).registry.tools["a"].parameters
    assert parameters is not None
    assert parameters["properties"] == {"7": {"enum": [1, "b'hi'"]}}


def test_references_lead_to_other_files_and_in_circles(tmp_path: Path) -> None:
    write(tmp_path, {"api.yaml": API, "schemas.yaml": SCHEMAS})
    result = read(tmp_path)
    assert result.registry.files == ("api.yaml", "schemas.yaml")
    assert result.registry.tools["addReport"].parameters == {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "place": {"$ref": "#/$defs/Place"},
        },
        "required": ["text", "place"],
        "$defs": {
            "Place": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "inside": {"$ref": "#/$defs/Place"}},
            }
        },
    }


def test_an_operation_may_be_a_reference_itself(tmp_path: Path) -> None:
    api = API.replace(API[API.index("    get:\n") : API.index("    delete:")], LINKED)
    write(tmp_path, {"api.yaml": api, "schemas.yaml": SCHEMAS, "shared/look.yaml": LOOK})
    reader = RegistryReader()
    result = read(tmp_path, reader=reader)
    assert result.problems == ()
    tool = result.registry.tools["look"]
    assert (tool.description, tool.file) == ("Look at the sky.", "shared/look.yaml")
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where."},
            "cloud": {"type": "integer"},
        },
        "required": ["city"],
    }
    write(tmp_path, {"shared/look.yaml": LOOK.replace("the sky", "clouds")})
    changed = read(tmp_path, reader=reader).registry.tools["look"]
    assert changed.description == "Look at clouds."


@pytest.mark.parametrize(
    ("summary", "description", "read_as"),
    [
        ("Looks", "Looks at clouds.", "Looks at clouds."),
        ("Looks.", "Clouds, mostly.", "Looks.\n\nClouds, mostly."),
        ("Looks.", " ", "Looks."),
    ],
)
def test_a_summary_with_which_the_description_begins_is_not_repeated(
    summary: str, description: str, read_as: str, tmp_path: Path
) -> None:
    words = {"operationId": "look", "summary": summary, "description": description}
    api = {"openapi": "3.1.0", "paths": {"/x": {"get": words}}}
    write(tmp_path, {"api.yaml": json.dumps(api)})
    assert read(tmp_path).registry.tools["look"].description == read_as


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("application/json", ["city"]),
        ("application/x-www-form-urlencoded", ["city"]),
        ("multipart/form-data", ["city"]),
        ("application/xml", ["body"]),
    ],
)
def test_the_fields_of_a_body_are_parameters(kind: str, names: list[str], tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    body = {"content": {kind: {"schema": schema}}}
    paths = {"/x": {"post": {"operationId": "look", "requestBody": body}}}
    write(tmp_path, {"api.yaml": json.dumps({"openapi": "3.1.0", "paths": paths})})
    parameters = read(tmp_path).registry.tools["look"].parameters
    assert parameters is not None
    assert list(parameters["properties"]) == names  # type: ignore[arg-type]


def test_a_change_of_a_referenced_file_changes_the_tool(tmp_path: Path) -> None:
    write(tmp_path, {"api.yaml": API, "schemas.yaml": SCHEMAS})
    reader = RegistryReader()
    first = read(tmp_path, reader=reader).registry
    assert read(tmp_path, reader=reader).registry.tools["addReport"] is first.tools["addReport"]
    write(tmp_path, {"schemas.yaml": SCHEMAS.replace("text: {type: string", "text: {type: number")})
    second = read(tmp_path, reader=reader).registry
    assert second.tools["addReport"] != first.tools["addReport"]
    assert second.tools["getWeather"] is first.tools["getWeather"]


def test_json_is_the_same_and_knows_its_lines(tmp_path: Path) -> None:
    api = {
        "openapi": "3.1.0",
        "paths": {
            "/a": {
                "post": {
                    "requestBody": {"content": {"text/plain": {"schema": {"type": "string"}}}},
                }
            }
        },
    }
    write(tmp_path, {"openapi.json": json.dumps(api, indent="\t")})
    result = RegistryReader().read(tmp_path, [FoundSource("auto", "openapi.json")])
    (tool,) = result.registry
    assert (tool.name, tool.line, tool.description) == ("post_a", 5, None)
    assert tool.parameters == {"type": "object", "properties": {"body": {"type": "string"}}}


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        ("openapi: 3.0.0\npaths:\n  /a: [1\n", "not valid YAML", 4),
        ('{"openapi": "3.0.0",\n "paths": {', "not valid JSON", 2),
        ("swagger: '2.0'\npaths: {}\n", "Swagger 2.0", 1),
        ("openapi: 4.0.0\n", "OpenAPI 4.0.0 is not known", 1),
        ("- a\n- b\n", "not an OpenAPI file", 1),
        ("hello", "not an OpenAPI file", 1),
        ("", "the file is empty", 0),
        ("a: *nothing\n", "not valid YAML", 1),
    ],
)
def test_broken_files_are_problems_and_the_last_good_tools_stay(
    tmp_path: Path, text: str, words: str, line: int
) -> None:
    write(tmp_path, {"api.yaml": API, "schemas.yaml": SCHEMAS})
    reader = RegistryReader()
    good = read(tmp_path, reader=reader).registry
    write(tmp_path, {"api.yaml": text})
    broken = read(tmp_path, reader=reader)
    assert dict(broken.registry.tools) == dict(good.tools)
    (problem,) = broken.problems
    assert words in problem.what and "last good" in problem.hint
    assert problem.line == line
    assert read(tmp_path).registry.tools == {}


def test_references_that_lead_nowhere_are_warnings(tmp_path: Path) -> None:
    api = API.replace("schemas.yaml#/Report", "gone.yaml#/Report").replace(
        "'#/components/parameters/Days'", "'#/components/parameters/Dayz'"
    )
    write(tmp_path, {"api.yaml": api})
    result = read(tmp_path)
    assert list(result.registry.tools) == ["getWeather", "delete_weather_city", "addReport"]
    whats = " ".join(problem.what for problem in result.problems)
    assert "Dayz` leads to nothing" in whats and "file not found" in whats
    assert "gone.yaml" in result.registry.files
    assert any(problem.severity is Severity.WARNING for problem in result.problems)


def test_a_bomb_of_references_is_not_written_out(tmp_path: Path) -> None:
    schemas = {
        f"L{n}": {"type": "object", "properties": {k: {"$ref": f"#/components/schemas/L{n + 1}"}
                                                   for k in "abcdefgh"}}
        for n in range(20)
    }  # fmt: skip
    schemas["L20"] = {"type": "string"}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/L0"}}}}
    api = {
        "openapi": "3.1.0",
        "paths": {"/a": {"post": {"requestBody": body}}},
        "components": {"schemas": schemas},
    }
    write(tmp_path, {"openapi.json": json.dumps(api)})
    (tool,) = read(tmp_path, "openapi.json").registry
    assert len(json.dumps(tool.parameters)) < 300_000


@pytest.mark.timeout(20)
def test_a_bomb_of_aliases_is_harmless(tmp_path: Path) -> None:
    rows = ["a0: &a0 [1, 2]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40)]
    write(tmp_path, {"api.yaml": "\n".join([API, *rows]), "schemas.yaml": SCHEMAS})
    assert len(read(tmp_path).registry) == 3
