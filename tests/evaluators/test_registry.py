"""Registering, and the words for a type that is taken."""

import subprocess
import sys
from pathlib import Path

import pytest

import evaltui
from evaltui.core.errors import UserError
from evaltui.evaluators.kit import evaltui as kit
from evaltui.evaluators.registry import DuplicateTypeError, create_registry

FOLDER = Path(kit.__file__).parent.parent


def _own(type_: str, **options: object) -> kit.EvaluatorDefinition:
    return kit.EvaluatorDefinition(type_, "Mine", "assertion", lambda _: None, **options)  # type: ignore[arg-type]


def test_what_is_registered_is_found_and_listed_in_order() -> None:
    registry = create_registry()
    before = registry.list()
    assert before[0] == {
        "type": "tool-call-count",
        "label": "Tool Call Count",
        "description": "Counts tool calls in the agent's response. Requires a connector that"
        " returns tool_calls in messages (e.g. LangGraph).",
        "kind": "metric",
        "configSchema": {"type": "object", "properties": {}, "additionalProperties": False},
        "builtin": True,
    }
    own = _own("mine")
    registry.register(own, origin="./mine.py")
    assert registry.get("mine") is own
    assert registry.get("yours") is None
    said = {"type": "mine", "label": "Mine", "kind": "assertion", "builtin": False}
    assert registry.list() == [*before, said]
    registry.register(_own("always", auto=True), origin="./mine.py")
    assert registry.list()[-1] == {**said, "type": "always", "auto": True}


def test_a_type_that_is_taken_is_refused_in_the_words_of_the_contract() -> None:
    registry = create_registry()
    with pytest.raises(DuplicateTypeError) as built_in:
        registry.register(_own("tool-call-count"), origin="./mine.py")
    assert built_in.value.what == (
        'Evaluator type "tool-call-count" is already registered. '
        "Custom evaluators cannot override built-in types."
    )
    registry.register(_own("mine"), origin="./a.py")
    with pytest.raises(DuplicateTypeError) as own:
        registry.register(_own("mine"), origin="./b.py")
    assert own.value.what == 'Evaluator type "mine" is already registered.'
    assert "`./a.py` and `./b.py`" in own.value.hint


def test_what_a_program_registers_is_its_own_and_held_to_the_same() -> None:
    registry = create_registry()
    registry.register(_own("mine"))
    assert registry.list()[-1]["builtin"] is False
    with pytest.raises(DuplicateTypeError) as taken:
        registry.register(_own("mine"))
    assert taken.value.what == 'Evaluator type "mine" is already registered.'
    assert taken.value.hint == "Give yours another type."
    with pytest.raises(UserError, match="is not a JSON Schema"):
        registry.register(_own("yours", config_schema={"type": "objekt"}))
    with pytest.raises(UserError, match="is the name of a check"):
        registry.register(_own("toolsCalled"))


@pytest.mark.parametrize("type_", ["toolsCalled", "criteria", "timeout", "expect", "rubric/tone"])
def test_the_name_of_a_check_of_ours_is_refused(type_: str) -> None:
    registry = create_registry()
    with pytest.raises(UserError, match=f'"{type_}" is the name of a check') as refused:
        registry.register(_own(type_), origin="./mine.py")
    assert "`./mine.py`" in refused.value.hint
    assert registry.get(type_) is None


def test_a_schema_that_is_none_is_refused() -> None:
    with pytest.raises(UserError, match='configSchema of evaluator "mine" is not a JSON Schema'):
        create_registry().register(_own("mine", config_schema={"type": "objekt"}), origin="./a.py")


def test_the_kit_is_the_same_in_the_package_and_needs_nothing_else() -> None:
    for name in kit.__all__:
        assert getattr(evaltui, name) is getattr(kit, name)
    code = f"""
import sys
sys.path.insert(0, {str(FOLDER)!r})
before = set(sys.modules)
from evaltui import {", ".join(kit.__all__)}
others = {{name.partition(".")[0] for name in set(sys.modules) - before}} - {{"evaltui"}}
print(others - set(sys.stdlib_module_names))
"""
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert (done.stdout.strip(), done.stderr) == ("set()", "")


def test_another_name_is_no_name_of_the_package() -> None:
    with pytest.raises(AttributeError, match="define_evaluators"):
        evaltui.define_evaluators  # noqa: B018
