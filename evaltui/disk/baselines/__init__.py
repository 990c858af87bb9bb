"""Pinned results: which they are, when they were pinned, and their copies."""
