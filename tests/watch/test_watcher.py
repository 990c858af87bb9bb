"""Saves as editors make them, seen through the system's own notifications."""

import asyncio
import errno
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.core.config import WatchConfig
from evaltui.files import is_there
from evaltui.watch import Watcher
from evaltui.watch.settling import Settling

PATIENCE_S = 10.0


class Seen:
    """Everything that a watcher has told, and waiting for it."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.paths: list[Path] = []
        self._news = asyncio.Condition()

    async def follow(self) -> None:
        async for paths in self.watcher.changes():
            async with self._news:
                self.paths += sorted(paths)
                self._news.notify_all()

    async def until(self, path: Path) -> None:
        """Wait until the path was told, then forget everything."""
        await self.has_heard(path)
        self.paths.clear()

    async def has_heard(self, *paths: Path) -> None:
        """Wait until all of the paths were told."""
        async with asyncio.timeout(PATIENCE_S), self._news:
            await self._news.wait_for(lambda: set(paths) <= set(self.paths))


@asynccontextmanager
async def watching(root: Path, *wanted: Path, poll: bool = False) -> AsyncIterator[Seen]:
    watcher = Watcher(root, WatchConfig(poll=poll))
    probe = root / "probe.json"
    probe.write_text("[]")
    watcher.update({*wanted, probe, root})
    seen = Seen(watcher)
    task = asyncio.create_task(seen.follow())
    await seen.until(probe)  # the recent files come first: from here on the system is listening
    try:
        yield seen
    finally:
        watcher.stop()
        await task


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "evals").mkdir(parents=True)
    (folder / "evals/a.json").write_text("[]")
    return folder


def rename_over(path: Path) -> None:
    new = path.with_name(path.name + ".tmp")
    new.write_text("[1]")
    new.replace(path)


def vim(path: Path) -> None:
    (path.parent / "4913").write_text("")
    (path.parent / "4913").unlink()
    path.replace(path.with_name(path.name + "~"))
    path.write_text("[2]")
    path.with_name(path.name + "~").unlink()


def delete_and_write(path: Path) -> None:
    path.unlink()
    path.write_text("[3]")


def remove(path: Path) -> None:
    path.unlink()


SAVES: list[Callable[[Path], object]] = [
    lambda path: path.write_text("[0]"), rename_over, vim, delete_and_write, remove,
]  # fmt: skip


@pytest.mark.parametrize("save", SAVES, ids=["write", "rename", "vim", "delete", "remove"])
@pytest.mark.parametrize("poll", [False, True], ids=["system", "poll"])
async def test_every_way_to_save(root: Path, save: Callable[[Path], object], poll: bool) -> None:
    path = root / "evals/a.json"
    async with watching(root, path, poll=poll) as seen:
        save(path)
        await seen.until(path)


async def test_a_file_that_is_away_while_it_is_saved_is_told_when_it_is_back(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, is_missed = root / "evals/a.json", asyncio.Event()

    class Noting(Settling):
        def add(self, paths: Collection[Path], now: float) -> None:
            super().add(paths, now)
            if path in paths and not is_there(path):
                is_missed.set()

    monkeypatch.setattr("evaltui.watch.settling.AWAY_S", 60.0)  # so that its return alone tells it
    monkeypatch.setattr("evaltui.watch.watcher.Settling", Noting)
    async with watching(root, path) as seen:
        path.replace(path.with_name("a.json~"))
        async with asyncio.timeout(PATIENCE_S):
            await is_missed.wait()
        assert path not in seen.paths
        assert seen.watcher.has_news, "nothing is to be run before it is told"
        path.write_text("[2]")
        await seen.until(path)


async def test_what_was_held_is_no_news_once_nobody_tells_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, is_held = root / "evals/a.json", asyncio.Event()

    class Noting(Settling):
        def wait_s(self, now: float) -> float | None:
            if self.is_holding:
                is_held.set()
            return super().wait_s(now)

    monkeypatch.setattr("evaltui.watch.settling.AWAY_S", 60.0)
    monkeypatch.setattr("evaltui.watch.watcher.Settling", Noting)
    async with watching(root, path) as seen:
        path.unlink()
        async with asyncio.timeout(PATIENCE_S):
            await is_held.wait()
    assert not seen.watcher.has_news


async def test_it_looks_for_itself_where_the_systems_watches_are_used_up(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    def none_left(*_: str, **__: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(watchfiles, "watch", none_left)
    path = root / "evals/a.json"
    async with watching(root, path) as seen:
        rename_over(path)
        await seen.until(path)


async def test_temporary_files_are_not_told(root: Path) -> None:
    path = root / "evals/a.json"
    async with watching(root, path) as seen:
        for name in (".a.json.swp", "a.json~", "#a.json#", "b.tmp", ".#a.json"):
            (path.parent / name).write_text("x")
        path.write_text("[1]")
        marker = root / "evals/z.json"
        marker.write_text("[]")
        await seen.has_heard(path, marker)
        assert set(seen.paths) == {path, marker}


async def test_new_files_and_folders(root: Path) -> None:
    async with watching(root, root / "evals") as seen:
        (root / "evals/new.json").write_text("[]")
        await seen.until(root / "evals/new.json")
        folder = root / "evals/deep"
        folder.mkdir()
        await seen.until(folder)
        inside = folder / "early.json"
        inside.write_text("[]")  # before it is watched: told when it is
        seen.watcher.update({root, root / "evals", folder})
        await seen.until(inside)
        (folder / "late.json").write_text("[]")
        await seen.until(folder / "late.json")


async def test_a_folder_that_is_deleted_and_made_again(root: Path) -> None:
    path = root / "evals/a.json"
    async with watching(root, path) as seen:
        shutil.rmtree(root / "evals")
        await seen.until(path)
        (root / "evals").mkdir()
        path.write_text("[1]")
        await seen.until(path)
        path.write_text("[2]")
        await seen.until(path)


async def test_files_that_do_not_exist_yet(root: Path) -> None:
    settings = root / "evaltui.toml"
    outside = root.parent / "later" / "tools" / "x.ts"
    async with watching(root, settings, outside) as seen:
        settings.write_text("")
        await seen.until(settings)
        outside.parent.mkdir(parents=True)
        outside.write_text("1")
        await seen.until(outside)
        outside.write_text("2")
        await seen.until(outside)


async def test_targets_of_links_and_files_outside_the_root(root: Path) -> None:
    outside = root.parent / "shared.ts"
    outside.write_text("1")
    target = root.parent / "store" / "real.json"
    target.parent.mkdir()
    target.write_text("[]")
    link = root / "evals/link.json"
    link.symlink_to(target)
    linked = root / "linked"
    linked.symlink_to(target.parent, target_is_directory=True)
    async with watching(root, outside, link, linked) as seen:
        outside.write_text("2")
        await seen.until(outside)
        target.write_text("[1]")
        await seen.until(link)
        (target.parent / "new.json").write_text("[]")
        await seen.until(linked / "new.json")
        other = root.parent / "other.json"
        other.write_text("[2]")
        link.unlink()
        link.symlink_to(other)
        await seen.until(link)


async def test_no_save_is_missed_while_the_watched_set_moves(root: Path) -> None:
    paths = [root / f"d{i}" / "x.json" for i in range(15)]
    async with watching(root) as seen:
        wanted = {root}
        for path in paths:
            path.parent.mkdir()
            path.write_text("[]")
            wanted |= {path, path.parent}
            seen.watcher.update(wanted)
            (root / "probe.json").write_text(path.parent.name)
            await seen.has_heard(path, root / "probe.json")
            seen.paths.clear()


async def test_stopping_ends_the_stream_and_its_threads(root: Path) -> None:
    watcher = Watcher(root)
    watcher.update({root / "evals/a.json"})
    ended: Awaitable[None] = Seen(watcher).follow()
    task = asyncio.ensure_future(ended)
    await asyncio.sleep(0)
    watcher.stop()
    async with asyncio.timeout(PATIENCE_S):
        await task
    cancelled = asyncio.create_task(Seen(Watcher(root)).follow())
    await asyncio.sleep(0)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled


async def test_a_root_that_is_itself_a_link(root: Path) -> None:
    alias = root.parent / "alias"
    alias.symlink_to(root, target_is_directory=True)
    path = alias / "evals/a.json"
    async with watching(alias, path) as seen:
        (root / "evals/a.json").write_text("[1]")
        await seen.until(path)


async def test_old_files_are_not_told_at_the_start(root: Path) -> None:
    old = root / "evals/a.json"
    os.utime(old, (1_000_000, 1_000_000))
    async with watching(root, old) as seen:
        (root / "probe.json").write_text("[1]")
        await seen.has_heard(root / "probe.json")
        assert old not in seen.paths
