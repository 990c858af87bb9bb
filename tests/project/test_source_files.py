"""Which files of a project an agent may be made of, and that few are read twice."""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.config import Config
from evaltui.project import source_files
from evaltui.project.project import Project
from evaltui.project.reading import read_project
from evaltui.project.source_files import SourceFiles
from tests.projects import make_project


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_project(tmp_path)
    for name, content in {
        "lib/agent.mjs": "1", "bin/agent": "2", "data/a.json": "3", "README.md": "4",
        "lib/node_modules/x.js": "5", "venv/pyvenv.cfg": "", "venv/x.py": "6", ".env": "A=7",
        "run.log": "8", "report.xml": "9", "x.py~": "10", "image": "\0PNG", "evals/new.json": "[]",
        "evals/results/r.json": "{}", "evals/cassettes/c.json": "{}", "evaltui.toml": "",
    }.items():  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


def read(root: Path, before: Project | None = None, *changed: str) -> Project:
    paths = None if before is None else {root / name for name in changed}
    return read_project(Config(root, recording_dir="evals/cassettes"), before, paths)


def test_text_of_the_project_counts_that_is_not_known_to_be_something_else(root: Path) -> None:
    sources = read(root).sources
    assert (sources.files, sources.watched) == (frozenset(), frozenset()), "nobody asked"
    before = sources.print
    names = {path.relative_to(root).as_posix() for path in sources.files}
    assert names == {"README.md", "bin/agent", "data/a.json", "lib/agent.mjs"}
    assert {root, root / "lib", root / "bin" / "agent"} <= sources.watched
    for name in sorted(names):
        (root / name).write_text("other")
        assert before != (before := read(root).sources.print), name
    (root / "lib" / "new.mjs").touch()
    assert before != (before := read(root).sources.print)
    for name in ("run.log", ".env", "lib/node_modules/x.js", "evals/find_order.golden.json"):
        (root / name).write_text("[]")
    assert before == read(root).sources.print


def test_another_reading_has_the_same_where_nothing_of_them_changed(root: Path) -> None:
    first = read(root)
    assert read(root, first, "data/a.json") is first, "of no interest before somebody asks"
    assert first.sources.print
    assert read(root, first, "data/a.json").sources is first.sources
    (root / "data" / "a.json").write_text("other")
    second = read(root, first, "data/a.json")
    assert second.sources.print != first.sources.print
    assert second.changed_since(first) == ("data/a.json",)
    (root / "data" / "b.json").write_text("new")
    third = read(root, second, "data/b.json")
    assert third.changed_since(second) == ("data/b.json",)
    (root / "evals" / "find_order.golden.json").write_text("[]")
    assert read(root, third, "evals/find_order.golden.json").sources is third.sources


def test_one_that_is_saved_counts_though_the_system_tells_of_it_later(root: Path) -> None:
    """As when results are written at the same moment: that has all of them read again."""
    first = read(root)
    assert first.sources.print
    (root / "data" / "a.json").write_text("other")
    second = read(root, first, "evals/made.txt")
    assert second.changed_since(first) == ("data/a.json",)
    assert read(root, second, "data/a.json") is second, "it is told once"


def test_one_that_counts_as_something_else_now_was_not_saved(root: Path) -> None:
    first = read(root)
    assert first.sources.print
    config = replace(first.config, read_along=("data/a.json",))
    second = read_project(config, first, {root / "evaltui.toml"})
    assert root / "data" / "a.json" in first.sources.files - second.sources.files
    assert second.sources.differing(first.sources) == set()


def test_a_save_of_one_has_no_tools_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read(root)
    assert first.sources.print
    monkeypatch.setattr(type(first.reader), "read", None)
    (root / "data" / "a.json").write_text("other")
    assert read(root, first, "data/a.json").registry is first.registry


def test_a_file_is_read_again_only_if_it_was_written(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def reading(path: Path, limit: int) -> bytes:
        opened.append(path.name)
        return path.read_bytes()[:limit]

    monkeypatch.setattr(source_files, "read_file", reading)
    first = read(root)
    before = first.sources.print
    assert before == first.sources.print
    assert len(opened) == len({*opened})
    opened.clear()
    (root / "README.md").write_text("4")
    os.utime(root / "README.md", (1, 1))
    assert read(root, first, "README.md").sources is first.sources, "it says the same"
    assert opened == ["README.md"]


def test_what_is_much_is_looked_at_in_part(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_files, "MAX_FILES", 2)
    monkeypatch.setattr(source_files, "MAX_BYTES", 3)
    (root / "bin" / "agent").write_text("large")
    sources = SourceFiles(Config(root), frozenset())
    assert sources.print
    assert {path.name for path in sources.files} == {"README.md"}


def test_without_any_nothing_is_told(tmp_path: Path) -> None:
    assert SourceFiles(Config(tmp_path), frozenset()).print == ""
