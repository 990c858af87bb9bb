"""`evaltui import-trace` and `import-framework`: files, answers, exit codes, errors."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command

FIXTURES = Path(__file__).parent.parent / "fixtures"
CHAT = FIXTURES / "adapters" / "openai_chat.json"


class Import:
    """The command in a folder of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.out = folder / "suites" / "imported.json"
        self._capsys = capsys

    def write(self, *records: Any) -> Path:
        path = self.folder / "export.json"
        path.write_text(json.dumps(records))
        return path

    def run(self, path: Path, *flags: str, command: str = "import-trace") -> tuple[int, str, str]:
        """Exit code, standard output, standard error."""
        code = run_command([command, "--input", str(path), "--out", str(self.out), *flags])
        shown = self._capsys.readouterr()
        return code, shown.out, shown.err


@pytest.fixture
def importing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Import:
    return Import(tmp_path, capsys)


def test_a_suite_is_written_and_one_line_answered(importing: Import) -> None:
    flags = ("--dataset-id", "trains", "--case-prefix", "run")
    code, said, complaint = importing.run(CHAT, *flags)
    assert (code, complaint, said.count("\n")) == (0, "", 1)
    assert json.loads(said) == {
        "out": str(importing.out),
        "dataset_id": "trains",
        "cases": 2,
        "provider_case_counts": {"openai": 2},
        "diagnostics_count": 0,
    }
    suite = json.loads(importing.out.read_bytes())
    assert suite["dataset_id"] == "trains"
    assert [case["case_id"] for case in suite["cases"]] == ["run-1", "run-2"]
    assert suite["metadata"]["import_source"] == str(CHAT)
    check = ["schema", "validate", "--input", str(importing.out), "--strict"]
    assert run_command([*check, "--require-version", "1.0.0"]) == 0


def test_a_framework_is_counted_as_one(importing: Import) -> None:
    path = FIXTURES / "frameworks" / "autogen_team.json"
    code, said, _ = importing.run(path, command="import-framework")
    assert (code, json.loads(said)["framework_case_counts"]) == (0, {"autogen": 1})
    suite = json.loads(importing.out.read_bytes())
    assert suite["dataset_id"] == "framework-imported-suite"
    assert suite["metadata"]["selected_framework"] == "auto"
    assert suite["cases"][0]["metadata"]["source_framework"] == "autogen"
    assert suite["cases"][0]["trace"][0]["attributes"]["gen_ai.framework"] == "autogen"


def test_of_a_frameworks_stream_the_command_that_reads_it_is_named(
    importing: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = FIXTURES / "frameworks" / "langgraph_stream.json"
    advice = "it looks like `langgraph`, which `evaltui import-framework` reads"
    code, said, _ = importing.run(stream)
    assert (code, json.loads(said)["hint"]) == (1, advice)
    assert "hint" not in json.loads(importing.run(stream, command="import-framework")[1])
    assert "hint" not in json.loads(importing.run(importing.write({"messages": []}))[1])
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    *told, last = importing.run(stream)[1].splitlines()
    assert last == f"{stream}: no case in it; nothing was written; {advice}"
    assert any(advice in one for one in told)


def test_what_is_left_out_is_told_and_written(importing: Import) -> None:
    path = importing.write({"messages": [{"role": "user", "content": "a"}], "colour": 1}, {}, 3)
    notes = importing.folder / "notes.json"
    code, said, _ = importing.run(path, "--diagnostics-out", str(notes))
    assert (code, json.loads(said)["diagnostics_count"]) == (0, 3)
    metadata = json.loads(importing.out.read_bytes())["metadata"]
    assert json.loads(notes.read_bytes())["diagnostics"] == metadata["import_diagnostics"]
    first = metadata["import_diagnostics"][0]
    assert (first["record_index"], first["type"]) == (0, "unknown_top_level_fields")
    assert first["fields"] == ["colour"]
    counted = ("total_records", "imported_records", "dropped_records")
    assert [metadata[name] for name in counted] == [3, 1, 2]


def test_strict_refuses_and_writes_no_suite(importing: Import) -> None:
    path = importing.write({"messages": [{"role": "user", "content": "a"}], "colour": 1})
    code, said, complaint = importing.run(path, "--strict")
    error = json.loads(complaint)["error"]
    assert (code, said, error["code"]) == (1, "", "validation_error")
    assert f"{path}: 1 thing(s)" in error["message"]
    (problem,) = error["details"]["problems"]
    assert problem.startswith(f"{path}:1:")
    assert "colour" in problem
    assert not importing.out.exists()


def test_without_a_case_nothing_is_written_and_the_exit_code_is_1(importing: Import) -> None:
    code, said, complaint = importing.run(importing.write({"messages": []}))
    assert (code, complaint, json.loads(said)["cases"]) == (1, "", 0)
    assert not importing.out.exists()


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "file_not_found"), (b"{", "invalid_json"), (b"\xff", "validation_error")],
)
def test_a_file_that_cannot_be_read_is_an_error(
    content: bytes | None, code: str, importing: Import
) -> None:
    path = importing.folder / "export.json"
    if content is not None:
        path.write_bytes(content)
    found, said, complaint = importing.run(path)
    error = json.loads(complaint)["error"]
    assert (found, said, error["code"]) == (1, "", code)
    assert str(path) in error["message"]


def test_on_a_terminal_sentences_are_for_people(
    importing: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    path = importing.write({"messages": [{"role": "user", "content": "a"}], "colour": 1}, {})
    code, said, _ = importing.run(path)
    assert code == 0
    *told, wrote, lost = said.splitlines()
    assert len(told) == 2
    assert told[0].startswith(f"{path}:1:")
    assert "unknown: colour" in told[0]
    assert wrote == f"Wrote {importing.out}: 1 case(s), 1 of openai"
    assert lost == "1 of 2 records gave no case"


def test_a_provider_that_is_none_is_a_mistake_of_usage(importing: Import) -> None:
    with_name = importing.run(CHAT, "--provider", "oracle")
    assert with_name[0] == 2
    assert "openai" in with_name[2]


def test_strict_bears_what_is_kept_though_oddly(importing: Import) -> None:
    said = {"role": "tool", "tool_call_id": "c", "content": "of another record"}
    code, answer, _ = importing.run(importing.write({"messages": [said]}), "--strict")
    assert (code, json.loads(answer)["diagnostics_count"]) == (0, 1)


def test_a_place_that_is_a_folder_is_named(importing: Import) -> None:
    importing.out.mkdir(parents=True)
    code, _, complaint = importing.run(CHAT)
    error = json.loads(complaint)["error"]
    assert (code, error["message"]) == (1, f"`{importing.out}`: Is a directory. Name a file.")
