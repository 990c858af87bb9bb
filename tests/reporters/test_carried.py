"""A run of some cases of a suite: every report says what this run was, and what counts besides."""

import io
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from evaltui.cli.fail_on import why_failed
from evaltui.core.case import CaseKey
from evaltui.core.events import CaseFinished, Event, RunFinished, RunStarted
from evaltui.core.result import CaseStatus
from evaltui.reporters import make_reporter
from tests.reporters.scene import events, result, suite, tell

OTHERS = (
    "2 other cases of this suite were not run now and count, for the exit code too, with their "
    "last result: 0/1 passed, 1 failed, 1 muted, 1 regressed."
)
THREE = suite("a", ["ran", "fell", "quiet"])
KEYS = {case.key.case: case.key for case in THREE.cases}


def heard(*, resumed: Iterable[CaseKey] = ()) -> list[Event]:
    """One case ran; of the others the results of an earlier run are there."""
    results = [
        result(THREE, "ran"),
        result(THREE, "fell", CaseStatus.FAILED, carried_from="run-0", duration_ms=70.0),
        result(THREE, "quiet", CaseStatus.FAILED, carried_from="run-0"),
    ]
    mutes = {str(KEYS["quiet"]): "known"}
    told = events([THREE], results, mutes=mutes, regressions=("fell",))
    is_carried = {KEYS["fell"], KEYS["quiet"]}
    return [
        replace(one, cases=(KEYS["ran"],), resumed=tuple(resumed))
        if isinstance(one, RunStarted)
        else one
        for one in told
        if not (isinstance(one, CaseFinished) and one.result.key in is_carried)
    ]


def report(name: str, told: list[Event]) -> str:
    out = io.StringIO()
    tell(make_reporter(name, out), told)
    return out.getvalue()


def counts(told: list[Event]) -> Mapping[str, str]:
    root = ElementTree.fromstring(report("junit", told).encode())
    return {name: root.attrib[name] for name in ("tests", "failures", "skipped", "time")}


def test_every_report_has_the_figures_of_what_ran() -> None:
    assert "  1/1 passed | 0 failed |" in report("console", heard())
    said = report("markdown", heard()).splitlines()
    assert said[0].startswith("## 1/1 evals passed")
    assert said[2].startswith("0 failed · 0 errors · 0 regressed")
    assert any(
        line.startswith("| `evals/a.golden.json` | golden | 1 | 0 | 0 | 0 |") for line in said
    )
    assert counts(heard()) == {"tests": "3", "failures": "0", "skipped": "2", "time": "0.005"}


@pytest.mark.parametrize("name", ["console", "markdown"])
def test_what_the_others_count_as_is_said_since_the_exit_code_is_of_them_too(name: str) -> None:
    assert OTHERS in report(name, heard())
    finished = [one for one in heard() if isinstance(one, RunFinished)]
    assert why_failed(finished, ["failures"], {str(KEYS["quiet"])})


def test_what_fell_before_is_told_as_of_then() -> None:
    assert "REGRESSION fell (not run now): why fell" in report("console", heard())
    assert "| `fell` | ↓ regressed, not run now |" in report("markdown", heard())
    assert 'message="not run now; its last result: failed"' in report("junit", heard())


def test_what_an_interrupted_run_had_finished_ran() -> None:
    told = heard(resumed=(KEYS["fell"], KEYS["quiet"]))
    for name in ("console", "markdown"):
        assert "not run now" not in report(name, told)
    assert "1/2 passed | 1 failed | 1 muted" in report("console", told)
    assert counts(told)["failures"] == "1"


def test_where_all_ran_nothing_is_said_of_others() -> None:
    whole = events([THREE], [result(THREE, case) for case in KEYS])
    for name in ("console", "markdown", "junit"):
        assert "not run now" not in report(name, whole)
