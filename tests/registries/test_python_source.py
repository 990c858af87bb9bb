"""Python code as a registry: its many forms, and everything that code can do instead."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.core.errors import Severity
from evaltui.core.permit import EVERYTHING
from evaltui.core.tool import ToolDefinition
from evaltui.registries import ReadRegistry, RegistryReader
from evaltui.registries.source import FoundSource
from tests.agents.scripts import is_alive
from tests.registries.projects import write

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def read(
    root: Path, location: str = "tools.py", reader: RegistryReader | None = None, **options: Any
) -> ReadRegistry:
    return (reader or RegistryReader(permit=EVERYTHING)).read(
        root, [FoundSource("python", location, options)]
    )


def only(root: Path, text: str, location: str = "tools.py") -> ToolDefinition:
    write(root, {"tools.py": text})
    result = read(root, location)
    assert [str(problem) for problem in result.problems] == []
    (tool,) = result.registry
    return tool


FORMS = {
    "openai": "TOOLS = [{'type': 'function', 'function': {'name': 'weather',"
    f" 'description': 'Tells it.', 'parameters': {CITY}}}}}]",
    "anthropic": "tools = [{'name': 'weather', 'description': 'Tells it.', "
    f"'input_schema': {CITY}}}]",
    "plain functions": "def weather(city: str) -> str:\n    'Tells it.'\n\nTOOLS = [weather]",
    "a decorator": "def tool(f):\n    f.__tool__ = True\n    return f\n\n"
    "@tool\ndef weather(city: str):\n    'Tells it.'\n\ndef other(x): ...",
    "a dataclass": "from dataclasses import dataclass\n@dataclass\nclass weather:\n"
    "    'Tells it.'\n    city: str\nTOOLS = [weather]",
    "an object": "class Tool:\n    name = 'weather'\n    description = 'Tells it.'\n"
    f"    parameters = {CITY}\nit = Tool()",
    "a map": "TOOLS = {'weather': {'description': 'Tells it.', "
    f"'parameters': {CITY}, 'name': 'weather'}}}}",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_tools_in_many_forms(tmp_path: Path, form: str) -> None:
    tool = only(tmp_path, FORMS[form])
    assert (tool.name, tool.description, tool.file) == ("weather", "Tells it.", "tools.py")
    assert tool.parameters is not None
    assert tool.parameters["properties"] == CITY["properties"]
    assert list(tool.parameters["required"]) == ["city"]  # type: ignore[arg-type]


def test_a_pydantic_model(tmp_path: Path) -> None:
    tool = only(
        tmp_path,
        "from pydantic import BaseModel, Field\nclass weather(BaseModel):\n    'Tells it.'\n"
        "    city: str = Field(description='Where')\nTOOLS = [weather]",
    )
    assert tool.description == "Tells it."
    assert tool.parameters is not None
    assert tool.parameters["properties"]["city"]["description"] == "Where"  # type: ignore[index,call-overload]
    assert tool.line == 2


@pytest.mark.parametrize(
    ("package", "header"),
    [
        pytest.param(
            "mcp",
            "from mcp.server import MCPServer\nserver = MCPServer('x')\n@server.tool()\n",
            marks=pytest.mark.slow,
        ),
        ("fastmcp", "from fastmcp import FastMCP\nserver = FastMCP('x')\n@server.tool()\n"),
        ("langchain_core", "from langchain_core.tools import tool\n@tool\n"),
    ],
)
def test_frameworks(tmp_path: Path, package: str, header: str) -> None:
    pytest.importorskip(package)
    tool = only(tmp_path, f"{header}def weather(city: str) -> str:\n    'Tells it.'\n    return ''")
    assert (tool.name, tool.description) == ("weather", "Tells it.")
    assert tool.parameters is not None
    assert tool.parameters["properties"]["city"]["type"] == "string"  # type: ignore[index,call-overload]


LANGCHAIN = """
def schema(*names):
    class Schema:
        @classmethod
        def model_json_schema(cls):
            return {'type': 'object', 'properties': {name: {'type': 'string'} for name in names}}
    return Schema

class StructuredTool:
    name = 'weather'
    description = 'Tells it.'
    args_schema = schema('city', 'user', 'config')  # `user` is an InjectedToolArg
    @property
    def tool_call_schema(self): return schema('city')

class Tool:
    __module__ = 'langchain_core.tools.simple'
    name = 'weather'
    description = 'Tells it.'
    args_schema = None
    tool_call_schema = schema('args', 'config', 'kwargs')
    def func(self, query): ...

tools = [MADE()]
"""


@pytest.mark.parametrize(("made", "seen"), [("StructuredTool", "city"), ("Tool", "__arg1")])
def test_tools_of_langchain_have_the_parameters_that_models_are_told(
    made: str, seen: str, tmp_path: Path
) -> None:
    """As `convert_to_openai_tool` gives them: no injected ones, one text for the oldest form."""
    tool = only(tmp_path, LANGCHAIN.replace("MADE", made))
    assert tool.parameters is not None
    assert tool.parameters["properties"] == {seen: {"type": "string"}}


def test_annotations_become_a_schema(tmp_path: Path) -> None:
    text = (
        "from typing import Annotated, Literal, Optional\nfrom enum import Enum\n"
        "class Unit(Enum):\n    C = 'c'\n    F = 'f'\n"
        "def weather(self, city: Annotated[str, 'Where'], days: int = 3, unit: Unit = Unit.C,\n"
        "            kind: Literal['a', 'b'] = 'a', tags: list[str] = [],\n"
        "            x: Optional[float] = None, **rest): ...\nTOOLS = [weather]"
    )
    assert only(tmp_path, text).parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where"},
            "days": {"type": "integer", "default": 3},
            "unit": {"enum": ["c", "f"]},
            "kind": {"enum": ["a", "b"], "default": "a"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "x": {"type": ["number", "null"]},
        },
        "required": ["city"],
    }


def test_a_group_is_read_for_the_tools_that_it_holds(tmp_path: Path) -> None:
    group = "{'name': 'group', 'description': 'G.', 'enabled': False, 'tools': [weather]}"
    text = f"def weather(city: str):\n    'Tells it.'\nTOOLS = [{group}]"
    assert only(tmp_path, text).name == "weather"


def test_smolagents_inputs_are_a_schema(tmp_path: Path) -> None:
    text = (
        "class Weather:\n    name = 'weather'\n    description = 'Tells it.'\n    inputs = {\n"
        "        'city': {'type': 'string', 'description': 'Where'},\n"
        "        'days': {'type': 'integer', 'nullable': True},\n"
        "        'image': {'type': 'any', 'description': 'Of it'},\n    }\n"
        "    def forward(self, *given): ...\n    def __call__(self, *given): ...\n"
        "it = Weather()"
    )
    tool = only(tmp_path, text)
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where"},
            "days": {"type": ["integer", "null"]},
            "image": {"description": "Of it"},
        },
        "required": ["city", "image"],
    }
    assert (tool.file, tool.line) == ("tools.py", 9)


AGNO = """
class Function:
    description, parameters = None, {'type': 'object', 'properties': {}, 'required': []}
    def __init__(self, name, entrypoint, **known):
        self.name, self.entrypoint = name, entrypoint
        vars(self).update(known)
    def process_entrypoint(self):
        self._framework_params = {'agent'}
        if self.name == 'broken':
            raise ValueError('no')
        self.description = self.entrypoint.__doc__
        if self.name == 'weather':
            self.parameters = %r
def weather(agent, city: str): 'Tells it.'
def now(agent): 'Tells the time.'
"""


def test_agno_functions_are_processed_first(tmp_path: Path) -> None:
    text = f"{AGNO % CITY}TOOLS = [Function('weather', weather), Function('now', now)]"
    write(tmp_path, {"tools.py": text})
    found = read(tmp_path)
    assert found.problems == ()
    tools = found.registry.tools
    assert (tools["weather"].description, tools["weather"].parameters) == ("Tells it.", CITY)
    assert tools["weather"].line == 14
    assert tools["now"].parameters == {"type": "object", "properties": {}, "required": []}


def test_an_agno_toolkit_is_its_functions(tmp_path: Path) -> None:
    kit = "class Kit:\n    def __init__(self, **known): vars(self).update(known)\n"
    functions = "{'weather': Function('weather', weather)}"
    other = "{'now': Function('now', now), 'weather': Function('weather', now)}"
    made = f"TOOLS = [Kit(functions={functions}, async_functions={other})]"
    write(tmp_path, {"tools.py": f"{AGNO % CITY}{kit}{made}"})
    found = read(tmp_path)
    assert (sorted(found.registry.tools), found.problems) == (["now", "weather"], ())


PYDANTIC_AI = """
class Has:
    def __init__(self, **known): vars(self).update(known)
class Tool(Has): ...
class AbstractToolset(Has): ...
class FunctionToolset(AbstractToolset): ...
class CombinedToolset(AbstractToolset): ...
class ExternalToolset(AbstractToolset): ...
class PrefixedToolset(AbstractToolset): ...
class RenamedToolset(AbstractToolset): ...
class FilteredToolset(AbstractToolset): ...
class Agent(Has): ...
"""
TOOLSET = f"""from pydantic_ai import *
def tell(ctx, city: str): 'Tells it.'
made = Has(json_schema={CITY})
def tool(name):
    return Tool(name=name, description='Tells it.', function=tell, function_schema=made)
def toolset(*names): return FunctionToolset(tools={{name: tool(name) for name in names}})
"""
TOOLSETS = {
    "of functions": ("kit = toolset('a', 'b')", ["a", "b"]),
    "listed": ("TOOLS = [toolset('a'), tool('b')]", ["a", "b"]),
    "combined": (
        "one = toolset('a')\nall = CombinedToolset(toolsets=[one, toolset('b')])",
        ["a", "b"],
    ),
    "prefixed": ("one = toolset('a')\nall = PrefixedToolset(wrapped=one, prefix='x')", ["x_a"]),
    "renamed": (
        "all = RenamedToolset(wrapped=toolset('a', 'b'), name_map={'z': 'a'})",
        ["b", "z"],
    ),
    "of an agent": ("kit = toolset('a')\nagent = Agent(name=None, toolsets=[kit])", ["a"]),
    "elsewhere": (
        f"kit = ExternalToolset(tool_defs=[Has(name='a', description='A.', "
        f"parameters_json_schema={CITY})])",
        ["a"],
    ),
}


@pytest.mark.parametrize(("text", "names"), TOOLSETS.values(), ids=TOOLSETS)
def test_a_toolset_of_pydantic_ai_is_its_tools(tmp_path: Path, text: str, names: list[str]) -> None:
    write(tmp_path, {"pydantic_ai/__init__.py": PYDANTIC_AI, "tools.py": f"{TOOLSET}{text}\n"})
    found = read(tmp_path)
    assert (sorted(found.registry.tools), found.problems) == (names, ())
    for tool in found.registry:
        assert tool.parameters == CITY


def test_tools_that_only_a_run_would_tell_are_said(tmp_path: Path) -> None:
    text = "kit = FilteredToolset(wrapped=toolset('a'), filter_func=tell)\nb = tool('b')\n"
    write(tmp_path, {"pydantic_ai/__init__.py": PYDANTIC_AI, "tools.py": f"{TOOLSET}{text}"})
    found = read(tmp_path)
    assert list(found.registry.tools) == ["b"]
    (problem,) = found.problems
    assert "not known as tools: `FilteredToolset`" in problem.what


def test_what_is_no_tool_in_a_list_of_tools_is_said(tmp_path: Path) -> None:
    text = (
        "def a(): 'A.'\nclass Kit: ...\nclass Other: ...\n"
        "TOOLS = [a, Kit(), Kit(), Other, None, {'more': [5], 'size': 3.5}, 'b']"
    )
    write(tmp_path, {"tools.py": text})
    found = read(tmp_path)
    assert list(found.registry.tools) == ["a"]
    (problem,) = found.problems
    assert (problem.file, problem.severity) == ("tools.py", Severity.WARNING)
    assert problem.what.endswith("not known as tools: `Kit`, `Other`, `int`")


@pytest.mark.parametrize(
    ("name", "why"), [("broken", "ValueError: no"), ("other", "agno makes no schema")]
)
def test_parameters_that_agno_does_not_know_are_said(name: str, why: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools.py": f"{AGNO % CITY}TOOLS = [Function('{name}', weather)]"})
    found = read(tmp_path)
    assert found.registry.tools[name].parameters is None
    (problem,) = found.problems
    assert (problem.file, problem.line, problem.severity) == ("tools.py", 14, Severity.WARNING)
    assert f"the parameters of tool `{name}` are not known" in problem.what
    assert why in problem.what


def test_one_name_of_a_module_can_be_chosen(tmp_path: Path) -> None:
    write(tmp_path, {"pack/tools.py": "def a(): ...\ndef b(): ...\nclass Box:\n    mine = [b]\n"})
    assert list(read(tmp_path, "pack.tools:Box.mine").registry.tools) == ["b"]
    assert list(read(tmp_path, "pack/tools.py:a").registry.tools) == ["a"]


def test_imported_files_are_watched_and_reread(tmp_path: Path) -> None:
    text = "from words import TEXT\ndef a(): ...\na.__doc__ = TEXT\nTOOLS = [a]"
    write(tmp_path, {"tools.py": text, "words.py": "TEXT = 'One.'"})
    reader = RegistryReader(permit=EVERYTHING)
    first = read(tmp_path, reader=reader).registry
    assert set(first.files) == {"tools.py", "words.py"}
    assert read(tmp_path, reader=reader).registry.tools["a"] is first.tools["a"]
    write(tmp_path, {"words.py": "TEXT = 'Two.'"})
    assert read(tmp_path, reader=reader).registry.tools["a"].description == "Two."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def (", "SyntaxError"),
        ("A = '\0'", "null bytes"),
        ("# coding: utf-8\nexec(b'\\xff'.decode())", "codec can't decode byte 0xff"),
        ("import no_such_package_here", "No module named 'no_such_package_here'"),
        ("import sys; sys.exit(3)", "sys.exit(3)"),
        ("import os; print('last words', flush=True); os._exit(4)", "exit code 4"),
        ("1 / 0", "division by zero (tools.py line 1"),
        ("while True: pass", "not loaded within 1 s"),
        ("TOOLS = []", "no tools in this module"),
    ],
)
@pytest.mark.slow
def test_bad_modules_are_problems_and_the_last_good_tools_stay(
    tmp_path: Path, text: str, words: str
) -> None:
    write(tmp_path, {"tools.py": "def a(): 'A.'\nTOOLS = [a]"})
    reader = RegistryReader(permit=EVERYTHING)
    good = read(tmp_path, reader=reader, timeout=1).registry
    write(tmp_path, {"tools.py": text})
    broken = read(tmp_path, reader=reader, timeout=1)
    (problem,) = broken.problems
    assert words in problem.what
    assert "line None" not in problem.what and "frozen" not in problem.what
    is_placed = not any(one in words for one in ("null", "exit code 4", "within", "no tools"))
    line = 1 + text.count("\n") if is_placed else 0
    assert (problem.file, problem.line) == ("tools.py", line)
    if "no tools" not in words:
        assert dict(broken.registry.tools) == dict(good.tools)
        assert "last good" in problem.hint
    assert "tools.py" in broken.registry.files
    assert read(tmp_path, timeout=1).registry.tools == {}


def test_prints_and_threads_do_not_disturb(tmp_path: Path) -> None:
    text = (
        "import threading, time, os\nprint('{\"tools\": []}')\nos.write(1, b'raw')\n"
        "threading.Thread(target=time.sleep, args=(600,)).start()\n"
        "open('pid', 'w').write(str(os.getpid()))\ndef a(): 'A.'\nTOOLS = [a]"
    )
    write(tmp_path, {"tools.py": text})
    result = read(tmp_path)
    assert list(result.registry.tools) == ["a"]
    (problem,) = result.problems
    assert problem.severity is Severity.LINT and "prints while it is loaded" in problem.what
    assert not is_alive(int((tmp_path / "pid").read_text()))


PACKAGES = {
    "a package": ("shop/server.py", {"shop/__init__.py": ""}),
    "a package in one": (
        "app/shop/server.py",
        {"app/shop/__init__.py": "", "app/__init__.py": "from . import shop"},
    ),
    "below a folder": ("lib/shop/server.py", {"lib/shop/__init__.py": "import shop"}),
    "without its file": ("shop/server.py", {}),
}


@pytest.mark.parametrize(("location", "files"), PACKAGES.values(), ids=PACKAGES)
def test_a_file_that_imports_relatively_is_read_as_part_of_its_package(
    location: str, files: dict[str, str], tmp_path: Path
) -> None:
    server = (
        "from .words import TEXT\nTOOLS = [{'name': 'a', 'description': TEXT, 'parameters': {}}]"
    )
    folder = location.rpartition("/")[0]
    write(tmp_path, {location: server, f"{folder}/words.py": "TEXT = 'A.'", **files})
    found = read(tmp_path, location)
    assert [str(problem) for problem in found.problems] == []
    assert [(tool.description, tool.file) for tool in found.registry] == [("A.", location)]
    assert f"{folder}/words.py" in found.registry.files
