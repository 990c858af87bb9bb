"""Names of data sets and baselines: kept whatever writes at the same time."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import UserError
from evaltui.evidence.registry import (
    add_dataset,
    read_registry,
    resolve_baseline,
    set_baseline,
)
from tests.evidence.made_packs import BAD, GOOD, made_pack, read, says, suite_of


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[int, Any]:
    capsys.readouterr()
    code = run_command(["registry", *flags])
    return code, json.loads(capsys.readouterr().out)


def test_a_suite_is_registered_and_listed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = suite_of(here / "s.json", says("a", "yes"))
    named = ("--suite", "s.json", "--dataset-id", "starter", "--tag", "b", "--tag", "a")
    code, told = asked(capsys, "dataset-add", *named, "--tag", "b")
    entry = told["dataset_registered"]
    assert (code, told["registry_path"]) == (0, ".agent_eval/registry.json")
    assert (entry["tags"], entry["case_count"]) == (["a", "b"], 1)
    assert entry["suite_path"] == str(suite.resolve())
    kept = read(here / ".agent_eval" / "registry.json")
    assert (kept["version"], kept["datasets"]) == ("0.1.0", {"starter": entry})
    assert asked(capsys, "dataset-list")[1]["count"] == 1
    suite_of(here / "s.json", {"case_id": "a", "policy": 1})
    assert run_command(["registry", "dataset-add", "--suite", "s.json"]) == 1


def test_a_run_gets_a_name_that_compare_knows(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_pack(here / "good", GOOD)
    made_pack(here / "bad", BAD)
    code, told = asked(capsys, "baseline-set", "--name", "main", "--run", "good")
    assert (code, told["baseline_set"]["run_id"]) == (0, "good")
    assert asked(capsys, "baseline-show", "--name", "main")[1]["baseline"] == told["baseline_set"]
    code, told = asked(capsys, "baseline-show", "--name", "other")
    assert (code, set(told)) == (1, {"error", "registry_path"})
    assert asked(capsys, "baseline-list")[1]["count"] == 1
    assert run_command(["compare", "--baseline", "main", "--candidate", "bad"]) == 0
    reference = read(here / "bad" / "compare" / "baseline_delta.json")["baseline_reference"]
    assert reference["registry_entry"]["name"] == reference["input"] == "main"
    assert reference["resolved_path"] == str((here / "good").resolve())


def test_another_run_in_the_place_of_a_baseline_is_refused(here: Path, capsys: Any) -> None:
    made_pack(here / "good", GOOD)
    made_pack(here / "bad", BAD)
    assert asked(capsys, "baseline-set", "--name", "main", "--run", "good")[0] == 0
    compare = ["compare", "--baseline", "main", "--candidate", "bad"]
    made_pack(here / "good", GOOD)  # the same once more
    assert run_command(compare) == 0
    again = ["run", "--out", "good", "--suite"]
    for suite, run, said in (
        (GOOD, "later", "is run `good`, but"),
        (BAD, "good", "holds other evidence than was registered"),
    ):
        assert run_command([*again, str(suite), "--run-id", run]) == 0
        capsys.readouterr()
        assert run_command(compare) == 1
        assert said in json.loads(capsys.readouterr().err)["error"]["message"]
    assert run_command(["compare", "--baseline", "./good", "--candidate", "bad"]) == 0


def test_a_baseline_that_was_judged_by_other_settings_is_refused(here: Path, capsys: Any) -> None:
    """Though its verdicts are the same."""
    for name, limit in (("strict", 1), ("lax", 99)):
        settings = {"loop_guard": {"max_steps": 10 * limit}}
        (here / f"{name}.json").write_text(json.dumps(settings))
    judges = ("--judge", "regex", "--judge", "loop_guard", "--judge-config")
    suite = suite_of(here / "s.json", says("a", "yes"))
    made_pack(here / "base", suite, *judges, "strict.json")
    made_pack(here / "new", suite, *judges, "lax.json")
    assert asked(capsys, "baseline-set", "--name", "main", "--run", "base")[0] == 0
    compare = ["compare", "--baseline", "main", "--candidate", "new", "--allow-incompatible"]
    assert run_command(compare) == 0
    made_pack(here / "base", suite, *judges, "strict.json")
    assert run_command(compare) == 0, "the same once more"
    made_pack(here / "base", suite, *judges, "lax.json")
    capsys.readouterr()
    assert run_command(compare) == 1
    assert (
        "was judged otherwise than what is registered as baseline `main`"
        in (json.loads(capsys.readouterr().err)["error"]["message"])
    )
    registry = here / ".agent_eval" / "registry.json"
    known = read(registry)
    del known["baselines"]["main"]["judging_sha256"]
    registry.write_text(json.dumps(known))
    assert run_command(compare) == 0, "an entry of an earlier version holds what it did"


@pytest.mark.parametrize("name", ["cases/case-1/trajectory.json", "judges/policy.json"])
@pytest.mark.parametrize("command", ["baseline-set", "baseline-promote"])
def test_a_pack_that_was_changed_gets_no_name(
    command: str, name: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where nothing was changed that `compare` reads."""
    made_pack(here / "good", GOOD)
    (here / "good" / name).write_text("{}")
    who = ("--approved-by", "me", "--rationale", "why") if command == "baseline-promote" else ()
    assert run_command(["registry", command, "--name", "main", "--run", "good", *who]) == 1
    assert f"{name}` was changed" in capsys.readouterr().err


@pytest.mark.parametrize("empty", ["--name", "--approved-by"])
def test_a_baseline_without_a_name_or_an_approval_of_nobody_is_refused(
    empty: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_pack(here / "good", GOOD)
    flags = {"--name": "main", "--run": "good", "--approved-by": "me", "--rationale": "why"}
    words = [word for pair in {**flags, empty: " "}.items() for word in pair]
    assert run_command(["registry", "baseline-promote", *words]) == 2
    assert f"{empty} is empty" in capsys.readouterr().err
    assert run_command(["registry", "baseline-set", "--name", "", "--run", "good"]) == 2
    assert not Path(".agent_eval").exists()


def test_a_name_that_is_a_folder_too_is_not_guessed(here: Path) -> None:
    registry = Path("registry.json")
    set_baseline(registry, "main", made_pack(here / "good"))
    assert resolve_baseline("main", registry)[0] == here / "good"
    (here / "main").mkdir()
    with pytest.raises(UserError, match="a baseline and a folder"):
        resolve_baseline("main", registry)
    assert resolve_baseline("./main", registry) == (Path("main"), None)
    with pytest.raises(UserError, match="no run and no baseline"):
        resolve_baseline("mian", registry)


def test_no_entry_is_lost_whoever_writes_at_the_same_time(here: Path) -> None:
    suite = suite_of(here / "s.json", says("a", "yes"))
    registry = here / "registry.json"
    names = [f"set-{number}" for number in range(24)]
    with ThreadPoolExecutor(12) as threads:
        done = [threads.submit(add_dataset, registry, suite, dataset_id=n, tags=[]) for n in names]
        for one in done:
            one.result()
    assert sorted(read_registry(registry)["datasets"]) == sorted(names)


def test_what_other_programs_keep_there_stays(here: Path) -> None:
    registry = here / "registry.json"
    registry.write_text('{"version": "0.2.0", "waivers": [1], "datasets": {"a": {}}}')
    add_dataset(registry, suite_of(here / "s.json", says("a", "yes")), tags=[])
    kept = read(registry)
    assert (kept["version"], kept["waivers"]) == ("0.2.0", [1])
    assert set(kept["datasets"]) == {"a", "d"}


@pytest.mark.parametrize("text", ["[]", '{"datasets": []}', "{"])
def test_a_file_that_is_no_registry_is_left_as_it_is(text: str, here: Path) -> None:
    registry = here / "registry.json"
    registry.write_text(text)
    with pytest.raises(UserError):
        add_dataset(registry, suite_of(here / "s.json", says("a", "yes")), tags=[])
    assert registry.read_text() == text


@pytest.mark.parametrize("link", [".agent_eval", "names"])
def test_nothing_is_written_through_a_link_to_elsewhere(
    link: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = here / "outside"
    outside.mkdir()
    project = here / "project"
    project.mkdir()
    os.chdir(project)
    Path(link).symlink_to(outside)
    pack = str(made_pack(Path("runs/a")))
    named = ["registry", "baseline-set", "--name", "main", "--run", pack]
    path = f"{link}/registry.json"
    assert run_command([*named, "--registry-path", path]) == 1
    assert f"`{link}` is a link, or below one, that leads to `{outside}`" in capsys.readouterr().err
    assert [*outside.iterdir()] == []
    assert run_command([*named, "--registry-path", str(outside / "registry.json")]) == 0
    assert run_command([*named, "--registry-path", "../outside/registry.json"]) == 0
    Path(link).unlink()
    Path(link).symlink_to("runs")  # within the folder it may lead anywhere
    assert run_command([*named, "--registry-path", path]) == 0


def test_a_link_that_leads_nowhere_is_no_empty_registry(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "loop.json").symlink_to("loop.json")
    for what in ("baseline-list", "dataset-list"):
        assert run_command(["registry", what, "--registry-path", "loop.json"]) == 1
        said = capsys.readouterr()
        assert (said.out, "loop.json" in said.err) == ("", True)
