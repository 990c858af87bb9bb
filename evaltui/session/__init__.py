"""The line: what a save affects is run, and everyone hears of it."""

from evaltui.session.session import Session

__all__ = ["Session"]
