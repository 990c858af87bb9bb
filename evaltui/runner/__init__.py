"""Attempts: which and in which order, one attempt, cancelling, time limits, retries."""
