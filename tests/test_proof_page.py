"""What the page about proofs says of figures is so."""

import re
from pathlib import Path

from evaltui.core.audited import Audited, RanOfSave
from evaltui.core.statistics.proven import bar, failures_to_prove
from evaltui.core.statistics.trials import Trials, TwoSides

PAGE = (Path(__file__).parent.parent / "docs" / "guide" / "proof.md").read_text(encoding="utf-8")


def test_a_fall_takes_so_many_failures() -> None:
    (affected, *_) = re.findall(r"of (\d+) cases an edit can affect \| of (\d+) \|", PAGE)
    rows = re.findall(r"^\| (\d+) of (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 4
    for passes, trials, *said in rows:
        sides = TwoSides(Trials(int(passes), int(trials) - int(passes)))
        for cases, failures in zip(affected, said, strict=True):
            found = failures_to_prove(sides, bar(1, int(cases), 0.1), 100)
            assert found == int(failures), (passes, trials, cases)


def test_the_bound_is_said_as_in_the_header() -> None:
    told = Audited(drawn=20, moved=0, others=128)
    ran = RanOfSave(certain=34, drawn=20, not_run=108, at_most=told.at_most)
    assert f"`{ran.words}`, `{ran.bound}`" in PAGE
