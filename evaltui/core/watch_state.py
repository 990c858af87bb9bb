"""What the watch over a project is doing."""

from enum import StrEnum


class WatchState(StrEnum):
    """Shown in the header; `WatchPaused`, `WatchResumed`, `RunnerChanged` tell that it changed."""

    OFF = "off"
    STARTING = "starting"
    WATCHING = "watching"
    PAUSED = "paused"
    REPLAY = "replay"
    """Nothing is watched: a recorded run is played."""
    PACK = "pack"
    """An evidence pack is shown; nothing runs, and it is read again when it is written anew."""
    FOLLOWING = "following"
    """Another process runs what is saved; this one shows it."""
    PAST = "past"
    """The board of an earlier run is shown; the project is watched all the same."""
