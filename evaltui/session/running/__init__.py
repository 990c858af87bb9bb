"""One run of one agent: from what was asked for to what is kept of it."""
