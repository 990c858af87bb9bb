"""Git reads the repository that was found, and nothing else unless somebody agreed."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.disk.git_objects import commit_of, contents
from evaltui.disk.git_process import GIT, Git, GitUnaskedError
from evaltui.disk.git_repository import is_top, top_of, why_not_plain, why_unasked
from tests.project.commits.test_tools_at import commit, git, write

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
AGREED = Git(GIT, is_agreed=True)


def committed(root: Path, text: str = "mine") -> Path:
    write(root, "file", text)
    commit(root)
    return root


def linked(root: Path) -> None:
    (root / ".git").rename(root / "moved")
    (root / ".git").symlink_to("moved")


def named(root: Path) -> None:
    (root / ".git").rename(root / "moved")
    (root / ".git").write_text("gitdir: moved\n")


def borrowed(root: Path) -> None:
    """With its objects elsewhere."""
    (root / ".git/objects").rename(root.parent / "objects")
    write(root, ".git/objects/info/alternates", f"{root.parent / 'objects'}\n")


def shared(root: Path) -> None:
    shutil.copytree(root / ".git", root / "shared")
    write(root, ".git/commondir", "../shared\n")


def links(name: str) -> Callable[[Path], None]:
    def made(root: Path) -> None:
        (root / ".git" / name).rename(root.parent / "elsewhere")
        (root / ".git" / name).symlink_to(root.parent / "elsewhere")

    return made


def says(text: str, file: str = "config") -> Callable[[Path], None]:
    def made(root: Path) -> None:
        with (root / ".git" / file).open("a") as config:
            config.write(f"\n{text}\n")

    return made


def large(root: Path) -> None:
    says("#" * (1 << 20))(root)


LEADING_OUT = {
    "`.git` as a link": linked,
    "`.git` as a file": named,
    "other objects": borrowed,
    "a common folder": shared,
    "a link for objects": links("objects"),
    "a link for branches": links("refs"),
    "a link for what is ignored": links("info/exclude"),
    "a link for settings": links("config"),
    "settings of a worktree": says("[core]", "config.worktree"),
    "an include": says("[include]\n\tpath = /nowhere/x"),
    "an include in capitals": says("[Include]path=/nowhere/x"),
    "an include with a condition": says('[includeIf "gitdir:/"]\n\tpath = /nowhere/x'),
    "a list of what is ignored": says("[core]\n\texcludesFile = /nowhere/x"),
    "a list of attributes": says("[core]\n\tattributesFile = /nowhere/x"),
    "long settings": large,
}


@pytest.mark.parametrize("made", LEADING_OUT.values(), ids=LEADING_OUT)
def test_what_leads_out_of_a_repository_is_asked_once_somebody_agreed(
    tmp_path: Path, made: Callable[[Path], None]
) -> None:
    root = committed(tmp_path / "project")
    (root / "below").mkdir()
    own = commit_of(root / "below", "HEAD")
    assert own and contents(root, ["HEAD:file"]) == [b"mine"]
    assert why_unasked(root / "below") == ""
    made(root)
    assert why_unasked(root / "below") != ""
    for folder in (root, root / "below"):
        with pytest.raises(GitUnaskedError, match="git was not asked, as "):
            commit_of(folder, "HEAD")
    assert commit_of(root / "below", "HEAD", AGREED) == own
    assert contents(root, ["HEAD:file"], AGREED) == [b"mine"]


def test_a_pipe_for_settings_is_not_waited_for(tmp_path: Path) -> None:
    root = committed(tmp_path)
    (root / ".git/config").unlink()
    os.mkfifo(root / ".git/config")
    with pytest.raises(GitUnaskedError, match="cannot be read"):
        commit_of(root, "HEAD")


def as_bare(root: Path) -> None:
    """A folder that looks like a bare repository, whose settings name a file."""
    committed(root, "hostile")
    for name in ("HEAD", "objects", "refs", "config", "index"):
        (root / ".git" / name).rename(root / name)
    shutil.rmtree(root / ".git")
    with (root / "config").open("a") as config:
        config.write("[include]\n\tpath = /nowhere/x\n")


@pytest.mark.parametrize("agreed", [False, True])
def test_a_folder_that_looks_like_a_bare_repository_is_none(tmp_path: Path, agreed: bool) -> None:
    around = committed(tmp_path / "around", "mine")
    as_bare(around / "inside")
    asks = Git(GIT, is_agreed=agreed)
    assert top_of(around / "inside") == around
    assert commit_of(around / "inside", "HEAD", asks) == commit_of(around, "HEAD")
    (around / ".git").rename(tmp_path / "gone")
    assert commit_of(around / "inside", "HEAD", asks) is None, "and none where there is no other"


def test_an_empty_folder_is_none_and_the_one_around_it_counts(tmp_path: Path) -> None:
    committed(tmp_path)
    inside = tmp_path / "inside"
    (inside / ".git").mkdir(parents=True)
    assert not is_top(inside)
    assert top_of(inside) == tmp_path.resolve()
    os.mkfifo(inside / ".git/HEAD")
    assert not is_top(inside), "git would wait at it"
    assert commit_of(inside, "HEAD") == commit_of(tmp_path, "HEAD")
    says("[include]")(tmp_path)
    with pytest.raises(GitUnaskedError):
        commit_of(inside, "HEAD")


def test_worktrees_and_submodules_are_asked_once_somebody_agreed(tmp_path: Path) -> None:
    root = committed(tmp_path / "project")
    git(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    part = committed(tmp_path / "part", "part")
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(part), "sub")
    for folder, own, text in ((tmp_path / "tree", root, b"mine"), (root / "sub", part, b"part")):
        with pytest.raises(GitUnaskedError, match="a file that names another folder"):
            commit_of(folder, "HEAD")
        assert commit_of(folder, "HEAD", AGREED) == commit_of(own, "HEAD")
        assert contents(folder, ["HEAD:file"], AGREED) == [text]


def test_the_repository_of_another_user_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = committed(tmp_path)
    owner, foreign = os.geteuid(), Path("/")
    if owner == foreign.stat().st_uid:
        foreign = tmp_path / "foreign"
        foreign.mkdir()
        os.chown(foreign, owner + 1, -1)
    assert why_not_plain(root, foreign) == "", "it is mine"
    monkeypatch.setattr(os, "geteuid", lambda: owner + 2)
    assert "belongs to another user" in why_not_plain(root, foreign)
    assert why_not_plain(root, root) == "", "the folder is theirs as well, as in a container"
