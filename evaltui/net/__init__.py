"""Requests to other machines, and the secrets that go with them."""

ANSWER_LIMIT = 32 * 1024 * 1024
"""Bytes that are read of one answer unless a profile says otherwise."""

GAVE_UP = 408
"""Status by which a server ends a connection on which no whole request came in time; it may cross
with the next request, which it has not read then."""
