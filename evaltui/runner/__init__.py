"""Which attempts, in which order; one attempt; cancel, time limits, retries."""
