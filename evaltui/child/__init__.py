"""Other people's programs and Python, run beside us and never in our process."""

from evaltui.child.process import Child, Ending, command_words

__all__ = ["Child", "Ending", "command_words"]
