"""The filter language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.comparison import Effect
from evaltui.core.proof import Proof
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.store.row import Phase, Row
from evaltui.store.row_status import Attention, RowMark, RowStatus
from evaltui.store.store import Store
from evaltui.tui.filter import parse
from evaltui.tui.filter_terms import FIELDS, Others
from evaltui.tui.view import View
from tests.tui import scene


def rows() -> list[Row]:
    store = Store()
    for event in scene.opened(scene.suites(48)):
        store.handle(event)
    return list(store.board(scene.AGENT).rows.values())


ROWS = rows()


def found(text: str) -> list[str]:
    return [row.key.case for row in ROWS if parse(text).matches(row)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 48),
        ("status:failed", 6),
        ("status:fail", 6),
        ("status:failed,error", 9),
        ("is:due", 3),
        ("status:regressed", 3),
        ("tool:send_email", 8),
        ("tool:send-email", 8),
        ("tier:golden", 16),
        ("tier:golden tier:labeled", 0),
        ("!tier:golden", 32),
        ("-tier:golden", 32),
        ("suite:send_email", 8),
        ("id:-003", 6),
        ("tag:ambiguous", 24),
        ("!ambiguous", 24),
        ("umbrella", 48),
        ('"a very long place"', 6),
        ("refused", 3),
        ("status:failed tool:get_weather", 2),
        ("tool:", 48),
    ],
)
def test_terms(text: str, count: int) -> None:
    assert len(found(text)) == count


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("status:broken", "`broken` is not a status; there is failed, passed"),
        ("colour:red", "`colour:` is unknown; there is status, is"),
        ("tier:best", "`best` is not a tier; there is golden"),
    ],
)
def test_mistakes_are_named_and_left_out(text: str, mistake: str) -> None:
    parsed = parse(f"{text} tool:send_email")
    assert parsed.mistake.startswith(mistake)
    assert sum(parsed.matches(row) for row in ROWS) == 8


@given(st.text(max_size=40))
def test_nothing_that_is_typed_raises(text: str) -> None:
    parsed = parse(text)
    for row in ROWS[:3]:
        parsed.matches(row)


@given(st.sampled_from(sorted(FIELDS)), st.text(max_size=8))
def test_negation_is_the_rest(name: str, value: str) -> None:
    term = f'{name}:"{value}"'.replace('""', "")
    plain, negated = parse(term), parse(f"!{term}")
    if plain.mistake or len(plain.tests) != 1 or len(negated.tests) != 1:
        return
    for row in ROWS[:8]:
        assert plain.matches(row) != negated.matches(row)


def test_views() -> None:
    assert sum(View.PROBLEMS.shows(row) for row in ROWS) == 9
    assert all(View.ALL.shows(row) for row in ROWS)
    assert {row.attention for row in ROWS if View.REGRESSIONS.shows(row)} == {Attention.REGRESSED}
    assert View.DIFFERS not in View.among(is_several=False)
    assert View.among(is_several=True) == tuple(View)


PLAIN = next(row for row in ROWS if row.status is RowStatus.PASSED and not row.marks)
assert PLAIN.result is not None
FLAKY = replace(PLAIN.result, trials=4, passes=2)
NOTHING = scene.result(PLAIN.case, CaseStatus.SKIPPED)
PROOF = Proof(PLAIN.key, TwoSides(Trials(5, 0), Trials(0, 1)), further=3)
OTHERWISE: dict[str, dict[str, object]] = {
    "outdated": {"is_outdated": True},
    "muted": {"muted": "known"},
    "flaky": {"result": FLAKY},
    "moved": {"against": RowMark.MOVED},
    "undecided": {"against": RowMark.MOVED, "proof": PROOF},
    "worse": {"changed": Effect.WORSE},
    "better": {"changed": Effect.BETTER},
    "changed": {"changed": Effect.CALLS_DIFFER},
    "nothing": {"result": NOTHING},
    "unknown": {"result": None},
    "queued": {"phase": Phase.QUEUED},
    "running": {"phase": Phase.RUNNING},
}
"""What makes a case that passed, and of which there is nothing to say, one of that state."""
ALSO = {"undecided": {"moved"}, "worse": {"changed"}, "better": {"changed"}}
"""States that it is in too."""


@pytest.mark.parametrize("state", OTHERWISE)
def test_each_state_finds_its_cases_and_no_others(state: str) -> None:
    row = replace(PLAIN, **OTHERWISE[state])
    assert not parse(f"is:{state}").matches(PLAIN)
    found = {one for one in OTHERWISE if parse(f"is:{one}").matches(row)}
    assert found == {state} | ALSO.get(state, set())


@pytest.mark.parametrize("view", [View.OUTDATED, View.FLAKY, View.MUTED])
def test_each_view_shows_what_it_is_called(view: View) -> None:
    row = replace(PLAIN, **OTHERWISE[view.value])
    narrow = set(View) - {View.ALL}
    assert {one for one in narrow if one.shows(row)} == {view}
    assert not any(one.shows(PLAIN) for one in narrow)


def test_other_agents_are_asked_by_name() -> None:
    by_key = {row.key: row for row in ROWS}
    others = Others(
        {"mini": "mini", "strict": "embedded/1:strict"},
        lambda agent, key: by_key[key] if agent == "mini" else None,
        lambda key: key.case.endswith("003"),
    )
    failed = parse("status:failed").matches
    for term in ("@mini:failed", "@mi:fail"):
        found = parse(term, others)
        assert found.asks_others
        assert [row for row in ROWS if found.matches(row)] == [row for row in ROWS if failed(row)]
    assert not any(map(parse("@strict:passed", others).matches, ROWS))
    assert all(map(parse("!@strict:passed", others).matches, ROWS))
    assert all(map(parse("@mini:", others).matches, ROWS))
    differing = parse("is:differs", others)
    assert differing.asks_others
    assert {row.key.case[-3:] for row in ROWS if differing.matches(row)} == {"003"}
    assert parse("@max:failed", others).mistake == "`@max` is not an agent; there is @mini, @strict"
    assert "is not a status" in parse("@mini:green", others).mistake


def test_one_agent_differs_from_nobody_and_an_at_sign_is_text() -> None:
    assert not found("is:differs")
    assert not parse("@mini:failed").mistake


def test_new_is_what_the_headline_counts_as_new_and_not_what_improved() -> None:
    new, improved, rose = (replace(ROWS[0], changed=None, against=None) for _ in range(3))
    new.changed, improved.against, rose.against = Effect.NEW, RowMark.IMPROVED, RowMark.MOVED_UP
    for term, row in (("is:new", new), ("is:improved", improved), ("is:moved-up", rose)):
        matching = [one for one in (new, improved, rose) if parse(term).matches(one)]
        assert matching == [row]
