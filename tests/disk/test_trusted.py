"""What a person agreed to is kept for the folder that it was said for."""

from pathlib import Path

import pytest

from evaltui.core.permit import grant
from evaltui.disk.trusted import read_agreement, remove_agreement, write_agreement

RUN = grant("run", ["agent"], "`agent`", by="agent")


def test_it_is_read_again_until_it_is_removed(tmp_path: Path) -> None:
    write_agreement(tmp_path, [RUN])
    assert read_agreement(tmp_path) == {RUN.digest}
    assert not read_agreement(tmp_path / "other")
    assert remove_agreement(tmp_path) and not read_agreement(tmp_path)


def test_tests_agree_to_nothing_in_the_name_of_whoever_runs_them(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A folder of this name may be made again by the next run, which would be trusted at once."""
    assert write_agreement(tmp_path, [RUN]).is_relative_to(tmp_path_factory.getbasetemp())
