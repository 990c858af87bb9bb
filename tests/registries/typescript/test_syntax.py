"""What is said of a script that does not parse is true, and its place is the one."""

import pytest

from evaltui.registries.typescript.syntax import parse_script, syntax_problem

DOUBLED = """export default {
  name: "x",
  schema: z.object({{
    city: z.string().describe("City"),
  }),
};
"""


@pytest.mark.parametrize(
    ("script", "place", "what"),
    [
        (DOUBLED, "3:21", "unexpected `{`"),
        ("const s = z.object({{ city: z.string() });\n", "1:21", "unexpected `{`"),
        ("const é = z.object({\n  { city: 1 } });\n", "2:3", "unexpected `{`"),
        ("const a = (1 + 2;\n", "1:17", "`)` is missing"),
        ("const a = [1, 2;\nconst b = 3;\n", "1:16", "`]` is missing"),
        ('const a = {name: "x" description: "y"};\n', "1:18", 'does not parse from `"x" descr'),
        ("const a = b c;\n", "1:13", "does not parse from `c` on"),
    ],
)
def test_the_first_mistake_is_told(script: str, place: str, what: str) -> None:
    data = script.encode()
    problem = syntax_problem(parse_script(data, "a.ts").root_node, data, "a.ts")
    assert problem is not None
    assert problem.place == f"a.ts:{place}"
    assert problem.what.startswith(what)


@pytest.mark.parametrize(("name", "is_said"), [("a.js", True), ("a.mjs", True), ("a.ts", False)])
def test_javascript_that_typescript_does_not_know_may_be_valid(name: str, is_said: bool) -> None:
    data = b"class as {}\nnew as({b(){return 1}})"
    problem = syntax_problem(parse_script(data, name).root_node, data, name)
    assert problem is not None
    assert ("If it runs anyway" in problem.hint) is is_said


def test_deep_nesting_in_a_broken_script_is_borne() -> None:
    data = b"const a = (" + b"[" * 20_000 + b" {{"
    assert syntax_problem(parse_script(data, "a.ts").root_node, data, "a.ts") is not None
