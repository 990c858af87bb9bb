"""The dashboard opens, lists and watches nothing outside of a project that nobody agreed to."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
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
BATCHES = 6
"""Each of the others is opened by a program that opens several, as starting one takes longest."""


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


@pytest.fixture
def place(tmp_path: Path, listener: Listener) -> Place:
    return make_place(tmp_path, listener)


def seen_outside(*places: Place, agrees: bool = False) -> list[str]:
    """What the dashboards opened, listed or watched beside their projects."""
    words = [str(one.root) for one in places]
    said = subprocess.run(
        [sys.executable, PROGRAM, "agrees" if agrees else "", *words],
        cwd=places[0].root, env=clean_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    seen = [*map(Path, json.loads(said.stdout.splitlines()[-1]))]
    around = {one.root.parent: one.outside for one in places}
    base = next(iter(around)) if len(around) == 1 else Path(*places[0].root.parts[:-2])
    beside = (
        one
        for one in seen
        if one in around or any(one.is_relative_to(each) for each in around.values())
    )
    return [str(one.relative_to(base)) for one in beside]


def with_something_to_agree_to(place: Place, name: str) -> None:
    if name in MORE:
        return with_a_link(place, *MORE[name])
    SETUPS[name][0](place)
    file = place.root / "evaltui.toml"
    if file.exists() and "snapshot" not in file.read_text():
        file.write_text(UNTRUSTED + file.read_text())
    return None


def with_a_link(place: Place, settings: str, link: str, to: str) -> None:
    if link == "evals":
        (place.root / "evals").rename(place.root / "elsewhere")
    place.settings(UNTRUSTED.partition("snapshot =")[0] * ("snapshot" not in settings) + settings)
    place.link(link, to)


OTHERS = [one for one in (*SETUPS, *MORE) if one not in FEW]


@pytest.mark.parametrize(
    "names",
    [
        FEW,
        *(pytest.param(OTHERS[at::BATCHES], marks=pytest.mark.slow) for at in range(BATCHES)),
    ],
)
def test_nothing_outside_is_looked_at(
    tmp_path: Path, listener: Listener, names: Sequence[str]
) -> None:
    places = [make_place(tmp_path / name, listener) for name in names]
    for place, name in zip(places, names, strict=True):
        with_something_to_agree_to(place, name)
    assert seen_outside(*places) == []


def test_what_was_agreed_to_is_watched_and_nothing_that_it_names(place: Place) -> None:
    (place.root / "openapi.json").write_text(api("../outside/schema.json#/S"))
    place.settings(f'{UNTRUSTED}registry = "openapi.json"\nevals = ["../outside/evals/*.json"]\n')
    place.program()
    around = "outside"  # in which the folder may be made again
    seen = [around, "outside/evals", "outside/evals/x.golden.json"]
    assert seen_outside(place, agrees=True) == seen
