"""Mutes of the settings and of the keyboard: what is in force, and what other processes change."""

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.events import CaseMuted, Event
from evaltui.disk.mutes import set_mutes
from evaltui.session.mutes import Mutes

if TYPE_CHECKING:
    from evaltui.session.damage_reports import DamageReports
    from evaltui.session.event_bus import EventBus
    from evaltui.session.settings_in_force import SettingsInForce

ONE, TWO = CaseKey("a.json", "one"), CaseKey("a.json", "two")
HERE: dict[str, str] = {str(TWO): "by the settings"}


class Muting:
    def __init__(self, folder: Path) -> None:
        self.told: list[Event] = []
        settings = SimpleNamespace(config=SimpleNamespace(mutes=HERE))
        self.mutes = Mutes(
            folder,
            cast("SettingsInForce", settings),
            cast("EventBus", SimpleNamespace(emit=self.told.append)),
            cast("DamageReports", SimpleNamespace(report=self._refuse)),
        )

    def _refuse(self, problem: object) -> None:
        raise AssertionError(problem)


@pytest.fixture
def made(tmp_path: Path) -> Muting:
    return Muting(tmp_path)


def test_a_key_mutes_and_unmutes_and_the_settings_stay(made: Muting) -> None:
    made.mutes.set({ONE: "flaky"})
    assert made.mutes.reasons == {**HERE, str(ONE): "flaky"}
    assert (made.mutes.own(ONE), made.mutes.own(TWO)) == ("flaky", "")
    made.mutes.set({ONE: ""})
    assert made.mutes.reasons == HERE
    assert made.told == [CaseMuted(ONE, "flaky"), CaseMuted(ONE, "")]


def test_what_a_key_said_goes_before_the_settings_until_it_is_taken_back(made: Muting) -> None:
    made.mutes.set({TWO: "known"})
    made.mutes.set({TWO: ""})
    assert made.told == [CaseMuted(TWO, "known"), CaseMuted(TWO, HERE[str(TWO)])]


def test_what_was_muted_before_is_there_at_the_start(made: Muting, tmp_path: Path) -> None:
    made.mutes.set({ONE: "flaky"})
    later = Muting(tmp_path)
    later.mutes.load()
    assert later.mutes.own(ONE) == "flaky"
    assert later.mutes.follow() == ()
    assert later.told == [], "nobody changed it since"


def test_what_another_process_mutes_is_followed(made: Muting) -> None:
    made.mutes.load()
    set_mutes(made.mutes.file, {ONE: "by another"}, lambda _: None)
    assert made.mutes.follow() == ()
    set_mutes(made.mutes.file, {ONE: ""}, lambda _: None)
    assert made.mutes.follow() == ()
    assert made.told == [CaseMuted(ONE, "by another"), CaseMuted(ONE, "")]


def test_mutes_that_cannot_be_read_stay_in_force_until_they_can_be(made: Muting) -> None:
    made.mutes.set({ONE: "flaky"})
    made.mutes.follow()
    text = made.mutes.file.read_bytes()
    made.mutes.file.write_bytes(b"{")
    (problem,) = made.mutes.follow()
    assert problem.code == "mutes-unreadable"
    assert made.mutes.follow() == (problem,), "it is told as long as it is so"
    assert made.mutes.own(ONE) == "flaky"
    made.mutes.file.write_bytes(text)
    assert made.mutes.follow() == ()


def test_what_somebody_else_said_meanwhile_is_not_overruled(made: Muting) -> None:
    set_mutes(made.mutes.file, {ONE: "by another"}, lambda _: None)
    for reason in ("flaky", ""):
        with pytest.raises(UserError):
            made.mutes.set({ONE: reason}, expected={ONE: "mine"})
    assert made.told == []


def test_what_cannot_be_written_mutes_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    made = Muting(tmp_path / "file")
    with pytest.raises(UserError):
        made.mutes.set({ONE: "flaky"})
    assert (made.mutes.own(ONE), made.told) == ("", [])


def test_of_several_changes_each_is_told_in_the_order_of_the_names(made: Muting) -> None:
    keys = [CaseKey("a.json", f"{number:02}") for number in range(12)]
    for key in reversed(keys):
        set_mutes(made.mutes.file, {key: "by another"}, lambda _: None)
    made.mutes.follow()
    assert made.told == [CaseMuted(key, "by another") for key in keys]
