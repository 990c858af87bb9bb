"""Whether a project may run code here: what its settings want, and what a person agreed to.

The one owner of the question. Nothing of a project is run, filled in or reached over the network
but through a `Permit` from here; `project/gate.py` makes agents, readers and snapshots with it.
"""

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from evaltui.core.agent_name import EMBEDDED, JUDGE
from evaltui.core.config import AgentProfile, Config
from evaltui.core.errors import Problem, UserError
from evaltui.core.permit import (
    EVERYTHING,
    HOW_TO_TRUST,
    Grant,
    Kind,
    Permit,
    each_once,
    grant,
    not_trusted,
)
from evaltui.disk.damage import Report
from evaltui.disk.own_folder import leading_out
from evaltui.disk.trusted import read_agreement, remove_agreement, write_agreement
from evaltui.files import is_file, outside
from evaltui.settings.profiles import is_url

VARIABLE_NAME = "EVALTUI_TRUST"
"""Agrees to everything, for CI. Only that of the environment counts: `.env` is the project's."""
_YES = frozenset({"1", "true", "yes", "on"})


def permit_of(config: Config, report: Report | None = None) -> Permit:
    """What was agreed to: in this project, by the environment, or by being typed. `report`: hears
    that the agreement is damaged, which is set aside then."""
    if config.is_trusted or is_agreed_by_environment():
        return EVERYTHING
    typed = (one.digest for one, is_typed in _grants_in_use(config) if is_typed)
    kept = read_agreement(config.root, report)
    return Permit(kept.union(typed if config.typed else ()))


def is_agreed_by_environment() -> bool:
    """Whether whoever started us agreed to everything, as in CI."""
    return os.environ.get(VARIABLE_NAME, "").strip().lower() in _YES


def missing_grants(config: Config, report: Report | None = None) -> tuple[Grant, ...]:
    """What the settings in force want done and nobody agreed to; empty: the project may run."""
    needed = grants_in_use(config)
    return permit_of(config, report).missing(needed) if needed else ()


def is_agreed(config: Config) -> bool:
    """Whether somebody agreed to all that the settings in force want done, and to something: a
    project that wants nothing was agreed to by nobody."""
    permit, needed = permit_of(config), grants_in_use(config)
    return permit.is_all or (bool(needed) and not permit.missing(needed))


def refuse_untrusted(config: Config) -> None:
    """Raises UserError unless the project may run, with what is wrong with the agreement."""
    damaged: list[Problem] = []
    if missing := missing_grants(config, damaged.append):
        refused = refusal(missing)
        raise UserError(refused.what, refused.hint, [*damaged, *refused.problems])


def grants_in_use(config: Config) -> tuple[Grant, ...]:
    """All that a run with these settings would run, send, and read and write outside."""
    return tuple(dict.fromkeys(one for one, _ in _grants_in_use(config)))


def all_grants(config: Config) -> tuple[Grant, ...]:
    """The same with agents that the settings name beside those under test."""
    others = (one for each in config.profiles.values() for one in agent_grants(config, each))
    return each_once((*grants_in_use(config), *others))


def kept_permit(config: Config, report: Report) -> Permit:
    """What was agreed to in this project, whatever the environment and the command line say."""
    return Permit(read_agreement(config.root, report))


def agree(root: Path, grants: Collection[Grant]) -> Path:
    """Remember, outside of the project, that these were shown and agreed to. Raises UserError."""
    try:
        return write_agreement(root, grants)
    except OSError as error:
        what = f"The agreement cannot be written: {error.strerror or error}."
        raise UserError(what, "`--trust` agrees for one command.") from error


def revoke(config: Config) -> bool:
    """Forget it; whether there was something to forget. Raises UserError."""
    try:
        return remove_agreement(config.root)
    except OSError as error:
        raise UserError(f"The agreement cannot be removed: {error.strerror}.") from error


def may_read(config: Config, name: str, by: str) -> bool:
    """Whether a file, folder or glob that settings name may be read where it lies."""
    grants = tuple(_reached("read", (name,), config.root, by))
    return not grants or not permit_of(config).missing(grants)


def places_outside(config: Config) -> tuple[Path, ...]:
    """The folders of the setting `outside` that were agreed to."""
    names = (name for name in config.outside if may_read(config, name, "outside"))
    return tuple(config.root / name for name in names)


def refusal(missing: Iterable[Grant]) -> UserError:
    """Why nothing is run, with the list of what would be."""
    what = "This project is not trusted: nobody agreed to what its settings want done."
    return UserError(what, HOW_TO_TRUST, [Problem("", str(one)) for one in missing])


def left_out(config: Config) -> tuple[Problem, ...]:
    """What a command that only reads does without."""
    return tuple(not_trusted(one) for one in missing_grants(config))


def agent_grants(config: Config, profile: AgentProfile, by: str = "") -> tuple[Grant, ...]:
    """Of one agent; nothing of one whose profile is wrong, since it cannot be made either.

    `by`: the setting that names it, where it is not under test. One that is only replayed is never
    started, filled in or sent anything.
    """
    grants = asked_grants(config, profile, by)
    if config.recordings != "replay":
        return grants
    return tuple(one for one in grants if one.kind not in ("run", "send"))


def asked_grants(config: Config, profile: AgentProfile, by: str = "") -> tuple[Grant, ...]:
    """The same of one that is asked, whatever is recorded."""
    if profile.type == EMBEDDED:
        return ()
    from evaltui.agents.profiles.reading import grants_of  # and pydantic with it

    by = by or (f"agents.{profile.name}" if profile in config.profiles.values() else "agent")
    return grants_of(profile.type, profile.options, config.root, by)


def _grants_in_use(config: Config) -> Iterator[tuple[Grant, bool]]:
    """Each with whether it was typed. What a file that was typed names is not."""
    own, typed = config.profiles.values(), config.typed
    for profile in config.agents:
        for one in agent_grants(config, profile):
            yield one, "agents" in typed and profile not in own
    for profile in () if config.judge is None else config.judge.profiles:
        for one in agent_grants(config, profile, JUDGE):
            yield one, False
    for source in config.registries:
        from evaltui.registries.discovery import source_type
        from evaltui.registries.grants import server_grants, source_grants

        type_ = source_type(source, config.root)
        for one in source_grants(type_, config.root, source):
            yield one, "registries" in typed
        is_elsewhere = source.location.endswith(".json") and outside(config.root, source.location)
        if type_ == "mcp" and not is_elsewhere:
            for one in server_grants(config.root, source):
                yield one, False
    for one in evaluator_grants(config):
        yield one, "evaluators" in typed
    for one in snapshot_grants(config):
        yield one, "snapshot" in typed
    seed = (config.seed_manifest_path,)
    named = {"evals": config.evals, "seed_manifest_path": seed, "outside": config.outside}
    for field, names in named.items():
        for one in _reached("read", names, config.root, field):
            yield one, field in typed
    for one in write_grants(config):
        yield one, one.by in typed


def evaluator_grants(config: Config) -> tuple[Grant, ...]:
    """Of the evaluators that the settings name: loading one runs it. A file that leads out of the
    project by a link is named where it lies, too."""
    if not config.evaluators:
        return ()
    from evaltui.evaluators.plugin_entry import entries_of

    entries = [*entries_of(config)]
    files = (str(entry.path) for entry in entries if entry.path is not None)
    read = _reached("read", files, config.root, "evaluators")
    return (*(entry.grant for entry in entries), *read)


def snapshot_grants(config: Config) -> tuple[Grant, ...]:
    """Of asking for the snapshot: a program or an address; a file of the project asks for none."""
    source = config.snapshot
    if not (config.snapshot_enabled and source):
        return ()
    if is_url(source):
        from evaltui.net.secret_sources import sent_by_project

        return (sent_by_project(source, config.root, by="snapshot"),)
    if is_file(config.root / source):
        return tuple(_reached("read", (source,), config.root, "snapshot"))
    from evaltui.core.shown_secret import shown_command

    return (grant("run", source, f"`{shown_command(source)}`", by="snapshot"),)


def write_grants(config: Config) -> tuple[Grant, ...]:
    """Of folders for results that lie, or lead by a link, out of the project."""
    results = Path(config.output_dir)
    names = [results, results.parent / "baselines"]
    if config.recordings != "off":
        names.append(Path(config.recording_dir))
    return (
        *_reached("write", map(str, names), config.root, "output_dir"),
        *(
            grant("write", str(place), f"`{place}`", by="a link")
            for place in leading_out(config.root)
        ),
    )


def _reached(kind: Kind, names: Iterable[str], root: Path, by: str) -> Iterator[Grant]:
    for name in names:
        if place := outside(root, name):
            yield grant(kind, place, f"`{place}`", by=by)
