"""What agents differ on follows what changes."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import Case
from evaltui.core.events import CaseFinished, CaseMuted
from evaltui.core.result import CaseStatus
from evaltui.tui.agent_matrix import AgentMatrix, disagree
from evaltui.tui.agent_names import short_names
from tests.tui import scene
from tests.tui.fake_session import FakeSession

AGENTS = ("one", "two", "three")
SUITES = scene.suites(12, 3)
CASES = scene.cases_of(SUITES)


def session() -> FakeSession:
    made = FakeSession(agents=AGENTS)
    for agent in AGENTS:
        made.emit(*scene.opened(SUITES, agent=agent))
    return made


Finished = tuple[str, Case, CaseStatus]
finished: st.SearchStrategy[Finished] = st.tuples(
    st.sampled_from(AGENTS), st.sampled_from(CASES), st.sampled_from(list(CaseStatus))
)


@given(st.lists(st.lists(finished, max_size=6), max_size=4))
def test_following_changes_is_the_same_as_comparing_everything(
    batches: list[list[Finished]],
) -> None:
    host = session()
    matrix = AgentMatrix()
    matrix.rebuild(host)
    for batch in batches:
        reader = host.store.reader()
        for agent, case, status in batch:
            result = replace(scene.result(case, status, agent=agent), run_id="run-2")
            host.emit(CaseFinished("run-2", result))
        matrix.update(host, host.store.drain(reader)[0])
    again = AgentMatrix()
    again.rebuild(host)
    assert matrix.differing == again.differing
    rows = [matrix.rows_of(host, case.key) for case in CASES]
    assert matrix.differing == {row[0].key for row in rows if row[0] and disagree(row)}


def test_errors_and_cases_not_run_are_no_opinion() -> None:
    host = session()
    row = next(iter(host.store.board("one").rows.values()))
    results = {status: scene.result(row.case, status) for status in CaseStatus}
    made = {
        status: type(row)(row.key, row.case, row.suite, result=results[status])
        for status in CaseStatus
    }
    unknown = type(row)(row.key, row.case, row.suite)
    passed, failed = made[CaseStatus.PASSED], made[CaseStatus.FAILED]
    assert disagree((passed, failed))
    assert not disagree((passed, made[CaseStatus.ERROR], unknown, None))
    assert not disagree((failed, made[CaseStatus.SKIPPED], failed))
    of_nothing = replace(results[CaseStatus.PASSED], assertions_run=0)
    nothing = type(row)(row.key, row.case, row.suite, result=of_nothing)
    assert not disagree((failed, nothing)), "a pass of nothing is none"


def test_a_muted_case_differs_in_nothing_until_it_counts_again() -> None:
    host, matrix, case = session(), AgentMatrix(), CASES[0]
    host.emit(
        CaseFinished("run-2", scene.result(case, CaseStatus.PASSED, agent="one")),
        CaseFinished("run-2", scene.result(case, CaseStatus.FAILED, agent="two")),
    )
    matrix.rebuild(host)
    assert case.key in matrix.differing
    for reason in ("known", ""):
        reader = host.store.reader()
        host.emit(CaseMuted(case.key, reason))
        matrix.update(host, host.store.drain(reader)[0])
        assert (case.key in matrix.differing) is (not reason)


def test_names_are_short_and_never_alike() -> None:
    assert list(short_names(["embedded/1", "embedded/1:strict", "mini"]).values()) == [
        "embedded",
        "strict",
        "mini",
    ]
    assert short_names(["http://a.test/chat/"]) == {"http://a.test/chat/": "a.test/chat"}
    alike = ["strict", "embedded/1:strict"]
    assert list(short_names(alike).values()) == alike


@given(st.lists(st.text(max_size=12), unique=True, max_size=6))
def test_no_two_agents_have_one_name(names: list[str]) -> None:
    shorts = short_names(names)
    assert list(shorts) == names
    assert len(set(shorts.values())) == len(names)
