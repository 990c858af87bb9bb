"""One file, replaced whole or not at all."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE

TEMP_SUFFIX = ".evaltui-tmp"


def replace_whole(
    path: Path, data: bytes | Iterable[bytes], check: Callable[[], None] | None = None
) -> None:
    """Replace `path` by `data`, or leave it as it was and raise OSError, or what `check` raises.

    `check` is called at the last moment: until the data is on the disk others may have written.

    The temporary file stands in the same folder; what a killed process leaves there is for
    `atomic.sweep`. An existing file keeps its permission bits; a symbolic link is replaced, not
    followed.
    """
    chunks = (data,) if isinstance(data, bytes) else data
    temporary = path.parent / f".{os.urandom(8).hex()}{TEMP_SUFFIX}"
    # Not tempfile: it hides the file from the group whatever the umask says.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666)
    try:
        with os.fdopen(descriptor, "wb", 1 << 18) as file:
            file.writelines(chunks)
            file.flush()
            with suppress(FileNotFoundError):
                mode = S_IMODE(path.stat(follow_symlinks=False).st_mode)
                if not path.is_symlink():
                    temporary.chmod(mode)
            os.fsync(file.fileno())
        if check is not None:
            check()
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
