"""Which cases are meant by paths, tiers, a text, or by what failed last."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.core.errors import UserError
from evaltui.core.events import CaseFinished, ProjectRead
from evaltui.core.result import CaseStatus
from evaltui.core.tool import ToolRegistry
from evaltui.session.selection import cases_at, select
from evaltui.session.session import Session
from evaltui.store.store import Store
from tests.tui import scene

WEATHER, EMAIL = SUITES = scene.suites(4, 2)
ONE, TWO, THREE, FOUR = (case.key for case in scene.cases_of(SUITES))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """The second of four cases failed, and one of an agent that is not under test."""
    store = Store()
    store.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    for number, agent in ((1, "mine"), (2, "other")):
        case = [*scene.cases_of(SUITES)][number]
        made = scene.result(case, CaseStatus.FAILED, agent=agent)
        store.handle(CaseFinished("run-1", made))
    config = SimpleNamespace(root=tmp_path)
    return cast("Session", SimpleNamespace(store=store, agents=("mine",), config=config))


def test_cases_match_all_that_is_asked_for_in_file_order(session: Session) -> None:
    assert select(session) == (ONE, TWO, THREE, FOUR)
    assert select(session, {THREE, ONE}) == (ONE, THREE)
    assert select(session, text="EMAIL") == (THREE, FOUR), "of the tool"
    assert select(session, text="münchen") == (TWO, FOUR), "of the description"
    assert select(session, text=ONE.case.upper()) == (ONE,), "of the id"
    assert select(session, tiers=("labeled", "regression")) == (THREE, FOUR)
    assert select(session, only_failed=True) == (TWO,)
    assert select(session, {ONE}, only_failed=True) == ()
    assert select(session, text="email", tiers=("golden",)) == ()


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (".", {ONE, TWO, THREE, FOUR}),
        ("evals", {ONE, TWO, THREE, FOUR}),
        (WEATHER.id, {ONE, TWO}),
        ("evals/*.labeled.json", {THREE, FOUR}),
        (f"{WEATHER.id}::{TWO.case}", {TWO}),
        ("eval", set()),
        ("evals/none.json::a", set()),
    ],
)
def test_a_path_is_a_file_a_folder_a_glob_or_a_case(
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    found: set[object],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cases_at(session, [path], tmp_path) == found


def test_several_paths_add_up_and_are_seen_from_where_they_are_typed(
    session: Session, tmp_path: Path
) -> None:
    names = [Path(suite.id).name for suite in SUITES]
    assert cases_at(session, names, tmp_path / "evals") == {ONE, TWO, THREE, FOUR}


def test_a_case_that_a_file_has_not_is_a_mistake(session: Session, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has no case `nothing`"):
        cases_at(session, [f"{WEATHER.id}::nothing"], tmp_path)
