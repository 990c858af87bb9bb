"""Traces of runs that already happened: their schema, and what is read, judged and made of them."""
