"""The pictures of the documentation: made anew they are whole, alike and free of machine paths."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"


def words(picture: Path) -> str:
    """The text of a picture in the order of its lines."""
    tree = ElementTree.parse(picture)
    found = [element.text or "" for element in tree.iter() if element.tag.endswith("}text")]
    return " ".join(" ".join(found).split())


def make(folder: Path) -> dict[str, str]:
    command = [sys.executable, str(ROOT / "scripts" / "screenshots.py"), str(folder)]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.svg")}


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("dashboard", ("WATCH", "cancel-order.tool.ts", "regressed", "gs-refund-order-003")),
        ("dashboard-narrow", ("cancel-order.tool.ts", "gs-refund-order-003")),
        ("calls", ("cancel_order", "[Calls]", "back")),
        ("trace", ("[Events]", "tr-support-003", "the order system", "6 events, 4.7s")),
        ("problems", ("4 Problems", "regressions", "overlap")),
    ],
)
def test_the_pictures_show_what_the_pages_say(name: str, texts: tuple[str, ...]) -> None:
    said = words(IMAGES / f"{name}.svg")
    for text in texts:
        assert text in said, f"run `python scripts/screenshots.py`: no {text} in\n{said}"


def test_every_picture_is_used() -> None:
    pages = "".join(
        path.read_text(encoding="utf-8")
        for path in [ROOT / "README.md", *(ROOT / "docs" / "guide").glob("*.md")]
    )
    for image in IMAGES.iterdir():
        assert f"images/{image.name})" in pages


@pytest.mark.slow
def test_made_twice_they_are_the_same(tmp_path: Path) -> None:
    first, second = make(tmp_path / "first"), make(tmp_path / "second")
    assert first.keys() == {path.name for path in IMAGES.glob("*.svg")}
    for name, picture in first.items():
        assert picture == second[name], name
        assert not re.search(r"/(?:tmp|home|Users|root|work)\b|https?://(?!www\.)", picture)
