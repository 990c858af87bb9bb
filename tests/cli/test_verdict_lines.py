"""Verdicts of a turn as `scenario run` and `runs show` write them."""

from evaltui.cli.verdict_lines import verdict_lines
from evaltui.core.verdict import CRITERIA, Verdict, VerdictStatus


def test_those_of_a_turn_stand_in_the_same_order_whichever_decided() -> None:
    kind = Verdict("polite", VerdictStatus.PASSED, "well")
    short = Verdict("short", VerdictStatus.FAILED, "too long")
    met = Verdict(CRITERIA, VerdictStatus.FAILED, "not met")
    told = [line.split()[2] for line in verdict_lines((met, kind, short))]
    assert told == ["criteria:", "polite:", "short:"]
    assert [*verdict_lines((kind, short, met))] == [*verdict_lines((met, kind, short))]
