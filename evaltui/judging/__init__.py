"""How an answer is judged: checks, stages, and the only way to an outcome."""
