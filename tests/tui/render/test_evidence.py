"""What trials prove is said on a case's row, in its detail, in problems and at the end."""

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import BaselineCase
from evaltui.core.proof import Proof, Standing
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.store.row import Row
from evaltui.store.row_status import RowMark
from evaltui.tui.render.case_note import note_of
from evaltui.tui.render.evidence import evidence_lines, evidence_of, evidence_parts, picture
from evaltui.tui.render.head import write_head
from evaltui.tui.render.look import Look
from evaltui.tui.render.text_builder import Part, TextBuilder
from tests.reporters import scene

OF = scene.suite("get_weather", ["a"])
CASE = OF.cases[0]
LOOK = Look({})
SIDES = TwoSides(Trials(20, 0), Trials(0, 4))


def fallen(proof: Proof | None) -> tuple[Row, str]:
    row = Row(CASE.key, CASE, OF, scene.result(OF, "a", CaseStatus.FAILED), proof=proof)
    row.baseline = BaselineCase(CaseStatus.PASSED)
    is_proven = proof is not None and proof.standing is Standing.REGRESSED
    row.against = RowMark.REGRESSED if is_proven else RowMark.MOVED
    return row, text(evidence_parts(row, LOOK))


@pytest.mark.parametrize(
    ("proof", "said"),
    [
        (
            Proof(CASE.key, SIDES, Standing.REGRESSED),
            "evidence 20/20 → 0/4, e = 1703  ████████ → ░░░░░░░░  regressed",
        ),
        (
            Proof(CASE.key, TwoSides(Trials(20, 0), Trials(0, 1)), further=3),
            "evidence 20/20 → 0/1, e = 3.5  ████████ → ░░░░░░░░"
            "  undecided, 3 more failures would prove it",
        ),
        (
            Proof(CASE.key, TwoSides(Trials(19, 1), Trials(1, 30))),
            "evidence 19/20 → 1/31, e = over a billion  ███████░ → █░░░░░░░"
            "  not proven, and more trials than one case may take would be needed",
        ),
        (
            Proof(CASE.key, TwoSides(Trials(), Trials(0, 2))),
            "evidence 0/2 now, undecided: no trial of the baseline counts, "
            "as what is pinned was chosen",
        ),
        (
            Proof(CASE.key, TwoSides(Trials(20, 0))),
            "evidence undecided: no trial with other inputs than the pinned ones",
        ),
        (
            Proof(CASE.key, TwoSides(Trials(20, 0)), is_due=True),
            "evidence undecided: no trial with the inputs of now yet",
        ),
        (None, ""),
    ],
)
def test_the_evidence_is_one_line_with_a_picture_of_both_rates(
    proof: Proof | None, said: str
) -> None:
    assert fallen(proof)[1] == said


@pytest.mark.parametrize(
    ("proof", "is_said"),
    [
        (Proof(CASE.key, SIDES, Standing.REGRESSED), True),
        (Proof(CASE.key, TwoSides(Trials(20, 0), Trials(0, 1)), further=3), True),
        (Proof(CASE.key, TwoSides(Trials(19, 1), Trials(1, 30))), False),
        (Proof(CASE.key, TwoSides(Trials(20, 0))), False),
    ],
)
def test_among_how_many_cases_it_is_weighed_is_said(proof: Proof, *, is_said: bool) -> None:
    row, _ = fallen(proof)

    def said(**asked: int) -> str:
        return text(evidence_parts(row, LOOK, **asked))

    of = ", of 1,048 that edits can affect"
    assert said(affected=1048) == said() + (of if is_said else "")
    assert said(affected=1) == said()


_AMONG = "of 48 that edits can affect"


@pytest.mark.parametrize(
    ("width", "said", "picture"),
    [
        (100, [f"…  ████████ → ░░░░░░░░  regressed, {_AMONG}"], ""),
        (60, ["…  regressed", f"  ████████ → ░░░░░░░░, {_AMONG}"], ""),
        (45, ["…  regressed", _AMONG], "  ████████ → ░░░░░░░░"),
        (20, ["…  regressed", _AMONG], ""),
    ],
)
def test_what_does_not_fit_beside_the_figures_stands_below_them(
    width: int, said: list[str], picture: str
) -> None:
    row, _ = fallen(Proof(CASE.key, SIDES, Standing.REGRESSED))
    lines, below = evidence_lines(row, LOOK, width, affected=48)
    figures = "evidence 20/20 → 0/4, e = 1703"
    assert [text(one) for one in lines] == [one.replace("…", figures) for one in said]
    assert text(below) == picture


@pytest.mark.parametrize(("width", "room"), [(58, 45), (76, 12), (56, 7), (44, 9)])
def test_among_how_many_it_is_weighed_is_said_however_little_room_there_is(
    width: int, room: int
) -> None:
    row, _ = fallen(Proof(CASE.key, SIDES, further=3))
    builder = TextBuilder(LOOK, width)
    write_head(builder, row, "agent", 9.0, room=room, affected=48)
    said = "\n".join("".join(one.text for one in line.segments) for line in builder.lines)
    assert _AMONG in said
    assert "3 more failures would prove it" in " ".join(said.split())


def text(parts: list[Part]) -> str:
    return "".join(part if isinstance(part, str) else part[0] for part in parts)


def test_what_is_muted_is_not_weighed() -> None:
    row, _ = fallen(Proof(CASE.key, SIDES))
    row.muted, row.against = "known", None
    assert evidence_parts(row, LOOK)[-1][0] == "  not weighed while it is muted"


def test_a_row_says_how_many_calls_would_settle_it() -> None:
    proof = Proof(CASE.key, TwoSides(Trials(20, 0), Trials(0, 1)), further=3)
    row, _ = fallen(proof)
    assert "3 more settle it" in note_of(row)[0]
    row.proof = replace(proof, further=1)
    assert "1 more settles it" in note_of(row)[0]
    row.proof = replace(proof, standing=Standing.REGRESSED, further=None)
    assert "settle" not in note_of(row)[0]


def test_what_is_short_of_one_side_says_why_nothing_can_be_proven_of_what_moved() -> None:
    row, _ = fallen(Proof(CASE.key, SIDES, Standing.REGRESSED))
    assert evidence_of(row) == "20/20 → 0/4, e = 1703"
    row, _ = fallen(Proof(CASE.key, TwoSides(Trials(20, 0), Trials(0, 1)), further=3))
    would = "undecided, 3 more failures would prove it"
    assert evidence_of(row) == f"20/20 → 0/1, e = 3.5: {would}"
    row, _ = fallen(Proof(CASE.key, TwoSides(Trials(), Trials(0, 2))))
    assert evidence_of(row) == "0/2 now, undecided: no trial of the baseline counts"
    row.against = None
    assert evidence_of(row) == ""


def test_what_passed_at_times_looks_neither_empty_nor_full() -> None:
    assert picture(Trials(99, 1), LOOK) == "███████░"
    assert picture(Trials(1, 99), LOOK) == "█░░░░░░░"
    assert picture(Trials(1, 1), LOOK) == "████░░░░"
