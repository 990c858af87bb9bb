"""Whatever an agent does costs the case that met it, with the right status, and the run goes on."""

import time
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.projects import case, make_project, write_suite
from tests.test_robustness.agent_server import agent_server
from tests.test_robustness.command import newest_result, result_documents

WAYS = ["drop", "drop-midway", "html", "500", "half", "list", "nonsense", "huge", "endless"]


def ask(root: Path, *messages: str) -> None:
    """One case for each message, and a good one before and after them."""
    make_project(root)
    (root / "evals" / "play_music.golden.json").unlink()
    cases = [case(m.partition(":")[0], m, "find_order") for m in ("good", *messages, "good-too")]
    for one in cases:
        del one["stubs"]
    write_suite(root, "find_order", cases)


def run(root: Path, *flags: str, latency_s: float = 0.0) -> tuple[int, dict[str, dict[str, Any]]]:
    """Exit code, and the cases of the result file by id."""
    with agent_server(latency_s) as url:
        code = run_command(["run", "-C", str(root), "--agent", url, *flags])
    (document,) = result_documents(root)
    return code, {one["id"]: one for one in document["cases"]}


@pytest.mark.parametrize("concurrency", ["1", "4"])
def test_each_costs_its_own_case_as_an_error(tmp_path: Path, concurrency: str) -> None:
    ask(tmp_path, *WAYS)
    code, cases = run(tmp_path, "--concurrency", concurrency)
    assert code == 1
    assert {id_: one["status"] for id_, one in cases.items()} == {
        "good": "passed",
        **dict.fromkeys(WAYS, "error"),
        "good-too": "passed",
    }
    for way in WAYS:
        assert cases[way]["error"].startswith("agent: "), "errors are told from failures"
        assert not cases[way]["passed"]
        assert len(cases[way]["error"]) < 1_000


def test_the_reasons_name_what_came_instead(tmp_path: Path) -> None:
    ask(tmp_path, "html", "500", "half", "huge")
    _, cases = run(tmp_path)
    assert "HTML" in cases["html"]["error"] or "Sign in" in cases["html"]["error"]
    assert "500" in cases["500"]["error"]
    assert "out of order" in cases["500"]["error"]
    assert "JSON" in cases["half"]["error"]
    assert "32 MiB" in cases["huge"]["error"]


def test_one_that_hangs_fails_by_timeout_and_is_no_error(tmp_path: Path) -> None:
    ask(tmp_path, "hang")
    started = time.monotonic()
    code, cases = run(tmp_path, "--timeout-ms", "300")
    assert code == 1
    assert time.monotonic() - started < 10
    assert cases["hang"]["status"] == "failed"
    assert cases["hang"]["error"].startswith("timeout")
    assert cases["hang"]["durationMs"] >= 300, "the time that really passed (A44)"
    assert [cases[id_]["status"] for id_ in ("good", "good-too")] == ["passed", "passed"]


def test_one_that_is_not_there_errs_in_every_case_and_regresses_in_none(tmp_path: Path) -> None:
    ask(tmp_path)
    with agent_server() as url:
        assert run_command(["run", "-C", str(tmp_path), "--agent", url]) == 0
        assert run_command(["baseline", "pin", "-C", str(tmp_path), "--agent", url]) == 0
    assert run_command(["run", "-C", str(tmp_path), "--agent", url]) == 1
    document = newest_result(tmp_path)
    assert document["errored"] == ["good", "good-too"]
    assert document["regressions"] == []
    assert document["summary"] | {"totalDurationMs": 0} == {
        "totalCases": 2,
        "passed": 0,
        "failed": 2,
        "skippedAssertions": 0,
        "totalDurationMs": 0,
        "errored": 2,
        "skippedCases": 0,
    }
