"""When the known cases of files that cannot be read are looked for, and which stay as they were."""

from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.core.case import CaseKey, Tier
from evaltui.core.errors import Problem
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.disk.history.history import History
from evaltui.project import Project
from evaltui.session import unread_suites
from evaltui.session.damage_reports import DamageReports
from evaltui.session.unread_suites import UnreadSuites

READ = Suite("read.json", "", Tier.GOLDEN, (), "")


def project(**files: Suite | None) -> Project:
    """Of files by name, and what was read of them."""
    found = {name: SimpleNamespace(id=name, suite=suite) for name, suite in files.items()}
    return cast("Project", SimpleNamespace(files=found))


async def test_they_are_looked_for_where_other_files_are_unread_and_those_known_stay_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[set[str]] = []

    def look(project: Project, _: History) -> tuple[Suite, ...]:
        broken = [one.id for one in project.files.values() if one.suite is None]
        looks.append({*broken})
        return tuple(Suite(name, "", Tier.GOLDEN, (), "", is_unread=True) for name in broken)

    monkeypatch.setattr(unread_suites, "unread_suites", look)
    unread, history = UnreadSuites(cast("DamageReports", None)), cast("History", None)
    await unread.find(project(a=None), history)
    assert (unread.suites, looks) == ((), []), "nobody wants them"
    unread.are_kept = True
    for _ in range(2):
        await unread.find(project(a=None, b=READ), history)
    (first,) = unread.suites
    await unread.find(project(a=None, b=None), history)
    assert [suite.id for suite in unread.suites] == ["a", "b"]
    assert unread.suites[0] is first, "a suite that is the same object is not gone through again"
    await unread.find(project(a=READ, b=None), history)
    assert [suite.id for suite in unread.suites] == ["b"]
    assert looks == [{"a"}, {"a", "b"}, {"b"}]


def test_only_what_cannot_be_read_is_known_by_its_results() -> None:
    keys = [CaseKey(file, "a") for file in ("broken.json", "empty.json", "read.json")]
    results = tuple(CaseResult(key, "r", "mine", CaseStatus.PASSED) for key in keys)
    history = SimpleNamespace(
        agents=lambda: ("mine", "other"), last_results=lambda _: SimpleNamespace(results=results)
    )
    codes = {"broken.json": "json-syntax", "empty.json": "no-cases", "read.json": "json-syntax"}
    files = {
        name: SimpleNamespace(
            id=name,
            suite=READ if name == "read.json" else None,
            problems=(Problem(name, "it is wrong", code=code),),
        )
        for name, code in codes.items()
    }
    found = cast("Project", SimpleNamespace(files=files))
    (suite,) = unread_suites.unread_suites(found, cast("History", history))
    assert (suite.id, [case.key for case in suite.cases]) == ("broken.json", keys[:1])
    assert suite.is_unread
