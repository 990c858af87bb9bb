"""Settings from `evaltui.toml`, `pyproject.toml`, the contract's JSON, and flags."""
