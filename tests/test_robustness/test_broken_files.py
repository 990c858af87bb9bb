"""Any file, however broken: a problem with its place and a way out, and the others run."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import MUSIC, case, make_project, write_suite
from tests.test_robustness.command import result_documents, tree, written

BROKEN = {
    "truncated": b'{"cases": [{"id": "x"',
    "object-for-list": b'{"metadata": [], "cases": {"a": 1}}',
    "list-for-object": b'[[1, 2], "x", null]',
    "wrong-fields": b'[{"id": "w-1", "input": ["x"]}, {"id": 5, "expect": []}]',
    "binary": bytes(range(256)) * 400,
    "not-utf-8": '[{"id": "é"}]'.encode("latin-1"),
    "utf-16": '[{"id": "é"}]'.encode("utf-16"),
    "empty": b"",
    "null": b"null",
    "number": b"1e999",
    "deep": b"[" * 100_000,
    "not-a-number": b'[{"id": "n", "input": {"message": "x"}, "expect": {"maxTokens": NaN}}]',
    "half-surrogate": b'[{"id": "\\ud800", "input": {"message": "x"}, "expect": {}}]',
    "duplicate-ids": json.dumps([MUSIC[0], MUSIC[0]]).encode(),
    "no-id": b'[{"input": {"message": "x"}, "expect": {}}]',
    "two-documents": b"[] []",
    "byte-order-mark-only": b"\xef\xbb\xbf",
}

IDS = (
    "../../../../evil", "a/b/c", "..", ".", "/etc/passwd", "C:\\x", "con", "a\nb", "x" * 3_000,
    "\x1b[31mred\x07", "\x00", "🎉", "\u202egnp.live", " ", "-rf", "%2e%2e%2f", "a\u2028b",
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    """Nested, so that a path with `..` has somewhere to go; checks what was written at the end."""
    root = tmp_path / "outside" / "deeper" / "project"
    root.mkdir(parents=True)
    yield make_project(root)
    strays = [
        path
        for path in tree(tmp_path)
        if not path.startswith(
            ("outside/deeper/project/evals/", "outside/deeper/project/.evaltui/")
        )
    ]
    assert strays == ["outside/deeper/project/tools.json"]


@pytest.mark.parametrize("name", BROKEN)
def test_it_is_named_with_its_line_and_the_others_run(
    project: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = project / "evals" / f"{name}.golden.json"
    broken.write_bytes(BROKEN[name])
    before = tree(project)
    assert run_command(["run", "-C", str(project)]) == 2
    captured = capsys.readouterr()
    complaints = [line for line in captured.err.splitlines() if line.startswith("evals/")]
    assert complaints
    for line in complaints:
        place, _, rest = line.partition(": ")
        assert place.split(":")[:1] == [f"evals/{name}.golden.json"]
        assert int(place.split(":")[1]) >= 1
        assert len(rest) > 20, "what is wrong and what to do"
    assert "Traceback" not in captured.err
    others = {one["toolName"]: one["summary"] for one in result_documents(project)}
    assert others["find_order"]["passed"] == 2
    assert others["play_music"]["passed"] == 1
    changed = written(before, tree(project))
    assert all(path.startswith(("evals/results/", ".evaltui/")) for path in changed)


def test_a_message_of_1_mb_runs(project: Path) -> None:
    write_suite(project, "long", [case("long-1", "Play the song x. " * 62_000, "play_music")])
    assert run_command(["run", "-C", str(project), "--filter", "long"]) == 0


@pytest.mark.slow
def test_50_mb_are_refused_without_reading_them_all(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / "evals" / "huge.golden.json"
    path.write_bytes(b"[" + b" " * 50_000_000 + b"]")
    assert run_command(["run", "-C", str(project)]) == 2
    assert "evals/huge.golden.json:1:1: The file has 50 MB" in capsys.readouterr().err


def test_no_id_leads_out_of_the_output_folder(project: Path) -> None:
    cases = [case(id_, "Play the song x", "play_music") for id_ in IDS]
    write_suite(project, "ids", cases, tool="../../../evil")
    assert run_command(["run", "-C", str(project), "--reporter", "console"]) == 0
    (document,) = (one for one in result_documents(project) if one["toolName"] == "../../../evil")
    assert [one["id"] for one in document["cases"]] == list(IDS), "and ids stay as written"
    assert run_command(["baseline", "pin", "-C", str(project)]) == 0
    assert run_command(["run", "-C", str(project), "--fail-on", "regressions"]) == 0


def test_an_output_folder_that_is_a_file_is_refused_before_anything_runs(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = project / "evals" / "taken"
    taken.write_text("precious")
    assert run_command(["run", "-C", str(project), "--output-dir", "evals/taken/below"]) == 2
    captured = capsys.readouterr()
    assert "--output-dir" in captured.err
    assert "✓" not in captured.out
    assert taken.read_text() == "precious"
