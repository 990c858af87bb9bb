"""Expressions: what they are worth without running them, and which stay unknown."""

import json
from pathlib import Path

import pytest

from evaltui.core.tool import ToolDefinition
from tests.registries.projects import read, script, write

BEFORE = """
import { OTHER as renamed, DEEP, Color } from './other.js';
import fallback from './other.js';
import * as everything from './other.js';
import data from './data.json';
const name = 'Ann', count = 3, on = true, off = false, nothing = null;
const list = ['a', 'b'] as const, nested = { deep: { er: 'x' }, 'k-j': 1 };
let changed = 'one'; changed = 'two';
let stable = 'let';
const greet = (who: string, sign = '!') => `Hi ${who}${sign}`;
function twice(text) { const all = text + text; return all; }
const { deep: { er }, ...others } = nested;
const [first] = list;
const late: Record<string, string> = {}; late.key = 'set later';
class Texts { static intro = 'from a class'; }
"""
OTHER = """
export const OTHER = 'other', DEEP = { list: [1, 2] };
export enum Color { Red = 'red', Blue = 'blue' }
export enum Level { Low, High = 5, Higher }
const value = 'the default';
export { value as default };
"""

KNOWN = {
    "'a' + \"b\" + `c`": "abc",
    "'it\\'s \\u00e9 \\x41 \\u{1F600} \\\nnext'": "it's é A 😀 next",
    "`two\\r\nlines`": "two\r\nlines",
    "`${name} has ${count} ${list} ${nothing} ${off}`": "Ann has 3 a,b null false",
    "name + count + 1": "Ann31",
    "count + 1 + name": "4Ann",
    "`${2 * 30 - 60 / 4} ${1_000} ${0x1f} ${1.50} ${-count}`": "45 1000 31 1.5 -3",
    "renamed": "other",
    "fallback": "the default",
    "`${DEEP.list[1]}${everything.OTHER}${everything.Color.Blue}`": "2otherblue",
    "`${everything.Level.Low}${everything.Level.Higher}`": "06",
    "Color['Red']": "red",
    "data.text + data['list'][0]": "json1",
    "(nested.deep.er! as string) satisfies string": "x",
    "nested?.['k-j'] + ''": "1",
    "<string>er + first": "xa",
    "list.join(' or ').toUpperCase()": "A OR B",
    "['  x ', 'y'].concat(['z']).join('')": "  x yz",
    "`\n  padded\n`.trim()": "padded",
    "'a-b-c'.replace('-', '+').replaceAll('-', '')": "a+bc",
    "list.map((item, i) => `${i + 1}. ${item}`).join('\\n')": "1. a\n2. b",
    "Object.keys(Color).join() + Object.values(Color).join('/')": "Red,Bluered/blue",
    "Object.entries(Color).map(([k, v]) => k + '=' + v).join('&')": "Red=red&Blue=blue",
    "[on && 'yes', off && 'no', ''].filter(Boolean).join()": "yes",
    "on ? 'yes' : 'no'": "yes",
    "nothing ?? 'instead'": "instead",
    "'' || 'instead'": "instead",
    "greet('Bo') + greet('Cy', '?')": "Hi Bo!Hi Cy?",
    "twice('ab')": "abab",
    "stable": "let",
    "late.key": "set later",
    "Texts.intro": "from a class",
    "JSON.stringify({ a: [1, 'é'], b: null })": '{"a":[1,"é"],b:null}'.replace("b:", '"b":'),
    "String(count) + list.length + 'äb'.length": "322",
    "(() => { const x = 'inner'; return x; })()": "inner",
    "/* before */ 'text' // after": "text",
}

UNKNOWN = {
    "process.env.TEXT": "process.env.TEXT",
    "`Uses ${process.env.TEXT} now`": "process.env.TEXT",
    "'a' + load('b')": "load('b')",
    "await load()": "load()",
    "flag ? 'a' : 'b'": "flag ? 'a' : 'b'",
    "changed": "changed = 'one'",
    "dedent`text`": "dedent`text`",
    "others.deep": "deep: { er }, ...others } = nested",
    "name.split('n')[0]": "name.split('n')",
    "new Date().toString()": "new Date().toString()",
    "greet(who())": "who()",
    "[...load(), 'x'].join()": "load()",
    "everything.missing": "everything.missing",
    "list.map((item) => { log(item); return item; }).join()": "(item)",
    "this.text": "this.text",
    "undefinedName": "undefinedName",
}


def tool(expression: str, root: Path) -> ToolDefinition:
    write(
        root,
        {
            "x.tool.ts": script("x", f"({expression}\n)", BEFORE),
            "other.ts": OTHER,
            "data.json": '{"text": "json", "list": [1, true]}',
        },
    )
    return read(root, "x.tool.ts").registry.tools["x"]


@pytest.mark.parametrize("expression", KNOWN)
def test_known_text(expression: str, tmp_path: Path) -> None:
    found = tool(expression, tmp_path)
    assert (found.description, found.unresolved) == (KNOWN[expression], ())


@pytest.mark.parametrize("expression", UNKNOWN)
def test_unknown_text_names_what_is_in_the_way(expression: str, tmp_path: Path) -> None:
    found = tool(expression, tmp_path)
    assert found.description is None
    (unresolved,) = found.unresolved
    assert (unresolved.field, unresolved.file) == ("description", "x.tool.ts")
    assert UNKNOWN[expression] in unresolved.expression
    assert unresolved.line > 0


def test_the_warning_for_an_unknown_field_says_all_of_it(tmp_path: Path) -> None:
    write(tmp_path, {"x.tool.ts": script("x", "'a' +\n    load()")})
    (problem,) = read(tmp_path, "x.tool.ts").problems
    assert (problem.file, problem.line, problem.severity) == ("x.tool.ts", 5, "warning")
    assert "`description` of tool `x`" in problem.what
    assert "`load()`" in problem.what
    assert problem.hint


def test_a_spread_of_something_unknown_leaves_later_fields_known(tmp_path: Path) -> None:
    text = "export const t = { name: 't', version: '1', ...extra(), description: 'D', schema: {} };"
    write(tmp_path, {"x.tool.ts": text})
    (found,) = read(tmp_path, "x.tool.ts").registry
    assert (found.description, found.version) == ("D", None)
    assert {(item.field, item.expression) for item in found.unresolved} == {
        ("version", "...extra()"),
        ("category", "...extra()"),
        ("status", "...extra()"),
    }


def test_a_name_that_is_not_known_leaves_only_that_tool_out(tmp_path: Path) -> None:
    text = f"export const t = {{ name: make(), description: 'D', schema: {{}} }};{script('y')}"
    write(tmp_path, {"x.tool.ts": text})
    found = read(tmp_path, "x.tool.ts")
    assert list(found.registry.tools) == ["y"]
    (problem,) = found.problems
    assert "`name`" in problem.what
    assert "`make()`" in problem.what


@pytest.mark.parametrize(
    "text",
    [
        " + ".join(["'a'"] * 3_000),
        "(" * 300 + "'a'" + ")" * 300,
        "`${" * 200 + "'a'" + "}`" * 200,
        "'a'" + ".trim()" * 600,
    ],
    ids=["sum", "brackets", "templates", "chain"],
)
def test_deep_expressions_end(text: str, tmp_path: Path) -> None:
    found = tool(text, tmp_path)
    assert found.unresolved or found.description is not None


@pytest.mark.parametrize(
    ("first", "step"),
    [
        ("'a'", "v{0} + v{0}"),
        ("'a'", "`${{v{0}}}${{v{0}}}`"),
        ("['a']", "[...v{0}, ...v{0}]"),
        ("z.string()", "z.object({{ a: v{0}, b: v{0} }})"),
        ("{ type: 'string' }", "{{ a: v{0}, b: v{0} }}"),
    ],
)
def test_values_that_double_again_and_again_end(first: str, step: str, tmp_path: Path) -> None:
    lines = [f"const v0 = {first};"]
    lines += [f"const v{i + 1} = {step.format(i)};" for i in range(40)]
    body = "export const t = { name: 't', description: String(v40), schema: v40 };"
    write(tmp_path, {"x.tool.ts": "\n".join([*lines, body])})
    (found,) = read(tmp_path, "x.tool.ts").registry
    assert {item.field for item in found.unresolved} == {"description", "parameters"}
    assert len(json.dumps(found.parameters)) < 10
