"""Who holds a file open: advisory locks where the system has them."""

import sys
from typing import BinaryIO

if sys.platform == "win32":

    def lock(file: BinaryIO) -> bool:
        """Always True: a file that another process has open there cannot be renamed anyway."""
        return not file.closed

else:
    import fcntl

    def lock(file: BinaryIO) -> bool:
        """Take the lock until the file is closed. False when somebody else holds it."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # Some network file systems have no locks; then nobody is known to hold it.
            return True
        return True
