"""Code that would take for ever is given up after so many steps, and what was given up is said."""

import time
from pathlib import Path

import pytest

from evaltui.registries import RegistryReader
from evaltui.registries.source import FoundSource
from evaltui.registries.typescript.budget import Budget
from tests.registries.projects import read, script, write

TWICE = "function f(n) { return [f(n - 1), f(n + 1)].join(); }"
DOUBLED = "".join(f"const a{i + 1} = [a{i}, a{i}]; " for i in range(45))
LAST = "return `${a45}`;"
LONGER = "".join(f"const a{i + 1} = [...a{i}, ...a{i}]; " for i in range(45))
TEXTS = "".join(f"const t{i + 1} = t{i} + t{i}; " for i in range(60))
SQUARES = "".join(f"const n{i + 1} = n{i} * n{i}; " for i in range(60))
WIDE = f"const w = [{'1,' * 9_000}]; const all = [{'w,' * 9_000}];"

ENDLESS = {
    "recursion": script("b", "f(9)", TWICE),
    "arguments": script("b", "g('x')", "const g = s => [g(s + 'a'), g(s + 'b')].join();"),
    "branches": script("b", "h(1)", "const h = n => [h(n), h(n + 1), h(n + 2)].join();"),
    "maps": script("b", "X.map(x => X.map(y => X.map(z => x + y + z))).join()",
                   f"const X = [{'2,' * 300}];"),
    "shared": script("b", "String(a45) + a45.join()", f"const a0 = ['x']; {DOUBLED}"),
    "spread": script("b", "a45.join()", f"const a0 = ['x']; {LONGER}"),
    "texts": script("b", "t60", f"const t0 = 'x'; {TEXTS}"),
    "squares": script("b", "`${n60}`", f"const n0 = 99; {SQUARES}"),
    "wide": script("b", "all.join() + all.flat().join() + all.concat(all).join()", WIDE),
    "replace": script("b", "r.replaceAll('a', r).replaceAll('a', r)",
                      f"const r = '{'a' * 9_000}';"),
    "locals": script("b", "k()", f"const k = () => {{ const a0 = 1; {DOUBLED} {LAST} }}"),
}  # fmt: skip


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_it_ends_and_the_other_tools_are_read(text: str, tmp_path: Path) -> None:
    others = script("a", "'First.'") + text + script("c", "'Last.'")
    write(tmp_path, {"tools/x.tool.ts": others})
    started = time.process_time()
    found = read(tmp_path, "tools")
    assert time.process_time() - started < 5
    tools = found.registry.tools
    assert (tools["a"].description, tools["c"].description) == ("First.", "Last.")
    assert [one.field for one in tools["b"].unresolved] == ["description"]
    assert {problem.code for problem in found.problems} <= {"unresolved", "too-many-steps"}
    assert all(problem.file and problem.line and problem.hint for problem in found.problems)


def test_what_was_given_up_is_named_with_its_place_as_long_as_it_is_so(tmp_path: Path) -> None:
    write(tmp_path, {"x.tool.ts": f"import {{ f }} from './f';\n{script('b', 'f(9)')}"})
    write(tmp_path, {"f.ts": f"\nexport {TWICE}"})
    reader, sources = RegistryReader(), [FoundSource("auto", "x.tool.ts")]
    for _ in range(2):
        said = [one for one in reader.read(tmp_path, sources).problems if one.code != "unresolved"]
        assert [(one.file, one.line, one.code) for one in said] == [("f.ts", 2, "too-many-steps")]
        assert "what `function f(n) { return" in said[0].what
    write(tmp_path, {"f.ts": "export const f = n => `n${n}`;"})
    again = reader.read(tmp_path, sources)
    assert (again.problems, again.registry.tools["b"].description) == ((), "n9")


def test_one_question_without_an_end_leaves_enough_for_many_others(tmp_path: Path) -> None:
    many = "".join(script(f"t{i}", f"`Number ${{{i} + 1}}`") for i in range(300))
    write(tmp_path, {"x.tool.ts": script("b", "f(9)", TWICE) + script("d", "f(8)") + many})
    tools = read(tmp_path, "x.tool.ts").registry.tools
    assert all(tools[f"t{i}"].description == f"Number {i + 1}" for i in range(300))


def test_a_local_declaration_is_worked_out_once(tmp_path: Path) -> None:
    chain = "".join(
        f"const v{i + 1} = `${{v{i}.slice(0, 1)}}${{v{i}.slice(1)}}`; " for i in range(60)
    )
    made = f"const v0 = d; {chain} return {{ name: 'b', description: v35 }};"
    text = f"export function make(d) {{ {made} }}\nexport const b = make('Same.');"
    write(tmp_path, {"x.tool.ts": text})
    found = read(tmp_path, "x.tool.ts")
    assert (found.registry.tools["b"].description, found.problems) == ("Same.", ())


def test_a_list_of_endlessly_many_is_given_up(tmp_path: Path) -> None:
    write(tmp_path, {"x.tool.ts": f"{WIDE} export const most = [{'all,' * 9_000}];"})
    started = time.process_time()
    found = read(tmp_path, "x.tool.ts")
    assert time.process_time() - started < 5
    assert found.problems
    assert {problem.file for problem in found.problems} == {"x.tool.ts"}


def test_it_ends_when_nobody_waits_any_more(tmp_path: Path) -> None:
    calls = "".join(script(f"t{i}", f"f({i})", "") for i in range(200))
    write(tmp_path, {"x.tool.ts": f"{TWICE}{calls}"})
    reader = RegistryReader()
    reader.close()
    assert not reader.read(tmp_path, [FoundSource("auto", "x.tool.ts")]).registry.tools
    assert Budget(lambda: True).is_spent
    assert not Budget(lambda: False).is_spent
