"""What an evaluator reads as it judges, and looks for where it is not there, is a part of it."""

from pathlib import Path

import pytest

from evaltui.core.result import CaseStatus
from tests.evaluators.loaded import load, loading, write
from tests.session.running.test_rejudging import AGENT, asked, statuses, watching
from tests.session.test_evaluators import judged, threshold
from tests.session.test_session import all_keys, opened

HEAD = "import pathlib, sys\nHERE = pathlib.Path(__file__).parent\nsys.path.insert(0, str(HERE))\n"
WHILE_JUDGING = {
    "subfolder": ("", 'int((HERE / "data" / "least.txt").read_text())', "checks/data/least.txt"),
    "above": ("", 'int((HERE.parent / "data" / "least.txt").read_text())', "data/least.txt"),
    "resource": (
        "import importlib.resources, pack\n",
        'int((importlib.resources.files(pack) / "least.txt").read_text())',
        "checks/pack/least.txt",
    ),
}
AWAITED = {
    "tried": (
        'try: LEAST = int((HERE / ("le" + "ast.txt")).read_text())\nexcept OSError: LEAST = 5\n',
        "checks/least.txt",
        "500",
    ),
    "looked for": (
        'P = HERE / "least.txt"\nLEAST = int(P.read_text()) if P.exists() else 5\n',
        "checks/least.txt",
        "500",
    ),
    "module": (
        "try: from least import LEAST\nexcept ImportError: LEAST = 5\n",
        "checks/least.py",
        "LEAST = 500",
    ),
    "package": ("from limits import LEAST\n", "checks/limits/__init__.py", "LEAST = 500"),
}


def reading(root: Path, head: str, least: str) -> Path:
    """A project whose evaluator finds out in some way how long an answer has to be."""
    root = judged(root)
    write(root, "checks/pack/__init__.py", "")
    write(root, "checks/limits.py", "LEAST = 5")
    code = threshold(0).replace("LEAST = 0\n", "").replace("LEAST", least)
    write(root, "checks/length.py", HEAD + head + code)
    return root


@pytest.mark.parametrize(("head", "least", "data"), WHILE_JUDGING.values(), ids=WHILE_JUDGING)
async def test_what_is_read_while_it_judges_is_a_part_of_it(
    tmp_path: Path, head: str, least: str, data: str
) -> None:
    root = reading(tmp_path, head, least)
    write(root, data, "5")
    async with watching(root) as (session, ear):
        assert set(statuses(session)) == {CaseStatus.PASSED}
        write(root, data, "500")
        await ear.until(lambda: bool(ear.runs()))
        assert set(statuses(session)) == {CaseStatus.FAILED}
    write(root, data, "5")
    async with opened(root) as (session, _):
        assert set(session.requests.due_keys(AGENT)) == {*all_keys(session)}
    assert asked(root) == 5


@pytest.mark.parametrize(("head", "new", "text"), AWAITED.values(), ids=AWAITED)
async def test_what_it_looked_for_and_is_made_later_is_a_part_of_it(
    tmp_path: Path, head: str, new: str, text: str
) -> None:
    root = reading(tmp_path, head, "LEAST")
    async with watching(root) as (session, ear):
        assert set(statuses(session)) == {CaseStatus.PASSED}
        write(root, new, text)
        await ear.until(lambda: bool(ear.runs()))
        assert set(statuses(session)) == {CaseStatus.FAILED}
        assert new in ear.started()[0].trigger
    assert asked(root) == 5


async def test_what_is_awaited_is_no_file_of_it(tmp_path: Path) -> None:
    root = reading(tmp_path, AWAITED["tried"][0], "LEAST")
    async with loading() as loader:
        known = load(root, "./checks/length.py", loader=loader)
        assert root / "checks" / "least.txt" in known.awaited
        assert not known.awaited & known.files
        write(root, "checks/least.txt", "500")
        known = load(root, "./checks/length.py", loader=loader)
        assert root / "checks" / "least.txt" in known.files - known.awaited
