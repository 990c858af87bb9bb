"""What entries of the setting can be, and the words for those that cannot be loaded."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.config import Config, EvaluatorSource
from evaltui.core.errors import Problem
from evaltui.core.permit import EVERYTHING
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from evaltui.evaluators.loading import EvaluatorLoader
from evaltui.evaluators.plugin_entry import PluginEntry, entries_of
from evaltui.evaluators.registry import OF_EVALSTUDIO
from tests.evaluators.loaded import evaluator, load, loading, write
from tests.evaluators.seen import verdict_by

GOOD = evaluator("return passed('well')")


def only(loaded: LoadedEvaluators) -> Problem:
    ((_, problem),) = loaded.problems
    return problem


async def test_the_projects_own_interpreter_runs_its_evaluators(tmp_path: Path) -> None:
    python = write(tmp_path, ".venv/bin/python", f'#!/bin/sh\nOWN=1 exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    write(tmp_path, "mine.py", evaluator("import os\nreturn passed(os.environ.get('OWN', '0'))"))
    config = Config(tmp_path, evaluators=(EvaluatorSource("./mine.py"),))
    async with loading() as loader:
        loader.permit = EVERYTHING
        loaded = loader.load(entries_of(config))
        assert (await verdict_by("mine", registry=loaded.registry)).reason == "1"


async def test_defaults_of_its_schema_are_not_filled_into_its_settings(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"least": {"type": "integer", "default": 3}}}
    write(
        tmp_path, "mine.py", evaluator("return passed(str(dict(ctx.config)))", config_schema=schema)
    )
    async with loading() as loader:
        known = load(tmp_path, "./mine.py", loader=loader).registry
        said = [await verdict_by("mine", config, registry=known) for config in ({}, {"least": 4})]
    assert [one.reason for one in said] == ["{}", "{'least': 4}"]


def test_a_file_that_is_not_there_is_told_in_the_words_of_the_contract(tmp_path: Path) -> None:
    problem = only(load(tmp_path, "./dist/foo.js"))
    assert problem.what == (
        'Evaluator plugin "./dist/foo.js" not found. Make sure you\'ve built your project.'
    )
    assert problem.hint == f"Looked in: {tmp_path / 'dist/foo.js'}"
    problem = only(load(tmp_path, "no_such_module"))
    assert problem.what.startswith('Evaluator plugin "no_such_module" not found.')
    write(tmp_path, "mine.py", GOOD)
    assert "write `./mine.py`" in only(load(tmp_path, "mine.py")).hint


WRONG = {
    "x = 1": "It defines no evaluator",
    "evaluators = 5": "`evaluators` is int, not a list",
    "evaluators = []": "`evaluators` is empty",
    "evaluators = [5]": "Evaluator 1 is int",
    "evaluators = [{'type': 'a', 'label': 'A', 'kind': 'metric'}]": "is not a function",
    GOOD + "evaluators = {'evaluators': [None]}": "Evaluator 1 is NoneType",
}


def test_a_wrong_export_is_told_in_the_words_of_the_contract(tmp_path: Path) -> None:
    for number, text in enumerate(WRONG):
        write(tmp_path, f"mine_{number}.py", text)
    names = [f"./mine_{number}.py" for number in range(len(WRONG))]
    found = load(tmp_path, *names).problems
    assert [problem.what for _, problem in found] == [
        f'Evaluator plugin "{name}" has an invalid export. '
        "Use defineEvaluator() to create the export."
        for name in names
    ]
    for (_, problem), why in zip(found, WRONG.values(), strict=True):
        assert why in problem.hint
        assert "@define_evaluator" in problem.hint


def test_what_is_no_language_of_evaluators_is_told_with_what_to_do(tmp_path: Path) -> None:
    for name in ("mine.ts", "mine.rb"):
        write(tmp_path, name, "")
    found = [problem.hint for _, problem in load(tmp_path, "./mine.ts", "./mine.rb").problems]
    assert "build it, and name the JavaScript file" in found[0]
    assert "neither Python nor JavaScript" in found[1]


BREAKS = {
    "def f(:\n": "SyntaxError",
    "import no_such_package": "ModuleNotFoundError: No module named 'no_such_package'",
    "raise ValueError('no table')": "ValueError: no table (mine_2.py line 1",
    "import sys\nsys.exit(3)": "sys.exit(3)",
    "import os\nos._exit(3)": "exit code 3",
}


def test_a_file_that_breaks_is_not_called_missing(tmp_path: Path) -> None:
    for number, text in enumerate(BREAKS):
        write(tmp_path, f"mine_{number}.py", text)
    found = load(tmp_path, *(f"./mine_{number}.py" for number in range(len(BREAKS)))).problems
    for number, ((_, problem), why) in enumerate(zip(found, BREAKS.values(), strict=True)):
        start = f'Evaluator plugin "./mine_{number}.py" could not be loaded: '
        assert problem.what.startswith(start)
        assert why in problem.what


PLACES = {
    "x = 1\ndef f(:\n": ("mine.py", 2),
    "x = 1\n\nraise ValueError('no table')\n": ("mine.py", 3),
    "from helper import gone\n": ("mine.py", 1),
    "import broken\n": ("lib/broken.py", 2),
    "x = 1\n": ("mine.py", 0),
    f"x = 1\n{GOOD}" + evaluator("pass", "bad", hard="no"): ("mine.py", 7),
    "from helper import bad\nevaluators = [bad]\n": ("helper.py", 2),
}


@pytest.mark.parametrize("text", PLACES)
async def test_a_file_that_cannot_be_loaded_is_told_at_its_line(tmp_path: Path, text: str) -> None:
    file, line = PLACES[text]
    write(tmp_path, "lib/helper.py", evaluator("pass", "bad", auto=1))
    write(tmp_path, "lib/broken.py", "\n1 +\n")
    path = write(tmp_path, "lib/mine.py", text)
    wanted = (f"lib/{file}" if "/" not in file else file, line)
    problem = only(load(tmp_path, "./lib/mine.py"))
    assert (problem.file, problem.line, problem.code) == (*wanted, "evaluator-load")
    path.write_text(GOOD)
    async with loading() as loader:
        assert load(tmp_path, "./lib/mine.py", loader=loader).problems == ()
        path.write_text(text)
        problem = only(load(tmp_path, "./lib/mine.py", loader=loader))
    assert (problem.file, problem.line, problem.code) == (*wanted, "evaluator-kept")


LIST = GOOD + "evaluators = [mine]\n"
EXPORTS: dict[str, str] = {
    "a definition": GOOD,
    "a list": LIST,
    "an object": GOOD + "evaluators = {'evaluators': [mine]}\n",
    "a mapping": (
        "evaluators = [{'type': 'mine', 'label': 'Mine', 'kind': 'assertion', 'evaluate':"
        " lambda ctx: {'success': True, 'reason': 'well'}}]\n"
    ),
    "imported ones beside its own": GOOD + "from other import other\n",
}


async def test_what_is_exported_is_found_and_judges(tmp_path: Path) -> None:
    write(tmp_path, "other.py", evaluator("return failed('no')", "other"))
    names: dict[str, str] = {}
    for number, text in enumerate(EXPORTS.values()):
        write(tmp_path, f"mine_{number}.py", text.replace("mine", f"mine_{number}"))
        names[f"./mine_{number}.py"] = f"mine_{number}"
    async with loading() as loader:
        loaded = load(tmp_path, *names, loader=loader)
        assert loaded.problems == ()
        own = [one.definition.type for one in loaded.registry if not one.is_built_in]
        assert own == [*names.values()]
        said = await asyncio.gather(
            *(verdict_by(t, registry=loaded.registry) for t in names.values())
        )
        assert [one.reason for one in said] == ["well"] * len(names)


async def test_a_module_and_an_entry_point_go_by_their_names(tmp_path: Path) -> None:
    write(tmp_path, "checks/__init__.py", GOOD)
    info = tmp_path / "given-1.0.dist-info"
    write(tmp_path, "given_ones.py", evaluator("return passed('given')", "given"))
    write(info, "METADATA", "Metadata-Version: 2.1\nName: given\nVersion: 1.0\n")
    write(info, "entry_points.txt", "[evaltui.evaluators]\nthe-given = given_ones\n")
    async with loading() as loader:
        registry = load(tmp_path, "checks", "the-given", loader=loader).registry
        assert (await verdict_by("mine", registry=registry)).reason == "well"
        assert (await verdict_by("given", registry=registry)).reason == "given"


def test_types_that_are_taken_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.py", GOOD)
    write(tmp_path, "b.py", GOOD)
    write(tmp_path, "c.py", evaluator("return passed('')", "regex"))
    loaded = load(tmp_path, "./a.py", "./b.py", "./c.py")
    assert [(entry.text, one.what) for entry, one in loaded.problems] == [
        ("./b.py", 'Evaluator type "mine" is already registered.'),
        ("./c.py", 'Evaluator type "regex" is already registered. '
            "Custom evaluators cannot override built-in types."),
    ]  # fmt: skip
    assert loaded.is_complete


async def test_one_of_a_workspace_takes_the_place_of_one_that_evalstudio_does_not_know(
    tmp_path: Path,
) -> None:
    write(tmp_path, "a.py", evaluator("return passed('mine')", "regex"))
    text = evaluator("return passed('')", "usage")
    write(tmp_path, "b.py", text.replace("'usage'", "'token-usage'"))
    write(tmp_path, "c.py", evaluator("return passed('')", "regex"))
    async with loading() as loader:
        loaded = load(tmp_path, "./a.py", "./b.py", "./c.py", loader=loader, kept=OF_EVALSTUDIO)
        assert [(entry.text, one.what) for entry, one in loaded.problems] == [
            ("./b.py", 'Evaluator type "token-usage" is already registered. '
                "Custom evaluators cannot override built-in types."),
            ("./c.py", 'Evaluator type "regex" is already registered.'),
        ]  # fmt: skip
        assert (await verdict_by("regex", registry=loaded.registry)).reason == "mine"


async def test_a_broken_schema_leaves_its_evaluator_out(tmp_path: Path) -> None:
    write(tmp_path, "a.py", evaluator("pass", config_schema={"type": "objekt"}))
    loaded = load(tmp_path, "./a.py")
    assert "is not a JSON Schema" in only(loaded).what
    assert loaded.registry.get("mine") is None
    assert not loaded.is_complete
    said = (await verdict_by("mine", registry=loaded.registry)).reason
    assert "could not be loaded; see the problems" in said


async def test_the_last_good_one_stays_until_another_can_be_loaded(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.py", GOOD)
    async with loading() as loader:
        first = load(tmp_path, "./mine.py", loader=loader)
        path.write_text("def f(:\n")
        broken = load(tmp_path, "./mine.py", loader=loader)
        assert "stays in use" in only(broken).hint
        before, now = first.registry.registered("mine"), broken.registry.registered("mine")
        assert before is not None
        assert now is not None
        assert now.fingerprint == before.fingerprint
        # Its child was not started yet: it runs what was read then, not what the file says now.
        assert (await verdict_by("mine", registry=broken.registry)).reason == "well"
        path.write_text(GOOD.replace("well", "good"))
        mended = load(tmp_path, "./mine.py", loader=loader)
        assert mended.problems == ()
        assert (await verdict_by("mine", registry=mended.registry)).reason == "good"
        # Whoever judges by the earlier registry still does.
        assert (await verdict_by("mine", registry=first.registry)).reason == "well"


async def test_a_save_within_the_same_second_counts(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.py", "from table import WORD\n" + GOOD.replace("'well'", "WORD"))
    async with loading() as loader:
        for word in ("aaaa", "bbbb", "cccc"):
            write(tmp_path, "table.py", f"WORD = '{word}'\n")
            registry = load(tmp_path, "./mine.py", loader=loader).registry
            assert (await verdict_by("mine", registry=registry)).reason == word
    assert path.exists()


PROGRAM = """
import json, sys
asked = json.loads(sys.stdin.readline() if "jsonl" in sys.argv else sys.stdin.read())
while asked:
    if asked["op"] == "describe":
        said = {"evaluators": [{"type": "theirs", "label": "Theirs", "kind": "assertion"}]}
    else:
        config = asked["context"]["config"]
        said = {"passed": config["ok"], "reason": asked["type"], "score": 0.5}
    print(json.dumps(said), flush=True)
    line = sys.stdin.readline()
    asked = json.loads(line) if line else None
"""


@pytest.mark.parametrize("mode", ["oneshot", "jsonl"])
async def test_a_command_keeps_to_its_contract(tmp_path: Path, mode: str) -> None:
    write(tmp_path, "theirs.py", PROGRAM)
    entry: dict[str, Any] = {"command": (sys.executable, "theirs.py", mode), "mode": mode}
    async with loading() as loader:
        loaded = load(tmp_path, entry, loader=loader)
        assert loaded.problems == ()
        for is_ok in (True, False):
            verdict = await verdict_by("theirs", {"ok": is_ok}, registry=loaded.registry)
            assert (verdict.status.value, verdict.value) == ("passed" if is_ok else "failed", 0.5)
        broken = await verdict_by("theirs", {}, registry=loaded.registry)
        assert broken.reason.startswith("Evaluator error: ")
        assert "KeyError" in broken.reason


def test_nothing_is_loaded_that_nobody_agreed_to(tmp_path: Path) -> None:
    write(tmp_path, "mine.py", "open('ran', 'w')\n" + GOOD)
    loader = EvaluatorLoader()
    loaded = loader.load([PluginEntry(EvaluatorSource("./mine.py"), tmp_path)])
    assert not loaded.is_complete
    assert loaded.registry.get("mine") is None
    assert not (tmp_path / "ran").exists()
