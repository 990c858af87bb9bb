"""Options of models: every mistake is named before the first request."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.agents import make_agent
from evaltui.core.errors import UserError


def make(type_: str = "openai", root: Path | None = None, **options: Any) -> Any:
    return make_agent(type_, "mine", {"model": "m", **options}, root=root or Path())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": ""}, "`model`"),
        ({"modle": "x"}, "Did you mean `model`"),
        ({"temperature": "hot"}, "`temperature`"),
        ({"temperature": -1}, "`temperature`"),
        ({"temperature": float("nan")}, "`temperature`"),
        ({"temperature": True}, "`temperature`"),
        ({"max_tokens": 0}, "`max_tokens`"),
        ({"seed": 1.5}, "`seed`"),
        ({"stream": "yes"}, "`stream`"),
        ({"headers": {"a": 1}}, "In `headers`: `a`"),
        ({"extra": []}, "`extra`"),
        ({"tool_choice": 5}, "`tool_choice`"),
        ({"price": {"input": 1}}, "In `price`: `output` is missing"),
        ({"price": {"in": 1}}, "In `price`"),
        ({"api_key": "sk-abcdef"}, ".env"),
        ({"base_url": "ftp://x"}, "http://"),
        ({"system": "a", "system_file": "b"}, "both"),
        ({"system_file": "nowhere.md"}, "nowhere.md"),
        ({"retries": -1}, "`retries`"),
        ({"timeout": 0}, "`timeout`"),
    ],
)
def test_mistakes(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError) as caught:
        make(**options)
    assert words in str(caught.value)
    assert "sk-abcdef" not in str(caught.value)


def test_the_path_of_a_file_is_no_system_prompt(tmp_path: Path) -> None:
    (tmp_path / "system.md").write_text("Be kind.")
    with pytest.raises(UserError, match="system_file"):
        make(root=tmp_path, system="system.md")
    for text in ("Read system.md.", "x" * 5000, "a\0b", "system.md\n"):
        make(root=tmp_path, system=text)


def test_anthropic_knows_no_seed() -> None:
    with pytest.raises(UserError, match="seed"):
        make("anthropic", seed=1)


def test_the_fingerprint_follows_what_shapes_answers(tmp_path: Path) -> None:
    prompt = tmp_path / "system.md"
    prompt.write_text("Be kind.")
    usual = make(root=tmp_path, system_file="system.md").fingerprint
    same = [
        make(root=tmp_path, system="Be kind."),
        make(root=tmp_path, system_file="system.md", api_key="${OTHER}", retries=2, timeout=3),
        make(root=tmp_path, system_file="system.md", price={"input": 1, "output": 2}),
    ]
    assert {agent.fingerprint for agent in same} == {usual}
    assert make(root=tmp_path, system_file="system.md").files == {prompt}
    prompt.write_text("Be brief.")
    others = [
        make(root=tmp_path, system_file="system.md"),
        make(root=tmp_path, system="Be kind.", temperature=0),
        make(root=tmp_path, system="Be kind.", model="n"),
        make(root=tmp_path, system="Be kind.", extra={"reasoning_effort": "low"}),
        make("anthropic", root=tmp_path, system="Be kind."),
    ]
    assert len({agent.fingerprint for agent in others} | {usual}) == 6


def test_local_models_are_free_unless_priced() -> None:
    assert not make().traits.is_free
    assert make(base_url="http://localhost:11434/v1").traits.is_free
    assert not make(
        base_url="http://localhost:1/v1", price={"input": 1, "output": 1}
    ).traits.is_free
    assert not make(base_url="http://localhost:1/v1", is_free=False).traits.is_free
    assert make(is_free=True).traits.is_free


def test_names() -> None:
    assert make().name == "mine"
    assert make_agent("openai", "openai", {"model": "m"}, root=Path()).name == "openai/m"
