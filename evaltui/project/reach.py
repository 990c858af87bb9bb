"""Where the files of a project may be opened, listed and watched.

The one owner of that question for what is named by files, as tools by imports and `$ref`s. What an
agent or an evaluator is made of is known only once somebody agreed to it.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from evaltui.core.config import Config
from evaltui.core.tool import ToolRegistry
from evaltui.files import Places, is_folder, outside
from evaltui.project.glob_pattern import fixed_part, is_glob
from evaltui.project.trust import may_read, permit_of, places_outside
from evaltui.registries.discovery import source_type
from evaltui.registries.grants import own_places, source_grants


def reach(config: Config) -> Places:
    """The project, the folders of `outside`, and what else its settings name, as far as somebody
    agreed to that."""
    return Places(config.root, *places_outside(config), *_named(config))


def within(reach: Places, paths: Iterable[Path]) -> frozenset[Path]:
    """Those of the paths that may be looked at. In place of a link that leads elsewhere the folder
    that it stands in, where another file may come to stand."""
    found: set[Path] = set()
    for path in paths:
        if reach.hold(path):
            found.add(path)
        elif reach.hold(path.parent):
            found.add(path.parent)
    return frozenset(found)


def tool_files(root: Path, registry: ToolRegistry) -> set[Path]:
    """What its tools are read from, and what that names, by absolute path; it may lie anywhere."""
    return {Path(os.path.normpath(root / name)) for name in registry.all_files}


def _named(config: Config) -> Iterator[Path]:
    permit = None
    for source in config.registries:
        if places := own_places(config.root, source):
            permit = permit or permit_of(config)
            grants = source_grants(source_type(source, config.root), config.root, source)
            if not permit.missing(grants):
                yield from places
    named = {
        "evals": config.evals,
        "seed_manifest_path": (config.seed_manifest_path,),
        "snapshot": (config.snapshot,) if config.snapshot_enabled else (),
    }
    for key, names in named.items():
        for name in names:
            if "://" not in name and outside(config.root, name) and may_read(config, name, key):
                yield _place(config.root, name)


def _place(root: Path, name: str) -> Path:
    """The folder of a glob, else what is named."""
    path = Path(os.path.normpath(root / name))
    if is_glob(name) and not is_folder(path):
        return Path(os.path.normpath(root / (fixed_part(name) or ".")))
    return path
