"""Temporary files of editors."""

from pathlib import Path

import pytest

from evaltui.watch.scope import is_noise

ROOT = Path("/p")


@pytest.mark.parametrize(
    "name",
    [
        ".a.json.swp", "a.json~", "#a.json#", ".#a.json", "4913", "a.json.tmp", "a.json.tmp.1234",
        "a.json___jb_tmp___", "a.json.bak", ".git/HEAD", ".evaltui/history.db", ".goutputstream-X",
        "x/.hidden/a.json", "sedAb12Cd", "a.json.tmp.12.34",
    ],
)  # fmt: skip
def test_noise(name: str) -> None:
    assert is_noise(ROOT / name, ROOT)


@pytest.mark.parametrize(
    "name", ["a.json", "evals/get-weather.golden.json", "tools/template.ts", "evals", "a#b.json"]
)
def test_no_noise(name: str) -> None:
    assert not is_noise(ROOT / name, ROOT)


def test_hidden_folders_above_the_root_do_not_count() -> None:
    assert not is_noise(Path("/home/.work/p/a.json"), Path("/home/.work/p"))
