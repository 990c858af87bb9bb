"""Writing to a place that somebody named: files are replaced, everything else is written into."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaltui.disk.outputs import write_output

WRITE = """
import sys
from pathlib import Path
from evaltui.disk.outputs import write_output
sys.stdout.write("before\\n")
write_output(Path(sys.argv[1]), [b"one\\n", b"two\\n"])
sys.stdout.write("after\\n")
"""


def test_a_file_is_replaced_and_a_link_is_not_followed(tmp_path: Path) -> None:
    mine, link = tmp_path / "mine", tmp_path / "link"
    mine.write_text("kept")
    link.symlink_to(mine)
    write_output(link, b"new")
    assert (link.read_text(), mine.read_text()) == ("new", "kept")
    assert not link.is_symlink()


@pytest.mark.skipif(sys.platform == "win32", reason="needs /dev")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("is_file", [True, False])
def test_the_standard_output_is_written_on_in_order(
    tmp_path: Path, name: str, is_file: bool
) -> None:
    command, out = [sys.executable, "-c", WRITE, name], tmp_path / "out"
    if is_file:
        with out.open("wb") as file:
            subprocess.run(command, check=True, stdout=file)
        said = out.read_bytes()
    else:
        said = subprocess.run(command, check=True, capture_output=True).stdout
    assert said == b"before\none\ntwo\nafter\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
def test_a_device_and_a_pipe_stay_what_they_are(tmp_path: Path) -> None:
    link = tmp_path / "nothing"
    link.symlink_to(os.devnull)
    write_output(link, b"gone")
    assert link.is_symlink()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="No such device"):
        write_output(pipe, b"nobody reads it")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_output(pipe, b"read")
    assert os.read(reader, 9) == b"read"
    os.close(reader)
    assert pipe.is_fifo()
