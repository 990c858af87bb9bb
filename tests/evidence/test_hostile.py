"""Input that means harm, or is broken: refused or survived, and nothing is written elsewhere."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.disk.atomic import safe_name
from tests.evidence.made_packs import made_pack, read, says, suite_of

PATHS = (
    "../../../x",
    "/abs/x",
    "a/b",
    "..",
    ".",
    "C:\\x",
    "con",
    "a\0b",
    "x" * 500,
    "\u202egnp.exe",
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inside = tmp_path / "one" / "two" / "three"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    return tmp_path


def run(suite: Path | str, *flags: str) -> int:
    return run_command(["run", "--suite", str(suite), "--out", "pack", *flags])


def error(capsys: Any) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(capsys.readouterr().err.splitlines()[-1])["error"]
    return said


def test_ids_that_are_paths_stay_in_the_pack(here: Path) -> None:
    suite = suite_of(Path("s.json"), *(says(one, "yes") for one in PATHS))
    made_pack(Path("pack"), suite)
    outside = [one for one in here.rglob("*") if one.is_file() and "pack" not in one.parts]
    assert [one.name for one in outside] == ["s.json"]
    ids = [one["case_id"] for one in read(Path("pack/report.json"))["cases"]]
    assert ids == list(PATHS)
    assert len(list(Path("pack/cases").iterdir())) == len(PATHS)
    assert run_command(["replay", "--run", "pack"]) == 0


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("shards", [0, 2])
def test_an_id_that_is_the_folder_of_another_is_refused(
    shards: int, is_turned: bool, capsys: Any
) -> None:
    ids = ["../../../x", safe_name("../../../x")]
    suite = suite_of(Path("s.json"), *(says(one, "yes") for one in sorted(ids, reverse=is_turned)))
    run = ["run", "--suite", str(suite), "--run-id", "r", "--out"]
    if not shards:
        assert run_command([*run, "pack"]) == 1
    else:
        for part in ("1", "2"):
            assert run_command([*run, part, "--shard", f"{part}/2"]) == 0
        capsys.readouterr()
        assert run_command(["merge", "1", "2", "--out", "pack"]) == 1
    said = json.loads(capsys.readouterr().err)["error"]
    assert said["code"] == "validation_error"
    assert all(f"`{one}`" in said["message"] for one in ids)
    assert not Path("pack").exists()


@pytest.mark.parametrize("depth", [100, 900, 100_000])
def test_nesting_is_refused_or_judged(depth: int, capsys: Any) -> None:
    deep = "[" * depth + "]" * depth
    case = '{"case_id": "c", "trace": [{"idx": 0, "actor": "a", "type": "m", "output": DEEP}]}'
    suite = f'{{"dataset_id": "d", "cases": [{case}]}}'
    Path("s.json").write_text(suite.replace("DEEP", deep))
    code = run("s.json", *(f"--judge={name}" for name in ("regex", "prompt_injection")))
    if code:
        assert error(capsys)["code"] == "validation_error"
        assert not Path("pack").exists()
    else:
        assert read(Path("pack/run/summary.json"))["total_cases"] == 1


@pytest.mark.parametrize(
    "patterns", [["("], ["[", "yes"], ["(?P<a>x)(?P<a>y)"], ["a{99999999999}"]]
)
def test_a_bad_pattern_fails_its_case_alone(patterns: list[str]) -> None:
    cases = says("bad", "yes") | {"regex_patterns": patterns}, says("good", "yes")
    assert run(suite_of(Path("s.json"), *cases)) == 0
    found = read(Path("pack/judges/regex.json"))
    assert [one["passed"] for one in found] == [False, True]
    assert found[0]["category"] == "parse_error"


def test_a_pattern_that_never_ends_is_given_up() -> None:
    case = says("c", "a" * 40 + "!") | {"regex_patterns": ["^(a+)+$"]}
    Path("judges.json").write_text('{"regex": {"timeout_seconds": 0.3}}')
    assert run(suite_of(Path("s.json"), case), "--judge-config", "judges.json") == 0
    (found,) = read(Path("pack/judges/regex.json"))
    assert (found["passed"], found["category"]) == (False, "timeout")


@pytest.mark.slow
def test_a_huge_event_is_judged() -> None:
    case = says("c", "x" * (20 << 20) + " yes")
    assert run(suite_of(Path("s.json"), case)) == 0
    assert read(Path("pack/run/summary.json"))["pass_rate"] == 1
    assert run_command(["replay", "--run", "pack"]) == 0


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_none_is_refused_with_its_place(number: str, capsys: Any) -> None:
    case = '{"case_id": "c", "input": NUMBER}'.replace("NUMBER", number)
    Path("s.json").write_text(f'{{"dataset_id": "d",\n "cases": [{case}]}}')
    assert run("s.json") == 1
    said = error(capsys)
    place = said["details"].get("line"), said["details"].get("key")
    assert place == ((None, "cases[0]") if number == "1e999" else (2, None))
    assert not Path("pack").exists()


@pytest.mark.parametrize(
    "suite",
    [
        [],
        {"cases": None},
        {"cases": [{}]},
        {"cases": [{"case_id": "c", "trace": "x"}]},
        {"cases": [{"case_id": "c", "policy": []}]},
        {"cases": [{"case_id": "c", "trace": ["event"]}]},
        {"cases": [{"case_id": "c", "trace": [{"latency_ms": "20"}]}]},
        {"cases": [{"case_id": "c", "regex_patterns": "done"}]},
        {"cases": [{"case_id": "c", "tool_contracts": []}]},
        {"cases": [{"case_id": "c"}, {"case_id": "c"}]},
        {"cases": {"a": 1}},
        {"dataset_id": [], "cases": []},
    ],
)
def test_a_suite_of_another_form_is_refused_and_nothing_is_written(suite: Any, capsys: Any) -> None:
    Path("s.json").write_text(json.dumps(suite))
    assert run("s.json") == 1
    assert error(capsys)["code"] == "validation_error"
    assert not Path("pack").exists()


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"", b"{", b'{"cases": ["\xed\xa0\x80"]}'])
def test_what_is_no_text_or_no_json_is_refused(data: bytes, capsys: Any) -> None:
    Path("s.json").write_bytes(data)
    assert run("s.json") == 1
    assert error(capsys)["code"] in ("invalid_json", "validation_error")


@pytest.mark.slow
def test_no_entry_of_a_registry_is_lost_to_another_process() -> None:
    """Each adds its own, all at once."""
    code = (
        "import sys; from pathlib import Path; from evaltui.evidence.registry import add_dataset\n"
        "for n in range(5):\n"
        "    add_dataset(Path('registry.json'), Path('s.json'), dataset_id=f'{sys.argv[1]}-{n}',"
        " tags=[])"
    )
    suite_of(Path("s.json"), says("c", "yes"))
    started = [subprocess.Popen([sys.executable, "-c", code, str(n)]) for n in range(4)]
    assert [one.wait(60) for one in started] == [0] * 4
    assert len(read(Path("registry.json"))["datasets"]) == 20
