"""A pack on disk: its files, hashes and shapes; reading and writing it."""
