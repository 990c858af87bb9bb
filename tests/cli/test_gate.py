"""`evaltui gate`: what ends it without a decision lets nothing pass, no older decision either."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.cli.parser import make_parser
from tests.evidence.gates.test_gating import REPORT
from tests.evidence.made_packs import made_pack, read

WEAK = ("gate", "--compare", "delta.json", "--min-pass-rate", "0")
DECISION = Path("gate_decision.json")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that passes by a weak flag, as an older decision says."""
    monkeypatch.chdir(tmp_path)
    Path("delta.json").write_text(json.dumps(REPORT))
    assert run_command(WEAK) == 0
    assert decision()["passed"]


def decision() -> Any:
    return json.loads(DECISION.read_bytes())


def in_config(make: Callable[[Path], object]) -> Callable[[], object]:
    def made() -> None:
        Path("config").mkdir()
        make(Path("config/gate.json"))

    return made


def pipe(file: Path) -> None:
    os.mkfifo(file)


UNREADABLE = {
    "dangling": in_config(lambda file: file.symlink_to("nowhere.json")),
    "loop": in_config(lambda file: file.symlink_to("gate.json")),
    "folder": in_config(lambda file: file.mkdir()),
    "pipe": in_config(pipe),
    "device": in_config(lambda file: file.symlink_to("/dev/null")),
    "config dangling": lambda: Path("config").symlink_to("nowhere"),
    "config loop": lambda: Path("config").symlink_to("config"),
}


@pytest.mark.timeout(30)
@pytest.mark.skipif(sys.platform == "win32", reason="has no named pipes in folders")
@pytest.mark.parametrize("make", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_thresholds_that_cannot_be_read_are_not_none(make: Callable[[], object]) -> None:
    make()
    assert run_command(WEAK) == 1
    assert not decision()["passed"]
    (why,) = decision()["failures"]
    assert "`config/gate.json`: " in why
    assert why.endswith(("Check the path.", "Name a file.", "Correct that and try again."))


@pytest.mark.parametrize(
    "make", [lambda: None, lambda: Path("config").mkdir(), Path("config").touch]
)
def test_where_there_are_none_flags_are_enough(make: Callable[[], object]) -> None:
    make()
    assert run_command(WEAK) == 0


@pytest.mark.parametrize(
    "wrong", [("--min-pass-rate", "much"), ("--no-such-flag",), ("--max-regressed-cases",)]
)
def test_a_command_line_that_is_refused_lets_no_older_decision_stand(
    wrong: tuple[str, ...],
) -> None:
    assert run_command([*WEAK, *wrong]) == 2
    assert not decision()["passed"]
    DECISION.unlink()
    assert run_command([*WEAK, *wrong]) == 2
    assert not DECISION.exists(), "there was none to stand"


def test_of_one_that_names_no_report_nothing_is_written() -> None:
    assert run_command(["gate", "--min-pass-rate", "0"]) == 2
    assert run_command(["gate", "--compare"]) == 2
    assert run_command(["gate", "--help"]) == 0
    assert decision()["passed"]


def test_beside_a_report_that_is_not_there_nothing_is_written() -> None:
    Path("other").mkdir()
    typo = ["gate", "--compare", "other/nope.json", "--min-pass-rate", "0"]
    assert run_command(typo) == 1
    assert [*Path("other").iterdir()] == []
    assert run_command([*typo, "--out", str(DECISION)]) == 1
    assert not decision()["passed"], "that was asked for"
    why = "`other/nope.json`: No such file or directory. Check the path."
    assert decision()["failures"] == [why]


def test_the_line_of_json_says_why_a_release_does_not_pass(capsys: Any) -> None:
    capsys.readouterr()
    assert run_command(["gate", "--compare", "delta.json", "--min-pass-rate", "0.95"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["failures"] == decision()["failures"] != []
    assert run_command(WEAK) == 0
    assert "failures" not in json.loads(capsys.readouterr().out)


DIGITS = "9" * 6000


@pytest.mark.parametrize("name", ["delta.json", "config/gate.json", ".agent_eval/registry.json"])
def test_a_number_of_thousands_of_digits_lets_nothing_pass(name: str, capsys: Any) -> None:
    file = Path(name)
    file.parent.mkdir(exist_ok=True)
    file.write_text(f'{{"max_total_cost_usd": {DIGITS}}}')
    capsys.readouterr()
    assert run_command([*WEAK, "--apply-waivers", "--baseline-name", "main"]) == 1
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["code"], name in error["message"]) == ("validation_error", True)
    assert decision()["failures"] == [error["message"]]


@pytest.mark.parametrize("error", [RuntimeError("a bug"), RecursionError(), KeyboardInterrupt()])
def test_nor_does_what_nobody_thought_of(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(*_: object) -> None:
        raise error

    monkeypatch.setattr("evaltui.evidence.compared.compared_packs.wrong_packs", ends)
    assert run_command(WEAK) != 0
    assert decision()["failures"] == [str(error) or type(error).__name__]


NAMES = ["cases/a\0b", "/etc/hostname", "../x", "a/" * 3000 + "b", "/".join(["x"] * 1500)]


@pytest.mark.parametrize("name", NAMES, ids=lambda one: repr(one[:12]))
def test_a_manifest_may_name_what_no_file_can_be_called(name: str, capsys: Any) -> None:
    """And the pack is still looked at."""
    pack = made_pack(Path("p"))
    assert run_command(["compare", "--baseline", "p", "--candidate", "p"]) == 0
    command = ["gate", "--compare", "p/compare/baseline_delta.json", "--min-pass-rate", "0"]
    assert run_command(command) == 0
    manifest = read(pack / "manifest.json")
    manifest["file_hashes"] = {name: "0", **manifest["file_hashes"]}
    (pack / "manifest.json").write_text(json.dumps(manifest))
    assert run_command(command) == 1
    assert not read(pack / "compare/gate_decision.json")["passed"]
    capsys.readouterr()
    assert run_command(["./p"]) == 1
    told = capsys.readouterr()
    assert "nothing of this can be relied on" in told.out
    assert not told.err


@pytest.mark.parametrize("name", ["manifest.json", "report.json", "compare/gate_decision.json"])
def test_a_pack_with_a_number_of_thousands_of_digits_is_looked_at(name: str, capsys: Any) -> None:
    pack = made_pack(Path("p"))
    (pack / name).parent.mkdir(exist_ok=True)
    (pack / name).write_text(f'{{"generated_at": {DIGITS}}}')
    capsys.readouterr()
    assert run_command(["./p"]) == int(not name.startswith("compare"))
    told = capsys.readouterr()
    assert "thousands of digits" in told.out or "was changed after" in told.out
    assert not told.err


@pytest.mark.parametrize(
    ("flag", "text", "kind"),
    [
        ("--max-regressed-cases", "1_0", "number"),
        ("--max-regressed-cases", "٣", "number"),
        ("--min-pass-rate", "0_1", "number"),
        ("--min-pass-rate", "٠", "number"),
    ],
)
def test_a_threshold_is_typed_as_people_write_numbers(
    flag: str, text: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        make_parser(["gate"]).parse_args(["gate", "--compare", "x", flag, text])
    assert ended.value.code == 2
    assert f"invalid {kind} value: '{text}'" in capsys.readouterr().err
    flags = make_parser(["gate"]).parse_args(["gate", "--compare", "x", flag, "1"])
    assert 1 in vars(flags).values()
