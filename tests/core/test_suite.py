"""What a suite is called, and whether its file is written."""

import pytest

from evaltui.core.case import Tier
from evaltui.core.suite import Suite


@pytest.mark.parametrize(
    ("file", "name", "short"),
    [
        ("evals/weather.golden.json", "weather.golden", "weather"),
        ("a/b/weather.labeled.json", "weather.labeled", "weather.labeled"),
        ("weather.yaml", "weather.yaml", "weather.yaml"),
    ],
)
def test_a_suite_is_called_by_its_file(file: str, name: str, short: str) -> None:
    suite = Suite(file, "tool", Tier.GOLDEN, (), "0")
    assert (suite.name, suite.short_name) == (name, short)


def test_a_file_of_another_program_is_never_written() -> None:
    assert Suite("data/evals.json", "", Tier.GOLDEN, (), "0").why_not_written == ""
    owned = Suite("data/evals.json", "", Tier.GOLDEN, (), "0", owner="EvalStudio")
    said = "`evals.json` is EvalStudio's own file, which is read and never written"
    assert owned.why_not_written == said
