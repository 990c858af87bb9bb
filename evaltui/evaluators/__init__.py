"""Evaluators: what a definition is, their registry, the built-in ones, loading custom ones.

`kit/` is what they are written with, `built_in/` has a file for each that comes along.
"""
