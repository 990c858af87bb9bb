"""A reader that remembers says exactly what a new one says, after any series of edits."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaltui.registries import RegistryReader
from tests.registries.projects import write
from tests.registries.test_golden import DATA, as_json
from tests.registries.typescript.test_robustness import LOOSE

PROJECTS = (
    *("barrel", "folder", "cycle", "loop", "classes"),
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("zod", "frameworks")),
)
EDITS = ("delete", "restore", "rename-text", "prefix", "touch", "move")


@pytest.mark.parametrize("project", PROJECTS)
def test_remembering_changes_nothing(project: str) -> None:
    original = {
        str(path.relative_to(DATA / project)): path.read_text("utf-8")
        for path in sorted((DATA / project).rglob("*.*"))
        if path.is_file() and path.name != "expected.json"
    }
    step = st.tuples(st.sampled_from(sorted(original)), st.sampled_from(EDITS))

    @settings(LOOSE, max_examples=10)
    @given(st.lists(step, min_size=1, max_size=5))
    def check(steps: list[tuple[str, str]]) -> None:
        with TemporaryDirectory() as folder:
            root = write(Path(folder), original)
            remembering = RegistryReader()
            remembering.read(root)
            for name, edit in steps:
                change(root, name, edit, original[name])
                assert as_json(remembering.read(root)) == as_json(RegistryReader().read(root))

    check()


def change(root: Path, name: str, edit: str, original: str) -> None:
    """One edit as an editor or a person would make it; every result still parses."""
    path = root / name
    match edit:
        case "delete":
            path.unlink(missing_ok=True)
        case "restore" | "touch":
            write(root, {name: original})
        case "rename-text":
            write(root, {name: original.replace("a", "o") if name.endswith("json") else original})
            if not name.endswith("json"):
                write(root, {name: original.replace("version", "category")})
        case "prefix":
            if not name.endswith("json"):
                write(root, {name: f"\n// moved down a line\n{original}"})
        case "move":
            path.unlink(missing_ok=True)
            stem, _, extension = name.rpartition(".")
            if extension in ("ts", "js"):
                write(root, {f"{stem}/index.{extension}": original})
