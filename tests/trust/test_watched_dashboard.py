"""The dashboard opens, lists and watches nothing outside of a project that nobody agreed to."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.trust.hostile import REG, SETUPS, Listener, Place, api, clean_environment, make_place

PROGRAM = Path(__file__).with_name("watched_dashboard.py")
UNTRUSTED = 'snapshot_enabled = true\nsnapshot = "./evil.py --values"\n'
"""Something to agree to, in projects that want nothing else."""
FEW = ("a reference", "registry by a link", "seed outside", "a folder of evals by a link")
MORE = {
    "all evals by a link": (REG, "evals", "evals"),
    "settings by a link": (REG, "evaltui.config.json", "snap.json"),
    "a snapshot by a link": (REG + 'snapshot_enabled = true\nsnapshot = "s.json"\n',
                             "s.json", "snap.json"),
    "an evaluator by a link": (REG + 'evaluators = ["./e.py"]\n', "e.py", "text.ts"),
}  # fmt: skip
"""By name: settings, and what leads where."""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    listener = Listener()
    yield make_place(tmp_path, listener)
    listener.close()


def seen_outside(place: Place, *words: str) -> list[str]:
    """What the dashboard opened, listed or watched beside the project."""
    said = subprocess.run(
        [sys.executable, PROGRAM, place.root, *words],
        cwd=place.root, env=clean_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    seen = map(Path, json.loads(said.stdout.splitlines()[-1]))
    around = place.root.parent
    return [str(one.relative_to(around)) for one in seen
            if one == around or one.is_relative_to(place.outside)]  # fmt: skip


def with_something_to_agree_to(place: Place, name: str) -> None:
    SETUPS[name][0](place)
    file = place.root / "evaltui.toml"
    if file.exists() and "snapshot" not in file.read_text():
        file.write_text(UNTRUSTED + file.read_text())


@pytest.mark.parametrize(
    "name", [*FEW, *(pytest.param(one, marks=pytest.mark.slow) for one in SETUPS if one not in FEW)]
)
def test_nothing_outside_is_looked_at(place: Place, name: str) -> None:
    with_something_to_agree_to(place, name)
    assert seen_outside(place) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MORE)
def test_no_link_out_is_followed(place: Place, name: str) -> None:
    settings, link, to = MORE[name]
    if link == "evals":
        (place.root / "evals").rename(place.root / "elsewhere")
    place.settings(UNTRUSTED.partition("snapshot =")[0] * ("snapshot" not in settings) + settings)
    place.link(link, to)
    assert seen_outside(place) == []


def test_what_was_agreed_to_is_watched_and_nothing_that_it_names(place: Place) -> None:
    (place.root / "openapi.json").write_text(api("../outside/schema.json#/S"))
    place.settings(f'{UNTRUSTED}registry = "openapi.json"\nevals = ["../outside/evals/*.json"]\n')
    place.program()
    around = "outside"  # in which the folder may be made again
    seen = [around, "outside/evals", "outside/evals/x.golden.json"]
    assert seen_outside(place, "agrees") == seen
