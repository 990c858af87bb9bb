"""How one thread shares its time, so that nobody notices that it has much to do."""

FRAME_S = 1 / 30
"""What happens faster than this is painted, written and told together."""
TURN_S = 0.008
"""After so much work in one go the screen, the signals and the timers get their turn: they are late
by a quarter of a frame at most."""
