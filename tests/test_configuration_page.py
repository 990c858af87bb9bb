"""The page about the settings names every one of them, with its default."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from evaltui.core.config import Config, RegressionsConfig, WatchConfig
from evaltui.settings.keymap import PRESETS
from evaltui.settings.load import load_config
from evaltui.settings.model import FIELDS, Preset, Settings
from evaltui.settings.spelling import camel_case
from evaltui.settings.themes import theme_folders

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "guide" / "configuration.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.+?) \| (.+) \|$", PAGE, re.MULTILINE)
TABLES = re.findall(r"^\| `(\w+)` \| `([^`]+)` \| [^|]+ \|$", PAGE, re.MULTILINE)


def test_the_tables_are_up_to_date() -> None:
    script = ROOT / "scripts" / "settings_table.py"
    done = subprocess.run([sys.executable, script, "--check"], check=False)
    assert done.returncode == 0, "run `python scripts/settings_table.py`"


def test_every_setting_has_a_row_in_the_order_of_the_code() -> None:
    assert [row[0] for row in ROWS] == list(Settings.model_fields)
    assert [row[1] for row in ROWS] == [camel_case(name) for name in Settings.model_fields]


def test_the_defaults_are_those_of_the_program() -> None:
    config = Config(root=ROOT)
    fields = {name: FIELDS.get(name, name) for name in Settings.model_fields}
    written = {name: default for name, _, default, _ in ROWS if default.startswith("`")}
    assert written.pop("agent") == f'`"{config.agents[0].name}"`'
    assert written, "the page says no default at all"
    for name, default in written.items():
        value = getattr(config, fields[name])
        plain = list(value) if isinstance(value, tuple) else value
        assert default == f"`{json.dumps(plain)}`", name


def test_what_has_no_default_is_empty_without_settings() -> None:
    config = Config(root=ROOT)
    fields = {name: FIELDS.get(name, name) for name in Settings.model_fields}
    for name, _, default, _ in ROWS:
        if default in ("none", "found") and name != "agents":
            assert not getattr(config, fields[name], None), name


def test_the_keys_of_tables_are_there() -> None:
    assert dict(TABLES) == {
        name: json.dumps(getattr(table, name))
        for table in (WatchConfig(), RegressionsConfig())
        for name in table.__struct_fields__
    }


def test_every_preset_of_the_dashboard_can_be_set() -> None:
    assert set(get_args(Preset)) == set(PRESETS)


def test_presets_and_themes_are_named() -> None:
    for preset in get_args(Preset):
        assert f"`{preset}`" in PAGE
    for theme in theme_folders()[0].glob("*.toml"):
        assert f"`{theme.stem}`" in PAGE


def test_the_example_chooses_its_agents(tmp_path: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for block in blocks:
        (tmp_path / "evaltui.toml").write_text(block, encoding="utf-8")
        profiles = load_config(tmp_path).config.agents
        assert [profile.name for profile in profiles] == ["local", "embedded"]
