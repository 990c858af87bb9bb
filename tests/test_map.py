"""The map names every part of the package, and nothing that is not there."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAP = (ROOT / "docs" / "map.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "evaltui"
PACKAGES = sorted(
    path.parent.relative_to(PACKAGE).as_posix() + "/"
    for path in PACKAGE.rglob("__init__.py")
    if path.parent != PACKAGE and path.read_bytes().strip()
)
MODULES = sorted(path.name for path in PACKAGE.glob("*.py") if path.name != "__init__.py")
PAGES = sorted(ROOT.glob("docs/decisions/0*.md"))


@pytest.mark.parametrize("name", [*PACKAGES, *MODULES])
def test_every_part_has_a_line(name: str) -> None:
    assert re.search(rf"^\|.*`{re.escape(name)}`.*\|", MAP, re.MULTILINE), f"docs/map.md: {name}"


def test_nothing_is_named_that_is_gone() -> None:
    top, around = MAP.split("## Around it")
    parts, core = top.split("### Worth knowing")
    below = ((parts, PACKAGE), (core, PACKAGE / "core"), (around.split("## Who")[0], ROOT))
    for text, folder in below:
        cells = re.findall(r"^\| (`.+?) \|", text, re.MULTILINE)
        names = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
        assert names
        for name in names:
            assert (folder / name).exists(), name


def test_debts_name_files_that_are_there() -> None:
    for name in re.findall(r"`([\w/]+\.py)`", MAP.split("## Debts")[1]):
        assert (PACKAGE / name).exists(), name


@pytest.mark.parametrize("page", ["map.md", "decisions/0001-layers.md"])
def test_the_layers_are_those_of_the_contract(page: str) -> None:
    found = re.search(r"`(cli >[^`]+)`", (ROOT / "docs" / page).read_text(encoding="utf-8"))
    assert found
    told = [layer.strip() for layer in " ".join(found[1].split()).split(" > ")]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    assert [set(layer.split(" | ")) for layer in told] == [
        {name.removeprefix("evaltui.") for name in layer.split(" | ")} for layer in layers
    ]


def test_every_decision_is_listed_and_numbered() -> None:
    listed = re.findall(
        r"^\d+\. \[.+\]\((.+)\)$",
        (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert listed == [page.name for page in PAGES]
    for number, page in enumerate(PAGES, 1):
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"# {number}. ")
        assert all(f"**{word}.**" in text for word in ("Question", "Decision", "Cost"))
