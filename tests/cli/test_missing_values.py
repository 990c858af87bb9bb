"""Expectations without the value that they need: nothing turns green in silence."""

from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import case, make_project, write_suite

MANIFEST = Path("evals/seed-manifest.json")
WARNING = "⚠ not checked, without a value: {{seed:city}}"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one case that fails while its seed value is known."""
    monkeypatch.chdir(tmp_path)
    root = make_project(tmp_path)
    expect = {"responseContains": ["{{seed:city}}"]}
    write_suite(root, "find_order", [case("gs-1", "Look up order SO-1", "find_order", **expect)])
    MANIFEST.write_text('{"city": "Atlantis"}')
    return root


@pytest.mark.parametrize("by", ["flag", "usual path in a flag", "settings"])
def test_a_manifest_that_was_named_and_is_not_there_is_a_mistake(
    by: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["run"]) == 1
    named = "evals/seed-manifst.json"
    flags = ["--seed", named]
    if by == "settings":
        (project / "evaltui.toml").write_text(f'seed = "{named}"')
        flags = []
    if by == "usual path in a flag":
        MANIFEST.unlink()
        flags = ["--seed", str(MANIFEST)]
    capsys.readouterr()
    assert run_command(["run", *flags]) == 2
    assert "There is no seed manifest here" in capsys.readouterr().err
    assert run_command(["check", *flags]) == 2


@pytest.mark.parametrize("manifest", ['{"town": "Rome"}', '{"city": null}', None])
def test_a_value_that_is_not_there_is_warned_of_at_its_case(
    manifest: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    MANIFEST.unlink() if manifest is None else MANIFEST.write_text(manifest)
    assert run_command(["run", "--reporter", "console", "--reporter", "markdown=said.md"]) == 0
    assert WARNING in capsys.readouterr().out
    of_case = "`evals/find_order.golden.json::gs-1: not checked, without a value: {{seed:city}}`"
    assert f"- ⚠ {of_case}" in Path("said.md").read_text()


def test_so_is_a_live_value_without_a_snapshot(capsys: pytest.CaptureFixture[str]) -> None:
    expect = {"responseNotContains": ["{{snapshot:secret}}"]}
    write_suite(Path(), "find_order", [case("gs-1", "Look up SO-1", "find_order", **expect)])
    assert run_command(["run"]) == 0
    assert "⚠ not checked, without a value: {{snapshot:secret}}" in capsys.readouterr().out
