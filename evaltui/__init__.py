"""evaltui: reruns exactly the evals that a tool change can affect."""

__version__ = "0.1.0"
