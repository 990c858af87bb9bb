"""What a command must not load before it needs it (the static import graph can't see this)."""

import subprocess
import sys

import pytest

LOADED = "import sys; print('\\n'.join(sorted(sys.modules)))"


def modules_after(statement: str) -> set[str]:
    """Top-level and dotted names of everything loaded by `statement` in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}; {LOADED}"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("heavy", ["textual", "rich", "httpx", "aiohttp", "pydantic", "watchfiles"])
def test_the_session_loads_nothing_heavy(heavy: str) -> None:
    assert heavy not in modules_after("import evaltui.session")


@pytest.mark.parametrize("heavy", ["asyncio", "argparse", "pydantic_core", "textual", "json"])
def test_the_version_needs_nothing(heavy: str) -> None:
    ask = "import sys; sys.argv = ['evaltui', '--version']"
    statement = f"{ask}; import evaltui.__main__ as m; m.main()"
    assert heavy not in modules_after(statement)


def test_the_package_itself_is_lazy() -> None:
    assert "evaltui.core" not in modules_after("import evaltui")
