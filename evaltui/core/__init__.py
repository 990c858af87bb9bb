"""The nouns and the pure rules: standard library only, no files, no clock, no network."""
