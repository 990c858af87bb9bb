"""File changes as an async stream of path sets; the only part that knows watchfiles."""

from evaltui.watch.watcher import Watcher

__all__ = ["Watcher"]
