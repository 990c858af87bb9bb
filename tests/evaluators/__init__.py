"""Evaluators: the kit, the registry, those that come along, and loading."""
