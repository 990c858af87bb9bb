"""The embedded agent: a deterministic router over the tool registry; needs no key, no network."""
