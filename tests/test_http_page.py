"""The page about HTTP agents names every option, text and path that the agent knows."""

import json
import re
from pathlib import Path

from evaltui.agents.http.answer_mapping import CONTRACT_MAPPING, AnswerMapping, read_answer
from evaltui.agents.http.event_stream import StreamMapping
from evaltui.agents.http.http_options import read_options
from evaltui.agents.http.request_template import VALUES
from evaltui.agents.profiles.http import HttpProfile
from evaltui.settings.load import load_config

METHODS = ("POST", "PUT", "PATCH", "GET")
ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "guide" / "http-agents.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (`.+?) \|", PAGE, re.MULTILINE)
NAMED = {name for row in ROWS for name in re.findall(r"`([^`]+)`", row)}


def test_every_option_and_text_has_a_row() -> None:
    rules = set(StreamMapping.__struct_fields__)
    assert {*HttpProfile.model_fields, *VALUES, *rules} == NAMED


def test_every_path_and_method_is_named() -> None:
    of_text = {"text_instead"}  # what more `text` may name
    for name in (*({*AnswerMapping.__struct_fields__} - of_text), *METHODS):
        assert f"`{name}" in PAGE, name


def test_the_examples_are_understood(tmp_path: Path) -> None:
    for block in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL):
        (tmp_path / "evaltui.toml").write_text(block, encoding="utf-8")
        (profile,) = load_config(tmp_path).config.agents
        assert profile.type == "http"
        assert read_options(profile.options, {}).method == "POST"


def test_the_answer_that_is_shown_is_one() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    text, calls = read_answer(json.loads(block), CONTRACT_MAPPING)
    assert text in block
    assert [call.name for call in calls] == ["get_weather"]
