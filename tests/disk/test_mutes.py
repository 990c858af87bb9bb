"""Muted cases with their reasons."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.errors import ChangedSinceError, Problem, UserError
from evaltui.disk.mutes import load_mutes, set_mutes
from tests.disk.samples import no_problem

KEY = CaseKey("evals/a.json", "gs-1")


def test_mute_and_unmute(tmp_path: Path) -> None:
    path = tmp_path / ".evaltui" / "mutes.json"
    assert load_mutes(path, no_problem) == {}
    set_mutes(path, {KEY: " flaky upstream "}, no_problem)
    both = {"evals/a.json::gs-1": "flaky upstream", "evals/b.json::ü": "slow"}
    assert set_mutes(path, {CaseKey("evals/b.json", "ü"): "slow"}, no_problem) == both
    assert load_mutes(path, no_problem) == both, "with what another process wrote"
    for _ in range(2):
        assert list(set_mutes(path, {KEY: ""}, no_problem)) == ["evals/b.json::ü"]
    assert list(load_mutes(path, no_problem)) == ["evals/b.json::ü"]


def test_of_several_all_are_muted_or_none(tmp_path: Path) -> None:
    path, other = tmp_path / "mutes.json", CaseKey("evals/a.json", "gs-2")
    set_mutes(path, {KEY: "theirs"}, no_problem)
    with pytest.raises(ChangedSinceError, match="muted by now: theirs"):
        set_mutes(path, {other: "mine", KEY: ""}, no_problem, {other: "", KEY: "mine"})
    assert load_mutes(path, no_problem) == {str(KEY): "theirs"}
    set_mutes(path, {other: "mine", KEY: ""}, no_problem, {other: "", KEY: "theirs"})
    assert load_mutes(path, no_problem) == {str(other): "mine"}


def test_a_reason_is_not_optional(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="needs a reason"):
        set_mutes(tmp_path / "mutes.json", {KEY: "  "}, no_problem)


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b"[" * 100_000])
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mutes.json"
    path.write_bytes(content)
    problems: list[Problem] = []
    assert set_mutes(path, {KEY: "why"}, problems.append) == {str(KEY): "why"}
    assert load_mutes(path, no_problem) == {str(KEY): "why"}
    assert [(problem.file, problem.code) for problem in problems] == [(str(path), "set-aside")]
    assert (tmp_path / "mutes.json.damaged").read_bytes() == content


def test_many_processes_mute_at_once(tmp_path: Path) -> None:
    path = tmp_path / "mutes.json"
    keys = [CaseKey("evals/a.json", f"gs-{number}") for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda key: set_mutes(path, {key: "why"}, no_problem), keys))
    assert set(load_mutes(path, no_problem)) == set(map(str, keys))
