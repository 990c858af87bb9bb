"""Evaluators written for EvalStudio run as they are, where Node is there."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from evaltui.core.case_body import EvaluatorUse
from evaltui.evaluators.evaluator_check import evaluator_stage
from evaltui.judging.run_plan import run_plan
from tests.evaluators.loaded import load, loading, write
from tests.evaluators.seen import answered, verdict_by

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
GREETING = """
import { defineEvaluator, getMessageContentAsString } from "@evalstudio/core";
export default defineEvaluator({
  type: "greeting-check",
  label: "Greeting Check",
  description: "Looks for a greeting",
  kind: "assertion",
  configSchema: { type: "object", properties: { greetings: { type: "array" } } },
  async evaluate(ctx) {
    console.log("looking");
    const words = ctx.config.greetings ?? ["hello"];
    const first = ctx.lastInvocation.messages.find((message) => message.role === "assistant");
    const text = getMessageContentAsString(first.content).toLowerCase();
    const found = words.find((word) => text.includes(word));
    return found
      ? { success: true, reason: `Found greeting: "${found}"` }
      : { success: false, reason: `Expected one of: ${words.join(", ")}` };
  },
});
"""
BAD = """
const one = (type, evaluate) => ({ type, label: type, kind: "assertion", evaluate });
export default { evaluators: [
  one("throws", async () => { throw new Error("no table"); }),
  one("exits", () => process.exit(3)),
  one("no-number", () => ({ success: true, reason: "", value: NaN })),
  { ...one("nothing", () => undefined), auto: true },
] };
"""


@needs_node
async def test_one_of_evalstudio_judges_without_its_package(tmp_path: Path) -> None:
    write(tmp_path, "dist/greeting.mjs", GREETING)
    heard: list[str] = []
    async with loading() as loader:
        loader.on_print = lambda _, text: heard.append(text)
        loaded = load(tmp_path, "./dist/greeting.mjs", loader=loader)
        assert loaded.problems == ()
        known = loaded.registry
        held = await verdict_by("greeting-check", {}, answered("Hello!"), known)
        config = {"greetings": ["hey", "hi"]}
        broken = await verdict_by("greeting-check", config, answered("Hello!"), known)
    assert (held.status.value, held.reason) == ("passed", 'Found greeting: "hello"')
    assert (broken.status.value, broken.reason) == ("failed", "Expected one of: hey, hi")
    assert heard == ["greeting-check: looking"] * 2


@needs_node
@pytest.mark.parametrize(
    "named",
    [
        'export const another = defineEvaluator(one("second"));',
        'export const evaluators = [one("second")];',
        'const listed = [one("second")]; export { listed as evaluators };',
    ],
    ids=["one", "a list", "a list under another name"],
)
async def test_a_named_export_beside_the_default_one_counts(tmp_path: Path, named: str) -> None:
    head = """
    import { defineEvaluator } from "@evalstudio/core";
    const evaluate = () => ({ success: true, reason: "" });
    const one = (type) => ({ type, label: type, kind: "metric", evaluate });
    const first = defineEvaluator(one("first"));
    export default first;
    export { first };
    """
    write(tmp_path, "both.mjs", head + named)
    async with loading() as loader:
        loaded = load(tmp_path, "./both.mjs", loader=loader)
        assert loaded.problems == ()
        assert [loaded.registry.get(one) is not None for one in ("first", "second")] == [True] * 2


@needs_node
async def test_a_context_has_the_keys_of_evalstudio_also_without_a_persona(tmp_path: Path) -> None:
    head = """
    const evaluate = (ctx) => ({ success: true, reason: Object.keys(ctx).sort().join(" ") });
    export default { evaluators: [{ type: "keys", label: "Keys", kind: "assertion", evaluate }] };
    """
    write(tmp_path, "keys.mjs", head)
    async with loading() as loader:
        known = load(tmp_path, "./keys.mjs", loader=loader).registry
        said = (await verdict_by("keys", {}, answered("Hello!"), known)).reason
    assert said == "config isFinal lastInvocation messages persona scenario turn"


@needs_node
async def test_what_breaks_there_costs_its_own_verdict(tmp_path: Path) -> None:
    write(tmp_path, "bad.mjs", BAD)
    async with loading() as loader:
        known = load(tmp_path, "./bad.mjs", loader=loader).registry
        assert known.auto == ("nothing",)
        said = {
            type_: (await verdict_by(type_, registry=known)).reason
            for type_ in ("throws", "exits", "no-number", "nothing")
        }
    assert said == {
        "throws": "Evaluator error: no table",
        "exits": "Evaluator error: it called process.exit(3)",
        "no-number": "Evaluator error: `value` is `NaN` instead of a number",
        "nothing": "Evaluator error: it returned nothing; "
        "return `{ success, reason }`, where wanted with `value` and `metadata`",
    }


UNWRITABLE = """
const circle = {};
circle.again = circle;
let deep = {};
for (let at = 0; at < 100000; at++) deep = { deep };
let asked = 0;
const one = (type, result) => ({ type, label: type, kind: "assertion", evaluate: () => {
  asked += 1;
  return Object.assign(result, { success: true, reason: `asked ${asked} times` });
} });
export default { evaluators: [
  one("big", { value: 10n }),
  one("circle", { metadata: circle }),
  one("deep", { metadata: deep }),
  one("throws", { metadata: { get size() { throw new Error("no size\\nat all"); } } }),
  one("fine", {}),
] };
"""


@needs_node
async def test_a_result_that_is_no_json_is_told_and_the_process_goes_on(tmp_path: Path) -> None:
    write(tmp_path, "unwritable.mjs", UNWRITABLE)
    said: dict[str, str] = {}
    async with loading() as loader:
        known = load(tmp_path, "./unwritable.mjs", loader=loader).registry
        for type_ in ("big", "circle", "deep", "throws", "fine"):
            said[type_] = (await verdict_by(type_, registry=known)).reason
    cannot = "Evaluator error: its result cannot be written as JSON"
    assert said == {
        "big": f"{cannot} (Do not know how to serialize a BigInt)",
        "circle": f"{cannot} (Converting circular structure to JSON)",
        "deep": f"{cannot} (Maximum call stack size exceeded)",
        "throws": f"{cannot} (no size)",
        "fine": "asked 5 times",
    }


PUSHES = """
const evaluate = async ({ messages }) => {
  messages.push({ role: "user", content: "more" });
  return { success: true, reason: String(messages.length) };
};
const one = (type) => ({ type, label: type, kind: "assertion", evaluate });
export const evaluators = [one("first"), one("second")];
"""


TOGETHER = """
const met = {};
for (const name of ["ann", "bob"]) {
  met[name] = {};
  met[name].there = new Promise((resolve) => { met[name].come = resolve; });
}
const one = (type, evaluate) => ({ type, label: type, kind: "assertion", evaluate });
const meets = (own, other) => one(own, async () => {
  console.log(`I am ${own}`);
  met[own].come();
  await met[other].there;
  return { success: true, reason: own };
});
export default { evaluators: [
  meets("ann", "bob"),
  one("plain", () => ({ success: true, reason: "plain" })),
  meets("bob", "ann"),
  one("throws", async () => { throw new Error("no table"); }),
  one("waits", async () => { await new Promise(() => {}); }),
  one("ends", async () => { process.kill(process.pid, "SIGKILL"); }),
] };
"""


@needs_node
async def test_those_that_are_awaited_wait_at_the_same_time(tmp_path: Path) -> None:
    """Each of two waits for the other: one after the other they would wait for ever."""
    write(tmp_path, "mine.mjs", TOGETHER)
    heard: list[str] = []
    async with loading() as loader:
        loader.on_print = lambda _, text: heard.append(text)
        entry = {"name": "./mine.mjs", "timeout_s": 2.0}
        known = load(tmp_path, entry, loader=loader).registry
        uses = tuple(map(EvaluatorUse, ("plain", "ann", "throws", "bob")))
        said = await run_plan((evaluator_stage(uses, known),), answered())
        assert [one.reason for one in said] == ["plain", "ann", "Evaluator error: no table", "bob"]
        assert sorted(heard) == ["ann: I am ann", "bob: I am bob"]


@pytest.mark.slow
@needs_node
async def test_one_that_breaks_beside_others_costs_its_own_verdict(tmp_path: Path) -> None:
    write(tmp_path, "mine.mjs", TOGETHER)
    async with loading() as loader:
        entry = {"name": "./mine.mjs", "timeout_s": 0.5}
        known = load(tmp_path, entry, loader=loader).registry
        uses = tuple(map(EvaluatorUse, ("throws", "waits", "plain", "ends")))
        said = await run_plan((evaluator_stage(uses, known),), answered())
    throws, waits, plain, ends = [one.reason for one in said]
    assert (throws, plain) == ("Evaluator error: no table", "plain")
    assert waits == "Evaluator error: timed out after 0.5 s"
    assert "SIGKILL" in ends


@needs_node
async def test_a_named_export_loads_and_may_change_what_it_is_handed(tmp_path: Path) -> None:
    """As in EvalStudio."""
    write(tmp_path, "pushes.mjs", PUSHES)
    async with loading() as loader:
        loaded = load(tmp_path, "./pushes.mjs", loader=loader)
        assert loaded.problems == ()
        said = [
            (await verdict_by(type_, registry=loaded.registry)).reason
            for type_ in ("first", "second")
        ]
    assert len(set(said)) == 1
    assert int(said[0]) > 1


@needs_node
@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ('import { createProject } from "@evalstudio/core"; export default createProject;', True),
        *(
            pytest.param(*row, marks=pytest.mark.slow)
            for row in (
                ('import core from "@evalstudio/core"; export default core;', True),
                ('import { x } from "@evalstudio/core/plugins"; export default x;', True),
                ('import { x } from "another-core"; export default x;', False),
            )
        ),
    ],
)
def test_an_import_that_needs_the_package_is_told(text: str, is_told: bool, tmp_path: Path) -> None:
    write(tmp_path, "a.mjs", text)
    ((_, problem),) = load(tmp_path, "./a.mjs").problems
    assert ("run `npm install @evalstudio/core`" in problem.what) is is_told


OWN_TEXT = "export const getMessageContentAsString = () => 'HELLO, by its own';"
OWN_DEFINE = (
    "export const defineEvaluator = (one) =>"
    " ({ evaluators: [{ ...one, label: 'Its own' }] });"
    "export const createProject = 1; export default 'its default';"
)


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize(
    ("package", "label", "is_found"),
    [
        (OWN_DEFINE, "Its own", False),
        (OWN_TEXT, "Greeting Check", True),
        (OWN_DEFINE + OWN_TEXT, "Its own", True),
    ],
)
async def test_what_the_installed_package_lacks_is_filled_in(
    package: str, label: str, is_found: bool, tmp_path: Path
) -> None:
    installed = "node_modules/@evalstudio/core"
    manifest = {"name": "@evalstudio/core", "type": "module", "exports": {"import": "./index.js"}}
    write(tmp_path, f"{installed}/package.json", json.dumps(manifest))
    write(tmp_path, f"{installed}/index.js", package)
    write(tmp_path, "mine.mjs", GREETING)
    async with loading() as loader:
        known = load(tmp_path, "./mine.mjs", loader=loader).registry
        definition = known.get("greeting-check")
        assert definition is not None
        assert definition.label == label
        said = await verdict_by("greeting-check", None, answered("Good day"), known)
    assert ("Found greeting" in said.reason) is is_found


@needs_node
def test_all_else_of_the_installed_package_stays(tmp_path: Path) -> None:
    installed = "node_modules/@evalstudio/core"
    write(tmp_path, f"{installed}/package.json", '{"type": "module", "exports": "./index.js"}')
    write(tmp_path, f"{installed}/index.js", OWN_DEFINE)
    asks = 'import core, { createProject } from "@evalstudio/core"; throw core + createProject;'
    write(tmp_path, "a.mjs", asks)
    write(tmp_path, "b.mjs", 'import { notThere } from "@evalstudio/core"; export default notThere')
    found = [problem.what for _, problem in load(tmp_path, "./a.mjs", "./b.mjs").problems]
    assert "its default1" in found[0]
    assert "does not provide an export named 'notThere'" in found[1]
    assert "npm install" not in found[1], "it is installed"


@needs_node
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("const x = 1;\nthrow new Error('no table');", 2),
        ("throw new Error('file://else.where/x:9');", 1),
        ("\nthrow new Error('none at http://localhost:8080');", 2),
        ("const x = 1;\nexport const y = ;", 2),
        ("\nimport { nothing } from 'node:fs';", 2),
        ("export const x = 1;", 0),
    ],
)
def test_a_file_that_cannot_be_loaded_is_told_at_its_line(
    text: str, line: int, tmp_path: Path
) -> None:
    write(tmp_path, "a.mjs", text)
    ((_, problem),) = load(tmp_path, "./a.mjs").problems
    assert (problem.file, problem.line) == ("a.mjs", line)


@needs_node
def test_what_cannot_be_parsed_is_told_at_its_line_also_in_an_import(tmp_path: Path) -> None:
    write(tmp_path, "lib/prices.mjs", "export const x = 1;\n\nexport const y = (;")
    write(tmp_path, "lib/fine.mjs", "export const z = 1;")
    imports = "import './lib/prices.mjs';\nimport './lib/fine.mjs';\nexport default {};"
    write(tmp_path, "a.mjs", imports)
    write(tmp_path, "b.js", "const x = 1;\nconst y = ;")
    ((_, in_import), (_, in_common)) = load(tmp_path, "./a.mjs", "./b.js").problems
    assert (in_import.file, in_import.line) == ("lib/prices.mjs", 3)
    why = "SyntaxError: Unexpected token ';'"
    assert in_import.what.endswith(f"{why} ({Path('lib/prices.mjs')} line 3)")
    assert (in_common.file, in_common.line) == ("b.js", 2)
    assert in_common.what.endswith(f"{why} (b.js line 2)")


@needs_node
def test_a_wrong_export_is_told(tmp_path: Path) -> None:
    write(tmp_path, "a.mjs", "export const x = 1;")
    write(tmp_path, "b.mjs", "export default {")
    found = [problem.what for _, problem in load(tmp_path, "./a.mjs", "./b.mjs").problems]
    assert found[0].startswith('Evaluator plugin "./a.mjs" has an invalid export.')
    assert found[1].startswith('Evaluator plugin "./b.mjs" could not be loaded: SyntaxError')


def test_without_node_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    write(tmp_path, "a.mjs", GREETING)
    ((_, problem),) = load(tmp_path, "./a.mjs").problems
    assert problem.what.startswith('Evaluator plugin "./a.mjs" needs Node')
    assert problem.hint.startswith("Install Node")


ROUGH = """
import { execSync, spawn } from "node:child_process";
import fs from "node:fs";
const one = (type, evaluate) => ({ type, label: type, kind: "assertion", evaluate });
const well = (reason) => ({ success: true, reason });
export default { evaluators: [
  one("closes", () => { fs.closeSync(0); return well("closed"); }),
  one("closes-ours", () => { fs.closeSync(3); return well("closed"); }),
  one("tool", () => { execSync("echo linted", { stdio: "inherit" }); return well("linted"); }),
  one("late-tool", () => {
    spawn("sh", ["-c", "sleep 0.02; echo late"], { stdio: "inherit" });
    return well("begun");
  }),
  one("reads", () => well(`read ${fs.readFileSync(0, "utf8").length}`)),
  one("good", () => well("good")),
] };
"""


@needs_node
@pytest.mark.skipif(sys.platform == "win32", reason="has no /bin/sh")
@pytest.mark.slow
async def test_what_one_does_to_its_input_and_output_is_its_own(tmp_path: Path) -> None:
    write(tmp_path, "rough.mjs", ROUGH)
    wanted = {
        "tool": "linted", "late-tool": "begun", "reads": "read 0", "closes": "closed",
        "closes-ours": "it closed the pipe that evaluators are asked through",
    }  # fmt: skip
    async with loading() as loader:
        known = load(tmp_path, "./rough.mjs", loader=loader).registry
        for type_, reason in wanted.items():
            said = await verdict_by(type_, {}, answered(), known)
            after = await verdict_by("good", {}, answered(), known)
            assert reason in said.reason
            assert after.reason == "good"
            assert said.status.value == ("error" if type_ == "closes-ours" else "passed")
