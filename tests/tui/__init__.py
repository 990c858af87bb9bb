"""The dashboard, driven without a terminal."""
