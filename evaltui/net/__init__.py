"""Requests to other machines, and the secrets that go with them."""

ANSWER_LIMIT = 32 * 1024 * 1024
"""Bytes that are read of one answer unless a profile says otherwise."""
