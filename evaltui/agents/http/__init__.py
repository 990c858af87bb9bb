"""Agents behind an HTTP endpoint, over the lean client that makes fast runs possible."""
