"""Other people's programs and Python, run in child processes and never in ours."""

from evaltui.child.process import Child, Ending, command_words

__all__ = ["Child", "Ending", "command_words"]
