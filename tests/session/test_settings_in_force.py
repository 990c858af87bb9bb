"""Settings that are read again are those of the same command, and which of them none can run by."""

from pathlib import Path

import pytest

from evaltui.core.errors import Problem, Severity
from evaltui.session.settings_in_force import SettingsInForce, unusable
from evaltui.settings.load import load_config


def in_force(root: Path, **overrides: object) -> SettingsInForce:
    read = load_config(root, overrides)
    return SettingsInForce(read.config, overrides, read.problems)


async def test_flags_outlast_a_save_of_the_settings(tmp_path: Path) -> None:
    path = tmp_path / "evaltui.toml"
    path.write_text("trials = 2\nconcurrency = 3\n")
    settings = in_force(tmp_path, trials=5)
    assert not await settings.reread([path]), "nothing differs"
    path.write_text("trials = 4\nconcurrency = 7\n")
    assert not await settings.reread([tmp_path / "another.toml"])
    assert settings.config.concurrency == 3
    assert await settings.reread([path])
    assert (settings.config.trials, settings.config.concurrency) == (5, 7)


async def test_a_save_that_breaks_them_leaves_those_in_force_and_tells_it(tmp_path: Path) -> None:
    path = tmp_path / "evaltui.toml"
    path.write_text("trials = 2\n")
    settings = in_force(tmp_path)
    path.write_text("trials = [\n")
    assert await settings.reread([path])
    assert settings.config.trials == 2
    assert unusable(settings.problems).startswith("evaltui.toml")
    path.write_text("trials = 2\n")
    assert await settings.reread([path])
    assert (unusable(settings.problems), settings.problems) == ("", ())


@pytest.mark.parametrize(
    ("key", "severity", "place"),
    [
        ("agent", Severity.ERROR, "settings"),
        ("agent", Severity.WARNING, ""),
        ("judge", Severity.ERROR, "settings"),
        ("judge.votes", Severity.ERROR, "settings"),
        ("judge", Severity.WARNING, ""),
        ("max_cost_usd", Severity.ERROR, "settings"),
        ("max_cost_usd", Severity.WARNING, ""),
        ("agents.mine.maxCostUsd", Severity.ERROR, "settings"),
        ("trials", Severity.ERROR, ""),
    ],
)
def test_nothing_runs_only_while_nobody_knows_which_agent_is_meant_who_judges_or_its_limit(
    key: str, severity: Severity, place: str
) -> None:
    problem = Problem("", "wrong", "Do that.", key=key, severity=severity)
    assert unusable([problem]) == place
