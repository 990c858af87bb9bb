"""The file behind `{{snapshot:…}}`, where it is one: results belong to what stood in it."""

import os
from pathlib import Path

from evaltui.core.config import Config
from evaltui.core.fingerprint import fingerprint
from evaltui.core.finite_json import decode_json
from evaltui.core.tool import short_hash
from evaltui.files import is_file, read_file


def snapshot_file(config: Config) -> Path | None:
    """`None` for none, an address or a command: their values are known only while a run goes on."""
    if not (config.snapshot_enabled and config.snapshot) or "://" in config.snapshot:
        return None
    path = Path(os.path.normpath(config.root / config.snapshot))
    is_meant = path.suffix == ".json" or is_file(path)
    return path if is_meant and config.root in path.parents else None


def live_values(config: Config) -> str:
    """12 hex digits of what stands in the file; empty without one."""
    path = snapshot_file(config)
    if path is None:
        return ""
    try:
        content = read_file(path)
    except OSError:
        return short_hash("unreadable")
    try:
        return fingerprint(decode_json(content))
    except (ValueError, RecursionError):
        return short_hash(content.decode("utf-8", "replace"))
