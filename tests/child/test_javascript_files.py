"""Which files a JavaScript module names, without running them."""

from pathlib import Path

import pytest

from evaltui.child.javascript_files import javascript_tree


def write(root: Path, **files: str) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.mark.parametrize(
    ("code", "file"),
    [
        ('import {V} from "./h.mjs"', "h.mjs"),
        ("await import(`./h.mjs`)", "h.mjs"),
        ('require("./h")', "h.js"),
        ('require("./h")', "h.json"),
        ('require("./h")', "h/index.js"),
        ('require("./h")', "h/package.json"),
        ('require("./h.old")', "h.old.js"),
        ('new URL("../limits.json", import.meta.url)', "../limits.json"),
    ],
)
def test_what_it_names_belongs_to_it_or_is_awaited(tmp_path: Path, code: str, file: str) -> None:
    root = tmp_path / "in"
    write(root, **{"a.mjs": 'import "./b.mjs"', "b.mjs": code})
    other = (root / file).resolve()
    assert other in javascript_tree(root / "a.mjs").missing
    write(root, **{file: "{}"})
    tree = javascript_tree(root / "a.mjs")
    assert tree.files == {root / "a.mjs", root / "b.mjs", other}
    assert not tree.is_whole


def test_what_node_would_take_before_it_is_awaited(tmp_path: Path) -> None:
    write(tmp_path, **{"a.cjs": 'require("./h")', "h.json": "{}", "h/index.js": ""})
    tree = javascript_tree(tmp_path / "a.cjs")
    assert tree.files == {tmp_path / "a.cjs", tmp_path / "h.json"}
    assert tree.missing == {tmp_path / "h.js"}
