"""The dashboard: a screen over the store; it shows facts and sends requests to the session."""

import os

# A key waits for the next frame: 2 ms on average at this rate, 8 at the toolkit's own 60.
os.environ.setdefault("TEXTUAL_FPS", "250")
