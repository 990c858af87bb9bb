"""What the screen shows where no session of its own runs: packs, points of the past."""
