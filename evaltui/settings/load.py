"""From files and flags to one `Config`; mistakes are told, never raised."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.config import Config
from evaltui.core.errors import Problem
from evaltui.settings.build import build_config
from evaltui.settings.flags import flag_table, seen_from, without_replaced
from evaltui.settings.source import find_config, read_source
from evaltui.settings.table import Reporter, read_table


class ReadConfig(Struct, frozen=True):
    config: Config
    problems: tuple[Problem, ...] = ()


def load_config(
    start: Path, overrides: Mapping[str, object] | None = None, previous: Config | None = None
) -> ReadConfig:
    """Settings for the project around `start`: file, then flags on top. Never raises.

    `overrides` are flags by setting name (`None` means not given); `config` names the file,
    `agent` a profile, `embedded` or a URL. What is wrong is reported and left out: of a setting
    the value of `previous` stays, else the default; of a file that cannot be read all of
    `previous`. Unknown keys are warned of and kept in `Config.raw`.
    """
    given = {name: value for name, value in (overrides or {}).items() if value is not None}
    named = given.pop("config", None)
    source = read_source(seen_from(str(named), start)) if named else find_config(start)
    root = start if source is None else source.path.parent
    file = "" if source is None else source.path.name
    problems: list[Problem] = []
    if source is not None and source.problem is not None:
        problems.append(source.problem)
        if previous is not None:
            return ReadConfig(previous, tuple(problems))
    told_file, told_flag = Reporter(source, problems), Reporter(None, problems)
    raw = {} if source is None else source.table
    from_file = read_table(raw, source, told_file)
    flags = read_table(flag_table(given, start, root), None, told_flag)
    values = without_replaced(from_file.values, flags.values) | flags.values
    report = told_flag if "agent" in flags.values else told_file
    config = build_config(root, file, values, raw, report)
    wrong = from_file.wrong - flags.values.keys()
    if previous is not None and wrong:
        known = set(Config.__struct_fields__)
        config = replace(config, **{name: getattr(previous, name) for name in wrong & known})
    return ReadConfig(config, tuple(problems))
