"""Settings from `evaltui.toml`, `pyproject.toml`, the contract's JSON, and flags."""

from evaltui.settings.load import ReadConfig, load_config

__all__ = ["ReadConfig", "load_config"]
