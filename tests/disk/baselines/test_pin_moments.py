"""A case that is pinned anew is as young as its pin; those beside it stay as old as theirs."""

import json
import re
import time
from pathlib import Path

import pytest

from evaltui.core.baseline import pin_moments
from evaltui.core.case import CaseKey
from evaltui.core.statistics.trials import Trials
from evaltui.disk.baselines.baselines import Baselines
from tests.disk.samples import SUITE, errored, failed, passed, suite_result

RESULT = suite_result(passed(), failed(), errored())
KEYS = [case.key for case in RESULT.cases]
NOW = 1_795_000_000.0


@pytest.fixture
def pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Baselines:
    """Everything three hours ago, then one case now."""
    made = Baselines.load(tmp_path)
    monkeypatch.setattr(time, "time", lambda: NOW - 3 * 3600)
    made.pin("default", "embedded", [RESULT], KEYS)
    monkeypatch.setattr(time, "time", lambda: NOW)
    made.pin("default", "embedded", [RESULT], KEYS[:1])
    return made


def moments(pins: Baselines) -> dict[float, int]:
    again = Baselines.load(pins.folder)
    (named,) = again.named("embedded")
    assert named.moments == pin_moments(again.in_force("embedded"))
    return dict(named.moments)


def test_pinning_one_case_leaves_the_others_as_old_as_they_are(pins: Baselines) -> None:
    assert moments(pins) == {NOW - 3 * 3600: 2, NOW: 1}
    assert "pinnedA" not in (pins.folder / "pins.json").read_text(), "the copies say it alone"


def test_pinning_all_makes_all_young(pins: Baselines) -> None:
    pins.pin("default", "embedded", [RESULT], KEYS)
    assert moments(pins) == {NOW: 3}


def test_what_is_unpinned_has_no_age(pins: Baselines) -> None:
    pins.unpin("default", "embedded", None, KEYS[:1])
    assert moments(pins) == {NOW - 3 * 3600: 2}
    pins.pin("default", "embedded", [RESULT], KEYS[:1])
    pins.unpin("default", "embedded", None, KEYS[1:])
    assert moments(pins) == {NOW: 1}


def test_what_is_moved_or_undone_keeps_its_age(pins: Baselines) -> None:
    other = CaseKey("evals/desk.labeled.json", KEYS[0].case)
    change = pins.move("default", "embedded", {KEYS[0]: other})
    (there,) = (one for one in pins.in_force("embedded") if one.suite == other.suite)
    assert pin_moments((there,)) == {NOW: 1}
    (here,) = (one for one in pins.in_force("embedded") if one.suite == SUITE)
    assert pin_moments((here,)) == {NOW - 3 * 3600: 2}
    change.undo()
    assert moments(pins) == {NOW - 3 * 3600: 2, NOW: 1}


def test_what_is_undone_beside_a_pin_of_others_keeps_its_age(
    pins: Baselines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its trials are known by that moment."""
    monkeypatch.setattr(time, "time", lambda: NOW + 60)
    change = pins.pin("default", "embedded", [RESULT], KEYS[:1])
    Baselines.load(pins.folder).pin("default", "embedded", [RESULT], KEYS[2:])
    change.undo()
    assert moments(pins) == {NOW - 3 * 3600: 1, NOW: 1, NOW + 60: 1}


def test_what_is_undone_to_a_copy_of_an_older_version_keeps_what_the_list_says_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its age and the trials that were made for it, also where others pinned since."""
    monkeypatch.setattr(time, "time", lambda: NOW)
    Baselines.load(tmp_path).pin("default", "embedded", [RESULT], KEYS)
    for copy in tmp_path.glob("*/*/*.json"):
        copy.write_text(re.sub(r'"pinned":\{[^}]*\}', '"pinned":null', copy.read_text()))
    path = tmp_path / "pins.json"
    written = json.loads(path.read_text())
    written["pins"][0] |= {"pinnedAt": NOW - 9, "fresh": {KEYS[0].case: [20, 0]}}
    path.write_text(json.dumps(written))
    pins = Baselines.load(tmp_path)
    monkeypatch.setattr(time, "time", lambda: NOW + 60)
    change = pins.pin("default", "embedded", [RESULT], KEYS[:1])
    Baselines.load(tmp_path).pin("default", "embedded", [RESULT], KEYS[2:])
    change.undo()
    assert moments(pins) == {NOW - 9: 2, NOW + 60: 1}
    again = pins.whole(SUITE, "embedded")
    assert again is not None
    fresh = {case.key: case.pinned.fresh for case in again.cases if case.pinned}
    assert fresh[KEYS[0]] == Trials(20, 0)


def test_a_copy_of_an_older_version_has_the_ages_of_the_list(pins: Baselines) -> None:
    """And from the next pin on they are in the copy."""
    for copy in pins.folder.glob("*/*/*.json"):
        copy.write_text(re.sub(r'"pinned":\{[^}]*\}', '"pinned":null', copy.read_text()))
    path = pins.folder / "pins.json"
    written = json.loads(path.read_text())
    written["pins"][0] |= {"pinnedAt": NOW - 9, "pinnedApart": {KEYS[1].case: NOW - 5}}
    path.write_text(json.dumps(written))
    assert moments(pins) == {NOW - 9: 2, NOW - 5: 1}
    pins.pin("default", "embedded", [RESULT], KEYS[:1])
    path.unlink()
    assert moments(pins) == {NOW - 9: 1, NOW - 5: 1, NOW: 1}


def test_where_the_list_is_gone_the_copies_say_it(pins: Baselines) -> None:
    (pins.folder / "pins.json").unlink()
    assert moments(pins) == {NOW - 3 * 3600: 2, NOW: 1}


def test_where_neither_says_it_the_age_is_unknown(pins: Baselines) -> None:
    (pins.folder / "pins.json").unlink()
    for copy in pins.folder.rglob("*.json"):
        copy.write_text(re.sub(r'"pinned":\{[^}]*\}', '"pinned":null', copy.read_text()))
    assert moments(pins) == {0.0: 3}
