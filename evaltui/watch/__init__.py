"""File changes as an async stream of path sets; the only part that knows watchfiles."""

from evaltui.watch.watcher import Watcher, load_watchfiles

__all__ = ["Watcher", "load_watchfiles"]
