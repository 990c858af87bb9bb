"""Recorded streams of events, and how they were recorded."""
