"""What the trials of a case prove, in one line with a small picture of both rates."""

from evaltui.core.proof import Proof, Standing, evidence_in_words, settled_in_words, why_unproven
from evaltui.core.statistics.trials import Trials
from evaltui.store.row import Row
from evaltui.tui.render.glyphs import FLAKY, IMPROVED, MOVED, REGRESSED, Mark
from evaltui.tui.render.look import Look
from evaltui.tui.render.text_builder import Part, cells

CELLS = 8
"""Of the picture of a rate."""


def evidence_of(row: Row) -> str:
    """`20/20 → 0/4, e = 1703`, and of a case that may be worse what would settle it, or why nothing
    can be proven; empty where there is nothing to say."""
    proof = row.proof
    if proof is None:
        return ""
    if row.may_be_worse and proof.standing is Standing.OPEN:
        return evidence_in_words(proof)
    return str(proof) if proof.sides.has_both else ""


def evidence_parts(row: Row, look: Look, *, affected: int = 0) -> list[Part]:
    """`evidence 20/20 → 0/4, e = 1703  ████████ → ░░░░░░░░  regressed`, then among how many cases;
    nothing where no trial says anything of the case.

    `affected`: how many cases those are among which it is weighed.
    """
    figures, rates, verdict, among = _parts(row, look, affected)
    return _joined([*figures, *rates, *verdict], among)


def evidence_lines(
    row: Row, look: Look, width: int, *, affected: int = 0
) -> tuple[list[list[Part]], list[Part]]:
    """The same within `width` cells: lines of what has to be said, among how many cases too, and
    the picture, where it stands in none of them and fits below."""
    figures, rates, verdict, among = _parts(row, look, affected)
    whole = _joined([*figures, *rates, *verdict], among)
    if cells(whole) <= width:
        return [whole] if whole else [], []
    lines, picture = [[*figures, *verdict]], rates if cells(rates) <= width else []
    if among:
        is_beside = bool(rates) and cells(_joined(rates, among)) <= width
        lines.append(_joined(rates, among) if is_beside else among)
        picture = [] if is_beside else picture
    return lines, picture


def _joined(said: list[Part], among: list[Part]) -> list[Part]:
    return [*said, (", ", "quiet"), *among] if said and among else said


def _parts(
    row: Row, look: Look, affected: int
) -> tuple[list[Part], list[Part], list[Part], list[Part]]:
    """The figures, the picture of both rates, what they prove, and among how many cases."""
    proof = row.proof
    if proof is None or row.baseline is None:
        return [], [], [], []
    sides = proof.sides
    if not proof.sides.has_both:
        if not row.moved and not row.moved_up:
            return [], [], [], []
        why = "" if sides.baseline.count else ", as what is pinned was chosen"
        return [("evidence ", "quiet"), (f"{why_unproven(proof)}{why}", "case-stale")], [], [], []
    mark = _MARK[proof.standing] if proof.standing is not Standing.OPEN else _open(row, proof)
    arrow = look.symbols.arrow
    settled = settled_in_words(proof, has_moved=row.may_be_worse, is_muted=bool(row.muted))
    figures: list[Part] = [
        ("evidence ", "quiet"),
        (proof.in_words(has_moved=row.may_be_worse).replace("→", arrow), mark.variable),
    ]
    rates: Part = (
        f"  {picture(sides.baseline, look)} {arrow} {picture(sides.now, look)}",
        "quiet",
    )
    verdict: Part = (f"  {settled}", mark.variable)
    of = f"of {affected:,} that edits can affect"
    is_weighed = proof.standing is not Standing.OPEN or row.is_undecided
    among: list[Part] = [(of, "quiet")] if is_weighed and affected > 1 else []
    return figures, [rates], [verdict], among


def picture(trials: Trials, look: Look) -> str:
    """The share that passed as a bar; one that passed at times is neither empty nor full."""
    full = round(CELLS * trials.passes / trials.count)
    if 0 < trials.passes < trials.count:
        full = min(CELLS - 1, max(1, full))
    return look.symbols.bar_full * full + look.symbols.bar_empty * (CELLS - full)


def _open(row: Row, proof: Proof) -> Mark:
    return MOVED if row.moved or not proof.is_flaky else FLAKY


_MARK = {Standing.REGRESSED: REGRESSED, Standing.IMPROVED: IMPROVED}
