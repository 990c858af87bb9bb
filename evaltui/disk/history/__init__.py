"""The history of all runs, in SQLite."""
