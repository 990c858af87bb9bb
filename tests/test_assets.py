"""Files that come with evaltui are found in a checkout and in an installation."""

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

import evaltui.assets
from evaltui.assets import asset_folder
from evaltui.settings.themes import theme_folders
from evaltui.tui.themes import load_theme

ROOT = Path(__file__).parent.parent
BUILT = (
    "evaltui",
    "themes",
    "schemas",
    "sample_evals",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)
LISTING = """
import json
from evaltui.assets import asset_folder
from evaltui.settings.themes import theme_folders
from evaltui.tui.themes import load_theme
files = sorted(theme_folders()[0].glob("*.toml"))
print(json.dumps([load_theme(file).name for file in files]))
print(asset_folder("sample_evals"))
"""


def run(*command: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run a program as somebody who has neither this checkout nor its settings at hand."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment = {**kept, "HOME": str(cwd), "XDG_CONFIG_HOME": str(cwd / "config")}
    words = [str(word) for word in command]
    done = subprocess.run(
        words, check=False, cwd=cwd, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done


def test_a_checkout_has_them_above_the_package() -> None:
    assert asset_folder("themes") == ROOT / "themes"
    assert asset_folder("sample_evals") == ROOT / "sample_evals"


def test_an_installation_has_them_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "evaltui"
    (package / "themes").mkdir(parents=True)
    (tmp_path / "themes").mkdir()
    monkeypatch.setattr(evaltui.assets, "_PACKAGE", package)
    assert asset_folder("themes") == package / "themes"


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaltui.assets, "_PACKAGE", tmp_path / "evaltui")
    with pytest.raises(FileNotFoundError, match="`sample_evals`"):
        asset_folder("sample_evals")


def test_every_shipped_theme_is_read() -> None:
    files = sorted(theme_folders()[0].glob("*.toml"))
    assert {"dark", "light", "high-contrast"} <= {file.stem for file in files}
    assert [load_theme(file).name for file in files] == [file.stem for file in files]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_an_installed_wheel_runs_the_demo(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in BUILT:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, source / name)
    run(sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "-w", tmp_path, "-q", cwd=source)
    (wheel,) = tmp_path.glob("evaltui-*.whl")
    names = ZipFile(wheel).namelist()
    assert "evaltui/sample_evals/evaltui.toml" in names
    assert "evaltui/sample_evals/evals/refund_order.scenario.json" in names
    assert "evaltui/agents/embedded/background.json" in names
    assert "evaltui/tui/dashboard.tcss" in names
    assert "evaltui/schemas/settings.json" in names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", "docs/"))]
    venv.create(tmp_path / "venv", with_pip=True)
    bin_ = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(bin_ / "python", "-m", "pip", "install", "-q", wheel, cwd=tmp_path)
    home = tmp_path / "home"
    home.mkdir()
    done = run(bin_ / "evaltui", "demo", "--plain", cwd=home)
    assert re.search(r"\d+/\d+ passed", done.stdout)
    assert "This was the sample project in" in done.stdout
    assert list(home.iterdir()) == []
    listed = run(bin_ / "python", "-c", LISTING, cwd=home).stdout
    assert '"high-contrast"' in listed
    assert str(tmp_path / "venv") in listed
