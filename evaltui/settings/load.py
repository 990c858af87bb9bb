"""From files and flags to one `Config`; mistakes are reported, never raised."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.config import Config
from evaltui.core.errors import Problem, Severity
from evaltui.settings.build import build_config
from evaltui.settings.flags import flag_table, seen_from, without_replaced
from evaltui.settings.report import Reporter
from evaltui.settings.source import ConfigSource, find_config, not_in_force, read_source

_REACHING = {
    "agent": "agents",
    "registry": "registries",
    **{name: name for name in ("snapshot", "evals", "seed_manifest_path", "output_dir")},
}
"""Settings that may name what is run, asked, or outside of the project, and their fields."""


class ReadConfig(Struct, frozen=True):
    config: Config
    problems: tuple[Problem, ...] = ()


def load_config(
    start: Path, overrides: Mapping[str, object] | None = None, previous: Config | None = None
) -> ReadConfig:
    """Settings for the project around `start`: file, then flags on top. Never raises.

    `overrides` are flags by setting name (`None` means not given); `config` names the file,
    `agent` a profile, `embedded` or a URL; `trust` agrees to all that the settings want done. What
    is wrong is reported and left out: of a setting the value of `previous` stays, else the default;
    of a file that cannot be read all of `previous`. Its folder of results stays in any case.
    Unknown keys are warned of.
    """
    given = {name: value for name, value in (overrides or {}).items() if value is not None}
    named, is_trusted = given.pop("config", None), bool(given.pop("trust", False))
    source = read_source(seen_from(str(named), start)) if named else find_config(start)
    root = start if source is None else source.path.parent
    file = "" if source is None else source.path.name
    problems: list[Problem] = []
    if source is not None and not named:
        problems += not_in_force(source)
    if source is not None and source.problem is not None:
        problems.append(source.problem)
        if previous is not None:
            return ReadConfig(previous, tuple(problems))
    in_file, in_flags = Reporter(source, problems), Reporter(None, problems)
    raw = {} if source is None else source.table
    from_file, wrong = _read(raw, in_file)
    problems += () if source is None else source.problems
    from_flags, _ = _read(flag_table(given, start, root), in_flags)
    values = without_replaced(from_file, from_flags) | from_flags
    config = build_config(
        root, file, values, lambda name: in_flags if name in from_flags else in_file
    )
    along = () if source is None else source.read_along
    config = replace(
        config,
        typed=_fields(from_flags),
        is_trusted=is_trusted,
        read_along=along,
        is_unread=source is not None and source.problem is not None,
    )
    if previous is not None:
        stay = wrong - from_flags.keys() & set(Config.__struct_fields__)
        config = replace(config, **{name: getattr(previous, name) for name in stay})
        if config.output_dir != previous.output_dir:
            wanted = config.output_dir
            problems.append(_still_written_to(previous.output_dir, wanted, source))
            config = replace(config, output_dir=previous.output_dir)
    return ReadConfig(config, tuple(problems))


def _still_written_to(folder: str, wanted: str, source: ConfigSource | None) -> Problem:
    """History, results and baselines were opened in one folder: it holds until the next start."""
    what = f"results go to `{wanted}` from the next start on; until then they go to `{folder}`"
    hint, severity = "Start evaltui again.", Severity.WARNING
    if source is None:
        return Problem("", what, hint, severity=severity, code="config")
    key = "outputDir" if "outputDir" in source.table else "output_dir"
    line, column = source.locate((key,))
    return Problem(source.path.name, what, hint, line, column, key, severity, "config")


def _fields(flags: Mapping[str, Any]) -> frozenset[str]:
    """Fields of `Config` that flags decide, of those with which a project reaches further."""
    return frozenset(_REACHING[name] for name in flags if name in _REACHING)


def _read(table: Mapping[str, Any], report: Reporter) -> tuple[dict[str, Any], set[str]]:
    """Good values and names of wrong ones, both by field of `Config` where they have one."""
    if not table:
        return {}, set()
    from evaltui.settings.mistakes import keep_valid  # and pydantic with it
    from evaltui.settings.model import FIELDS, Settings
    from evaltui.settings.spelling import snake_case

    settings, mistakes = keep_valid(Settings, table, report.wording)
    for mistake in mistakes:
        report.mistake(mistake)
    whole = {snake_case(str(one.path[0])) for one in mistakes if len(one.path) == 1}
    values = {} if settings is None else settings.given()
    return {FIELDS.get(name, name): value for name, value in values.items()}, {
        FIELDS.get(name, name) for name in whole
    }
