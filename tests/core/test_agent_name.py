"""The embedded agent is called by its version in results, and by its profile in the settings."""

import pytest

from evaltui.core.agent_name import embedded_name, is_embedded, is_other_version, settings_name


@pytest.mark.parametrize(
    ("profile", "name"), [("embedded", "embedded/7"), ("a:b", "embedded/7:a:b")]
)
def test_there_and_back(profile: str, name: str) -> None:
    assert embedded_name("7", profile) == name
    assert settings_name(name) == profile
    assert is_embedded(name)


@pytest.mark.parametrize("name", ["mini", "http://x/embedded/1", "embedded2", "my-embedded"])
def test_others_are_called_as_in_the_settings(name: str) -> None:
    assert settings_name(name) == name
    assert not is_embedded(name)


def test_it_may_be_called_without_its_version() -> None:
    assert is_embedded("embedded")
    assert settings_name("embedded") == "embedded"


def test_versions_of_one_agent_are_told_from_other_agents() -> None:
    assert is_other_version("embedded/1", "embedded/2")
    assert is_other_version("embedded/1:strict", "embedded/2:strict")
    assert not is_other_version("embedded/2", "embedded/2")
    assert not is_other_version("embedded/1:strict", "embedded/2")
    assert not is_other_version("mini", "embedded/2")
