"""The files behind `{{snapshot:…}}`, as far as known: their contents are inputs of results."""

import os
from pathlib import Path

from evaltui.core.config import Config
from evaltui.core.fingerprint import fingerprint
from evaltui.core.finite_json import decode_json
from evaltui.core.tool import short_hash
from evaltui.files import is_file, read_file
from evaltui.project.trust import may_read, permit_of, snapshot_grants
from evaltui.settings.profiles import is_url


def snapshot_files(config: Config) -> frozenset[Path]:
    """The file itself, wherever it may be read, or those of the project that the command starts or
    names; of an address, and of what a program reads or asks, the values are known only while a run
    goes on."""
    if not (config.snapshot_enabled and config.snapshot) or is_url(config.snapshot):
        return frozenset()
    if permit_of(config).missing(snapshot_grants(config)):
        return frozenset()
    if (path := _file(config)) is not None:
        return frozenset({path} if may_read(config, config.snapshot, "snapshot") else ())
    from evaltui.agents.own_files import scripts_of  # few projects ask a program
    from evaltui.child import command_words

    try:
        words = command_words(config.snapshot)
    except ValueError:  # a quote that is never closed
        return frozenset()
    return scripts_of(words, config.root, config.root)


def _file(config: Config) -> Path | None:
    """`None` for a command."""
    path = Path(os.path.normpath(config.root / config.snapshot))
    return path if path.suffix == ".json" or is_file(path) else None


def live_values(config: Config) -> str:
    """12 hex digits of what stands in the file, or of the files that make the command; empty
    without any."""
    files = snapshot_files(config)
    if not files:
        return ""
    path = _file(config)
    if path is None:
        from evaltui.agents.own_files import content_of

        return content_of(files, config.root)
    try:
        content = read_file(path)
    except OSError:
        return short_hash("unreadable")
    try:
        return fingerprint(decode_json(content))
    except (ValueError, RecursionError):
        return short_hash(content.decode("utf-8", "replace"))
