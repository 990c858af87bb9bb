"""Requests to other machines, and the secrets that go with them."""
