"""Two packs held against each other."""
