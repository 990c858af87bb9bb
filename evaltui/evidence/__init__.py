"""Evidence of runs: packs of files that show how a verdict came about, compared and gated."""
