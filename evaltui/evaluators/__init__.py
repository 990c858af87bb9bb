"""Custom evaluators: what a definition is, the registry of them, those that come along, loading.

`kit/` is what they are written with, `built_in/` has a file for each that comes along.
"""
