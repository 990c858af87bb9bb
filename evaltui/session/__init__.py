"""The line: runs what a save affects, and publishes what happened as events."""

from evaltui.session.session import Session

__all__ = ["Session"]
