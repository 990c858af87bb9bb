"""What the trials of a case prove, in one line with a small picture of both rates."""

from evaltui.core.proof import Proof, Standing, settled_in_words
from evaltui.core.statistics.trials import Trials
from evaltui.store.row import Row
from evaltui.tui.render.glyphs import FLAKY, IMPROVED, MOVED, REGRESSED, Mark
from evaltui.tui.render.look import Look
from evaltui.tui.render.text_builder import Part

CELLS = 8
"""Of the picture of a rate."""


def evidence_of(row: Row) -> str:
    """`20/20 → 0/4, e = 1703`; empty where there are not trials on both sides."""
    proof = row.proof
    return str(proof) if proof is not None and _has_both(proof) else ""


def evidence_parts(row: Row, look: Look) -> list[Part]:
    """`evidence 20/20 → 0/4, e = 1703  ████████ → ░░░░░░░░  regressed`; nothing where no trial says
    anything of the case."""
    proof = row.proof
    if proof is None or row.baseline is None:
        return []
    sides = proof.sides
    if not _has_both(proof):
        if not row.moved and not row.moved_up:
            return []
        known = f"{sides.now} now, " if sides.now.count else ""
        side = "now" if sides.baseline.count else "the baseline counts: what is pinned was chosen"
        return [("evidence ", "quiet"), (f"{known}undecided, no trial of {side}", "case-stale")]
    mark = _MARK[proof.standing] if proof.standing is not Standing.OPEN else _open(row, proof)
    arrow = look.symbols.arrow
    settled = settled_in_words(proof, has_moved=row.moved, is_muted=bool(row.muted))
    return [
        ("evidence ", "quiet"),
        (str(proof).replace("→", arrow), mark.variable),
        (f"  {picture(sides.baseline, look)} {arrow} {picture(sides.now, look)}", "quiet"),
        (f"  {settled}", mark.variable),
    ]


def picture(trials: Trials, look: Look) -> str:
    """The share that passed as a bar; one that passed at times is neither empty nor full."""
    full = round(CELLS * trials.passes / trials.count)
    if 0 < trials.passes < trials.count:
        full = min(CELLS - 1, max(1, full))
    return look.symbols.bar_full * full + look.symbols.bar_empty * (CELLS - full)


def _has_both(proof: Proof) -> bool:
    return bool(proof.sides.baseline.count and proof.sides.now.count)


def _open(row: Row, proof: Proof) -> Mark:
    return MOVED if row.moved or not proof.is_flaky else FLAKY


_MARK = {Standing.REGRESSED: REGRESSED, Standing.IMPROVED: IMPROVED}
