"""Files of every kind that evaltui reads, changed at random: what becomes of them."""
