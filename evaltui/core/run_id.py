"""Names of runs."""

import os


def new_run_id() -> str:
    """A random UUID (RFC 9562, version 4); the library's module takes 5 ms to import."""
    random = bytearray(os.urandom(16))
    random[6] = random[6] & 0x0F | 0x40
    random[8] = random[8] & 0x3F | 0x80
    digits = random.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
