"""Agents behind an HTTP endpoint, over the lean client that running evals fast means."""
