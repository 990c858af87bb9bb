"""A wrong definition is told in the same words, whatever it is written in."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.errors import EVALUATOR_KEPT, EVALUATOR_NOT_LOADED
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from tests.evaluators.loaded import load, loading, write

GOOD = {"type": "mine", "label": "Mine", "kind": "assertion"}
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"type": " "}, '`type` of evaluator 1 is " ", no text'),
    ({"type": ["mine"]}, '`type` of evaluator 1 is ["mine"], no text'),
    ({"label": 5}, '`label` of "mine" is 5, no text'),
    ({"label": None}, '`label` of "mine" is missing: no text'),
    ({"kind": "gate"}, '`kind` of "mine" is "gate", not assertion or metric'),
    ({"kind": ["metric"]}, '`kind` of "mine" is ["metric"], not assertion or metric'),
    ({"description": 5}, '`description` of "mine" is 5, no text'),
    ({"configSchema": "object"}, '`configSchema` of "mine" is "object", no object'),
    ({"timeoutSeconds": "soon"}, '`timeoutSeconds` of "mine" is "soon", no number of seconds'),
    ({"timeoutSeconds": 0}, '`timeoutSeconds` of "mine" is 0, no number of seconds above 0'),
    ({"timeoutSeconds": True}, '`timeoutSeconds` of "mine" is true, no number of seconds'),
    ({"hard": "no"}, '`hard` of "mine" is "no", neither true nor false'),
    ({"auto": 1}, '`auto` of "mine" is 1, neither true nor false'),
    ({"label": 5, "auto": 1}, '`label` of "mine" is 5, no text; `auto` of "mine" is 1'),
]
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
LANGUAGES = ["python", "command", pytest.param("node", marks=needs_node)]


def written(root: Path, language: str, *definitions: Any, name: str = "mine") -> Any:
    """The entry for these, written in a language."""
    text = json.dumps(definitions)
    if language == "command":
        say = f"import json\nprint(json.dumps({{'evaluators': json.loads({text!r})}}))\n"
        write(root, f"{name}.py", say)
        return {"command": (sys.executable, f"{name}.py"), "mode": "oneshot", "timeout_s": 7.0}
    if language == "node":
        evaluate = 'evaluate: () => ({ success: true, reason: "well" })'
        each = f'typeof one === "object" ? {{ {evaluate}, ...one }} : one'
        write(root, f"{name}.mjs", f"export default {{ evaluators: {text}.map((one) => {each}) }}")
        return f"./{name}.mjs"
    judge = "judge = lambda ctx: {'success': True, 'reason': 'well'}\n"
    each = "{'evaluate': judge, **one} if isinstance(one, dict) else one"
    listed = f"[{each} for one in json.loads({text!r})]"
    write(root, f"{name}.py", f"import json\n{judge}evaluators = {listed}\n")
    return f"./{name}.py"


def hints_of(loaded: LoadedEvaluators) -> list[str]:
    assert all("has an invalid export" in problem.what for _, problem in loaded.problems)
    return [problem.hint for _, problem in loaded.problems]


def in_words_of(language: str, why: str) -> str:
    """As whoever wrote it calls the keys."""
    if language != "python":
        return why
    return why.replace("`timeoutSeconds`", "`timeout`").replace("`configSchema`", "`config_schema`")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.slow
def test_what_is_wrong_is_told_with_what_to_do(tmp_path: Path, language: str) -> None:
    entries = [
        written(tmp_path, language, {**GOOD, **wrong}, name=f"wrong_{number}")
        for number, (wrong, _) in enumerate(WRONG)
    ]
    todo = {"python": "@define_evaluator", "command": '{"op": "describe"}', "node": "it there."}
    for hint, (_, why) in zip(hints_of(load(tmp_path, *entries)), WRONG, strict=True):
        assert in_words_of(language, why) in hint
        assert todo[language] in hint


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_is_in_force(tmp_path: Path, language: str) -> None:
    said = {"timeoutSeconds": 2.5, "hard": False, "auto": True, "description": "Looks"}
    schema = {"configSchema": {"type": "object"}}
    plain = {**GOOD, "type": "plain"}
    loaded = load(tmp_path, written(tmp_path, language, {**GOOD, **said, **schema}, plain))
    assert loaded.problems == ()
    one, other = (loaded.registry.get(type_) for type_ in ("mine", "plain"))
    assert one is not None
    assert other is not None
    assert (one.timeout, one.hard, one.auto) == (2.5, False, True)
    assert (one.description, one.config_schema) == ("Looks", {"type": "object"})
    limit = 7.0 if language == "command" else 30.0
    assert (other.timeout, other.hard, other.auto, other.description) == (limit, True, False, None)


def test_what_is_no_object_is_none(tmp_path: Path) -> None:
    entries = [written(tmp_path, "command", GOOD, 5), written(tmp_path, "command", name="none")]
    number, none = hints_of(load(tmp_path, *entries))
    assert number.startswith("Evaluator 2 is 5, no evaluator. ")
    assert "is empty" in none


@needs_node
def test_a_number_that_is_none_is_no_limit_in_javascript(tmp_path: Path) -> None:
    text = 'type: "mine", label: "Mine", kind: "metric", evaluate: () => 0, timeoutSeconds: NaN'
    write(tmp_path, "mine.mjs", f"export default {{ evaluators: [{{ {text} }}] }};\n")
    (hint,) = hints_of(load(tmp_path, "./mine.mjs"))
    assert '`timeoutSeconds` of "mine" is "NaN", no number' in hint


async def test_a_definition_that_becomes_wrong_is_told_at_its_file_and_the_last_stays(
    tmp_path: Path,
) -> None:
    wrong = {**GOOD, "hard": "no"}
    ((_, problem),) = load(tmp_path, written(tmp_path, "python", wrong)).problems
    assert (problem.file, problem.code) == ("mine.py", EVALUATOR_NOT_LOADED)
    async with loading() as loader:
        written(tmp_path, "python", GOOD)
        assert load(tmp_path, "./mine.py", loader=loader).problems == ()
        written(tmp_path, "python", wrong)
        loaded = load(tmp_path, "./mine.py", loader=loader)
    ((_, problem),) = loaded.problems
    assert (problem.file, problem.code) == ("mine.py", EVALUATOR_KEPT)
    assert "stays in use" in problem.hint
    assert loaded.registry.get("mine") is not None
