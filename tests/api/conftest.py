"""The project that the tests of the API ask about."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs evaltui[serve]")

from tests.api.served import make_served


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_served(tmp_path)


SLOW = """
import json, pathlib, sys, time
def answer(message, **_):
    pathlib.Path(%r).touch()
    time.sleep(60)
    return {"text": "late"}
"""


@pytest.fixture
def slow(root: Path) -> Path:
    """The project with an agent that answers in a minute; the file is there once it was asked."""
    asked = root / "asked"
    (root / "mine.py").write_text(SLOW % str(asked))
    agent = 'agent = "mine"\n[agents.mine]\ntype = "python"\nfunction = "mine.py:answer"\n'
    (root / "evaltui.toml").write_text(agent)
    return asked
