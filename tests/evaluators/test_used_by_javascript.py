"""What an evaluator in JavaScript loads and reads is a part of it; what it writes is not."""

import shutil
from pathlib import Path

import pytest

from evaltui.core.result import CaseStatus
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from tests.evaluators.loaded import load, loading, write
from tests.evaluators.seen import verdict_by
from tests.session.running.test_rejudging import asked, statuses, watching
from tests.session.test_evaluators import judged

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")

TEXT = """
import { defineEvaluator } from "@evalstudio/core";
import fs, { readFileSync, existsSync, appendFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const here = (name) => new URL(name, import.meta.url);
%s
export default defineEvaluator({ type: "long-enough", label: "L", kind: "assertion",
  async evaluate() { %s; return { success: 12 >= least, reason: `at least ${least}` }; } });
"""
FIVE, MORE = "5", "500"
MODULE, MORE_OF_MODULE = "module.exports = 5", "module.exports = 500"
PACKAGE = {
    "node_modules/@a/b/package.json": '{"name": "@a/b", "exports": "./one.js"}',
    "node_modules/@a/b/one.js": MODULE,
    "node_modules/@a/b/two.js": MORE_OF_MODULE,
}
OF_PACKAGE = 'import imported from "@a/b"; const least = Number(imported);'
FORMS = {
    "a URL of two parts": (
        'const least = Number(readFileSync(here("./le" + "ast.txt")));',
        {"checks/least.txt": FIVE},
        ("checks/least.txt", MORE),
    ),
    "a URL below a URL": (
        'const l = new URL("least.json", here("./limits/"));\n'
        'const least = JSON.parse(readFileSync(l, "utf8"));',
        {"checks/limits/least.json": FIVE},
        ("checks/limits/least.json", MORE),
    ),
    "a promise": (
        'const least = Number(await readFile(here("./le" + "ast.txt")));',
        {"checks/least.txt": FIVE},
        ("checks/least.txt", MORE),
    ),
    "a method of fs": (
        'const least = Number(fs.readFileSync(here("./le" + "ast.txt")));',
        {"checks/least.txt": FIVE},
        ("checks/least.txt", MORE),
    ),
    "require in what is required": (
        'const least = require("./a.cjs");',
        {"checks/a.cjs": 'module.exports = require("./" + "b")', "checks/b.js": MODULE},
        ("checks/b.js", MORE_OF_MODULE),
    ),
    "a module with a name that is made up": (
        'const least = (await import("./l" + "east.mjs")).default;',
        {"checks/least.mjs": "export default 5"},
        ("checks/least.mjs", "export default 500"),
    ),
    "a file of a package": (OF_PACKAGE, PACKAGE, ("node_modules/@a/b/one.js", MORE_OF_MODULE)),
    "what a package stands for": (
        OF_PACKAGE,
        PACKAGE,
        ("node_modules/@a/b/package.json", '{"name": "@a/b", "exports": "./two.js"}'),
    ),
    "a file that is not there": (
        'const l = here("./le" + "ast.txt");\nconst least = existsSync(l) ? 500 : 5;',
        {},
        ("checks/least.txt", MORE),
    ),
    "a module that is not there": (
        'let least = 5;\ntry { least = (await import("./l" + "east.mjs")).default } catch {}',
        {},
        ("checks/least.mjs", "export default 500"),
    ),
}


def printed(known: LoadedEvaluators) -> str:
    one = known.registry.registered("long-enough")
    assert one is not None
    return one.fingerprint


@pytest.mark.parametrize(("head", "files", "edit"), FORMS.values(), ids=FORMS)
async def test_what_it_loads_and_reads_is_a_part_of_it(
    tmp_path: Path, head: str, files: dict[str, str], edit: tuple[str, str]
) -> None:
    write(tmp_path, "checks/length.mjs", TEXT % (head, ""))
    for name, text in files.items():
        write(tmp_path, name, text)
    async with loading() as loader:
        known = load(tmp_path, "./checks/length.mjs", loader=loader)
        assert tmp_path / edit[0] in (known.files if edit[0] in files else known.awaited)
        first = printed(known)
        assert (await verdict_by("long-enough", {}, registry=known.registry)).reason == "at least 5"
        write(tmp_path, *edit)
        known = load(tmp_path, "./checks/length.mjs", loader=loader)
        verdict = await verdict_by("long-enough", {}, registry=known.registry)
        assert verdict.reason == "at least 500"
    async with loading() as loader:
        assert printed(load(tmp_path, "./checks/length.mjs", loader=loader)) == printed(known)
    assert printed(known) != first


async def test_a_save_of_a_package_has_it_judged_again(tmp_path: Path) -> None:
    judged(tmp_path)
    settings = (tmp_path / "evaltui.toml").read_text().replace("length.py", "length.mjs")
    write(tmp_path, "evaltui.toml", f'evals = ["evals/*.json"]\n{settings}')
    head, files, edit = FORMS["a file of a package"]
    write(tmp_path, "checks/length.mjs", TEXT % (head, ""))
    for name, text in files.items():
        write(tmp_path, name, text)
    async with watching(tmp_path) as (session, ear):
        assert set(statuses(session)) == {CaseStatus.PASSED}
        write(tmp_path, *edit)
        await ear.until(lambda: bool(ear.runs()))
        assert set(statuses(session)) == {CaseStatus.FAILED}
    assert asked(tmp_path) == 5


async def test_what_it_is_made_of_is_the_same_each_time_and_below_the_project(
    tmp_path: Path,
) -> None:
    root = tmp_path / "real"
    for name in (".cache/a.txt", "seen.txt", "own.txt"):
        write(root, name, "")
    write(tmp_path, "outside.txt", "")
    (tmp_path / "link").symlink_to(root, target_is_directory=True)
    reads = "".join(
        f'readFileSync(here("../" + "{name}"));\n'
        for name in (".cache/a.txt", "seen.txt", "../outside.txt")
    )
    write(root, "checks/length.mjs", TEXT % (f"{OF_PACKAGE}\n{reads}", ""))
    for name, text in PACKAGE.items():
        write(root, name, text)
    prints = []
    for folder in (root, tmp_path / "link"):
        async with loading() as loader:
            known = load(folder, "./checks/length.mjs", loader=loader)
            assert {path.relative_to(folder).as_posix() for path in known.files} == {
                *("checks/length.mjs", "seen.txt"),
                *("node_modules/@a/b/one.js", "node_modules/@a/b/package.json"),
            }
            prints.append(printed(known))
    assert prints[0] == prints[1]


async def test_what_it_writes_is_no_part_of_it(tmp_path: Path) -> None:
    head = 'const least = 5, seen = here("./se" + "en.txt");\nreadFileSync(seen);'
    write(tmp_path, "checks/length.mjs", TEXT % (head, 'appendFileSync(seen, "x")'))
    seen = write(tmp_path, "checks/seen.txt", "")
    async with loading() as loader:
        known = load(tmp_path, "./checks/length.mjs", loader=loader)
        assert seen in known.files
        await verdict_by("long-enough", {}, registry=known.registry)
        assert seen.read_text() == "x"
        assert seen not in load(tmp_path, "./checks/length.mjs", loader=loader).files
