"""What a pin asserted where its file does not tell: what the same case asserts now, if anything."""

from collections.abc import Collection, Mapping
from typing import cast

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, ContractCase, EvaluatorUse
from evaltui.core.fingerprint import case_fingerprint
from evaltui.disk.baselines.baseline_reading import PinnedDemands
from evaltui.disk.history.history import History
from evaltui.evidence.asserted import asserted_of
from evaltui.session.trials.board_evidence import BoardEvidence, moment_of
from evaltui.store.board import Board
from tests.disk.samples import SUITE, passed

CASE = Case(CaseKey(SUITE, passed().key.case), ContractCase("hello"))
NOW = {name: tuple(prints) for name, prints in asserted_of(CASE, passed()).items()}
THEN: Mapping[str, tuple[str, ...]] = {"toolsCalled": ("another",)}


class Whole:
    """A history that keeps each result whole."""

    def whole_of(self, agent: str, suite: str, light: object) -> object:
        assert (agent, suite) == ("mine", SUITE)
        return light


def demands(pinned: PinnedDemands, *shown: Case) -> Mapping[str, Collection[str]] | None:
    result = replace(passed(), key=CASE.key)
    made = BoardEvidence("mine", cast("History", Whole()), lambda _: {CASE.key: pinned})
    made.read([(case, result) for case in shown], moment_of(Board("mine")))
    return made.demands[CASE.key]


@pytest.mark.parametrize(
    ("pinned", "shown", "asserted"),
    [
        (PinnedDemands(case_fingerprint(CASE), THEN), (CASE,), THEN),
        (PinnedDemands(case_fingerprint(CASE)), (CASE,), NOW),
        (PinnedDemands("another case"), (CASE,), None),
        (PinnedDemands(case_fingerprint(CASE)), (), None),
    ],
    ids=["it is told", "the same case", "another case", "the case is gone"],
)
def test_it_is_that_of_the_same_case_only(
    pinned: PinnedDemands,
    shown: tuple[Case, ...],
    asserted: Mapping[str, Collection[str]] | None,
) -> None:
    assert demands(pinned, *shown) == asserted


def test_where_evaluators_have_a_say_nobody_knows_how_they_were_set() -> None:
    case = replace(CASE, body=ContractCase("hello", evaluators=(EvaluatorUse("own"),)))
    assert demands(PinnedDemands(case_fingerprint(case)), case) is None
