"""Where paths lead in a commit."""

import os
import shutil
from pathlib import Path

import pytest

from evaltui.disk.git_objects import blobs, commit_of
from evaltui.project.commits.commit_tree import CommitTree
from tests.project.commits.test_tools_at import commit, git, write

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def tree(root: Path, *below: str) -> CommitTree:
    commit(root)
    return CommitTree(Path(os.path.realpath(root)), commit_of(root, "HEAD") or "", below)


def test_links_lead_where_they_would_on_disk(tmp_path: Path) -> None:
    write(tmp_path, "a/b/file.ts", "")
    for link, target in {
        "near": "a",
        "a/up": "../a/./b",
        "a/b/round": "round",
        "out": "../elsewhere",
        "over": "a/up/../b",
    }.items():
        (tmp_path / link).symlink_to(target)
    found = tree(tmp_path)
    assert found.place("near/b/file.ts") == "a/b/file.ts" in found.files
    assert found.place("near/up/file.ts") == "a/b/file.ts"
    assert found.place("over/file.ts") == "a/b/file.ts"
    assert found.place("a/b/round") is None
    assert found.place("out/file.ts") is None
    assert found.place("nowhere/file.ts") == "nowhere/file.ts"


def test_only_what_is_asked_for_is_listed(tmp_path: Path) -> None:
    for name in ("one/a.ts", "two/b.ts", "three/c.ts"):
        write(tmp_path, name, "")
    assert set(tree(tmp_path, "one", "three").files) == {"one/a.ts", "three/c.ts"}


def test_a_folder_that_is_no_repository_is_not_taken_for_the_submodule(tmp_path: Path) -> None:
    write(tmp_path, "secret.ts", "")
    commit(tmp_path)
    own = commit_of(tmp_path, "HEAD") or ""
    (tmp_path / "sub").mkdir()
    git(tmp_path, "update-index", "--add", "--cacheinfo", f"160000,{own},sub")
    git(tmp_path, "commit", "-qm", "a commit of its own as a submodule")
    found = CommitTree(Path(os.path.realpath(tmp_path)), commit_of(tmp_path, "HEAD") or "")
    assert set(found.files) == {"secret.ts"}
    assert found.not_here == {"sub"}


def test_a_link_longer_than_any_on_disk_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "long", "a/" * 2049)
    write(tmp_path, "near", "a")
    commit(tmp_path)
    for name in ("long", "near"):
        blob = commit_blob(tmp_path, name)
        git(tmp_path, "update-index", "--cacheinfo", f"120000,{blob},{name}")
    git(tmp_path, "commit", "-qm", "links")
    found = CommitTree(Path(os.path.realpath(tmp_path)), commit_of(tmp_path, "HEAD") or "")
    assert found.links == {"near": "a"}


def commit_blob(root: Path, name: str) -> str:
    (blob,) = blobs(root, [f"HEAD:{name}"])
    assert blob is not None
    return blob.object
