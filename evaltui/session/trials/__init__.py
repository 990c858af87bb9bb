"""What several answers to the same question prove: evidence, further trials, audits."""
