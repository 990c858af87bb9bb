"""Of an evaluator that is a program data it names belongs to it; where not all is known, any file
of the project may."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from evaltui.core.result import CaseStatus
from evaltui.core.staleness import EVALUATOR_FILES, Degree
from evaltui.session import Session
from tests.evaluators.loaded import write
from tests.session.running.test_rejudging import AGENT, asked, statuses, watching
from tests.session.test_evaluators import judged
from tests.session.test_session import all_keys, opened

PROGRAM = """
import json, sys
%s
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "describe":
        said = {"evaluators": [{"type": "long-enough", "label": "L", "kind": "assertion"}]}
    else:
        least = %s
        said = {"id": asked.get("id"), "success": 12 >= least, "reason": "at least %%s" %% least}
    print(json.dumps(said), flush=True)
"""
NAMED = PROGRAM % ("", 'json.load(open("checks/least.json"))')
MADE_UP = PROGRAM % ("import importlib", 'importlib.import_module("de" + "ep").LEAST')
WRITES = PROGRAM % ('SEEN = "seen.json"', 'open(SEEN, "a").write("x")')
NODE = """
const least = require("./least.json");
const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { op, id } = JSON.parse(line);
  const said = op === "describe"
    ? { evaluators: [{ type: "long-enough", label: "L", kind: "assertion" }] }
    : { id, success: 12 >= least, reason: `at least ${least}` };
  console.log(JSON.stringify(said));
});
"""


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")


def program(root: Path, code: str, name: str = "judge.py") -> Path:
    judged(root)
    settings = (root / "evaltui.toml").read_text()
    argv = ["node" if name.endswith(".cjs") else sys.executable, f"checks/{name}"]
    entry = f'{{command = {json.dumps(argv)}, mode = "jsonl"}}'
    settings = settings.replace('"./checks/length.py"', entry)
    # Eval files are looked for in their folder only, so that no other one is watched for them.
    write(root, "evaltui.toml", f'evals = ["evals/*.json"]\n{settings}')
    write(root, f"checks/{name}", code)
    return root


def due(session: Session) -> set[tuple[Degree, tuple[str, ...]]]:
    cases = session._queues.by_name[AGENT].due.cases
    return {(case.degree, case.reasons) for case in cases}


@pytest.mark.parametrize(
    ("code", "name"), [(NAMED, "judge.py"), pytest.param(NODE, "judge.cjs", marks=needs_node)]
)
async def test_data_that_its_code_names_is_a_part_of_it(
    tmp_path: Path, code: str, name: str
) -> None:
    root = program(tmp_path, code, name)
    write(root, "checks/least.json", "5")
    async with watching(root) as (session, ear):
        assert set(statuses(session)) == {CaseStatus.PASSED}
        write(root, "checks/least.json", "500")
        await ear.until(lambda: bool(ear.runs()))
        assert set(statuses(session)) == {CaseStatus.FAILED}
    assert asked(root) == 5


async def test_where_not_all_is_known_any_file_of_the_project_may_be_a_part(tmp_path: Path) -> None:
    root = program(tmp_path, MADE_UP)
    write(root, "checks/deep.py", "LEAST = 5")
    async with watching(root) as (session, ear):
        assert set(statuses(session)) == {CaseStatus.PASSED}
        write(root, "checks/deep.py", "LEAST = 500")
        await ear.until(lambda: due(session) == {(Degree.TO_JUDGE, (EVALUATOR_FILES,))})
        session.requests.rejudge(session.requests.due_keys(AGENT))
        await ear.until(lambda: bool(ear.runs()))
        assert len(ear.runs()) == 1, "it is judged again only since that was asked for"
        assert due(session) == set()
        assert set(statuses(session)) == {CaseStatus.FAILED}
    write(root, "checks/deep.py", "LEAST = 5")
    async with opened(root) as (session, _):
        assert due(session) == {(Degree.TO_JUDGE, (EVALUATOR_FILES,))}
        assert set(session.requests.due_keys(AGENT)) == {*all_keys(session)}
    assert asked(root) == 5


async def test_what_it_writes_itself_has_nothing_judged_again(tmp_path: Path) -> None:
    root = program(tmp_path, WRITES)
    write(root, "seen.json", "")
    async with watching(root) as (session, ear):
        assert set(statuses(session)) == {CaseStatus.PASSED}
        await ear.until(lambda: due(session) == {(Degree.TO_JUDGE, (EVALUATOR_FILES,))})
        write(root, "checks/judge.py", WRITES + "# other")
        await ear.until(lambda: bool(ear.runs()))
        assert len(ear.runs()) == 1
        assert (root / "seen.json").read_text() == "x" * 10
