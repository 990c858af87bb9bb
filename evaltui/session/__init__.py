"""The line: what a save affects is run, and what happened is sent to everyone as events."""

from evaltui.session.session import Session

__all__ = ["Session"]
