"""The project that the tests of the API ask about."""

from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs evaltui[serve]")

from tests.api.served import make_served


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_served(tmp_path)
