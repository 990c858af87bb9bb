"""The outcome of an interleaved comparison in words."""

from collections.abc import Iterator, Sequence

from evaltui.core.ab_report import AbPair, AbReport
from evaltui.core.measured_number import dollars
from evaltui.core.proof import NEEDS_TOO_MANY, Proof, Standing


def lines(report: AbReport) -> Iterator[str]:
    """The report in words, a line each."""
    sides = f"{report.before} → {report.now}"
    who = report.agents[1] if len(set(report.agents)) == 1 else " → ".join(report.agents)
    yield f"{sides}{'' if who == sides else f', {who}'} (seed {report.seed})"
    if not report.pairs:
        cases = "one case depends" if report.cases == 1 else f"{report.cases:,} cases depend"
        yield f"Nothing that the {cases} on differs between the two."
        yield from tools_in_force(report.as_now, report.unread)
        return
    cost = "" if report.cost_usd is None else f", {dollars(report.cost_usd)}"
    can = f"{len(report.pairs):,} of {report.cases:,} cases can differ"
    yield f"{can} · {report.calls:,} trials{cost}"
    yield from tools_in_force(report.as_now, report.unread)
    if report.muted:
        cases = "1 muted case" if report.muted == 1 else f"{report.muted:,} muted cases"
        yield f"{cases} not asked: what they answer does not count."
    if report.stopped:
        yield report.cut_short[0].upper() + report.cut_short[1:]
    for keys, mark in ((report.worse, "↓ regressed"), (report.better, "↑ improved")):
        for key in keys:
            yield _proven_line(report, report.proofs[key], mark)
    for is_up, mark in ((False, "↓? moved"), (True, "↑? moved up")):
        for key, further in report.moved(is_up=is_up).items():
            yield f"{mark}  {key}  {report.pairs[key].sides}  {_further(further, is_up=is_up)}"
    yield from _what_is_missing(report)
    if (whole := report.whole) is not None:
        yield from whole.lines()


def _what_is_missing(report: AbReport) -> Iterator[str]:
    """Which answers are missing in the figures, and why: a line for each way to be missing."""
    unjudged = [pair for pair in report.pairs.values() if not pair.sides.has_both]
    if unjudged:
        said = f"! {len(unjudged):,} of them have no answer from both sides, and do not count"
        why = _why_unjudged(unjudged, report.stopped)
        yield f"{said}: {why}" if why else f"{said}."
    if report.incomplete:
        before = sum(pair.lost_before for pair in report.incomplete)
        now = sum(pair.lost_now for pair in report.incomplete)
        attempts = "1 attempt" if before + now == 1 else f"{before + now:,} attempts"
        cases = "1 case" if len(report.incomplete) == 1 else f"{len(report.incomplete):,} cases"
        yield (
            f"! {attempts} got no answer ({before:,} before, {now:,} now), in {cases}: "
            f"the others do not tell how these would have gone: {report.incomplete[0].why_lost}"
        )


def _why_unjudged(pairs: Sequence[AbPair], stopped: str) -> str:
    """The reason of a pair that was answered now is that of its failure there, and none for this.
    `stopped`: why not all trials were made."""
    left = [pair for pair in pairs if not pair.errors]
    skipped = (pair.reason for pair in left if not pair.sides.now.count)
    return next(filter(None, (stopped if left else "", *(p.why_lost for p in pairs), *skipped)), "")


_MOST_NAMED = 6
"""Sources and files that are named one by one."""


def tools_in_force(names: Sequence[str], unread: Sequence[str]) -> Iterator[str]:
    """Which tools no commit tells, and why some cannot be read: a line for each, and one for all
    that are too many to be named."""
    for why in unread[:_MOST_NAMED]:
        yield f"Not all tools can be read now: {why}"
    if len(unread) > _MOST_NAMED:
        yield f"For {len(unread) - _MOST_NAMED:,} other reasons too; `--json` names them."
    for name in names[:_MOST_NAMED]:
        yield f"`{name}` is the same on both sides: no commit contains what is read there."
    if len(names) > _MOST_NAMED:
        yield f"So are {len(names) - _MOST_NAMED:,} others; `--json` names them."


def _proven_line(report: AbReport, proof: Proof, mark: str) -> str:
    said = f"{mark}  {proof.key}  {proof if report.is_weighed(proof.key) else proof.sides}"
    reason = report.pairs[proof.key].reason
    is_down = proof.standing is Standing.REGRESSED
    return f"{said}  {reason}" if is_down and reason else said


def _further(further: int | None, *, is_up: bool) -> str:
    """Undecided is what may have become worse: further trials are for that alone."""
    if further is None:
        return NEEDS_TOO_MANY
    trials = "1 trial" if further == 1 else f"{further} trials"
    word = "not proven" if is_up else "undecided"
    return f"{word}: {trials} more a side would prove it, if they all went that way"
