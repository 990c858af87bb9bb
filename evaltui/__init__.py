"""evaltui: runs the evals of an agent's tools, and again those that a change can affect."""

__version__ = "0.1.0"
