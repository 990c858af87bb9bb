"""Recorded answers, replayed without asking the agent."""
