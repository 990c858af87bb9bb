"""`evaltui run`: the evals for scripts and CI, with an exit code that says how it went."""

import asyncio
import io
import sys
from argparse import Namespace
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO, cast, get_args

from evaltui.cli.complaint import complain_of
from evaltui.cli.damage_said import DamageSaid
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.fail_on import gates_of, tell_unseen, why_failed
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.git_unasked import tell_unasked
from evaltui.cli.resume import resume
from evaltui.cli.selection import files_of, select
from evaltui.cli.settings import read_settings
from evaltui.cli.suite_flags import add_suite_flags, refuse_without_suite
from evaltui.cli.written_beside import WrittenBeside
from evaltui.core.case import Tier
from evaltui.core.config import FailOn
from evaltui.core.errors import UNKNOWN_KEY, Problem, Severity, UserError
from evaltui.core.events import RunFinished
from evaltui.disk.outputs import write_output
from evaltui.disk.own_folder import make_folder
from evaltui.disk.results.results_folder import check_output_dir
from evaltui.process import cancel_on_signals
from evaltui.project import refuse_untrusted
from evaltui.project.diagnostics.run_mistakes import run_mistakes
from evaltui.project.trust import is_agreed
from evaltui.reporters import PLACES, REPORTERS, Reporter, make_reporter
from evaltui.reporters.ansi import plain
from evaltui.session import Session
from evaltui.session.down_servers import age_of_tools
from evaltui.store.store import Store


def add(add_command: AddCommand) -> None:
    parser = add_command("run", help="run the evals, for scripts and CI")
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH[::CASE]", help="eval files, folders or single cases")
    add("--filter", metavar="TEXT", help="cases whose id, description or tool contains TEXT")
    tiers = tuple(tier.value for tier in Tier)
    add("--tier", action="append", choices=tiers, help="only cases of this tier; repeatable")
    add("--failed", action="store_true", help="only cases that failed last time")
    add(
        "--confirm",
        action="store_true",
        help="run unproven regressions again, if that can settle them",
    )
    add("--resume", action="store_true", help="continue the last interrupted run")
    add(
        "--reporter",
        action="append",
        metavar="NAME[=FILE]",
        help=f"{', '.join(REPORTERS)}; repeatable; default: console",
    )
    guards = get_args(FailOn)
    add(
        "--otel",
        metavar="ADDRESS",
        help="send the run as traces to this OpenTelemetry (OTLP) address",
    )
    add("--fail-on", action="append", choices=guards, help="what makes the exit code 1; repeatable")
    add("--explain", action="store_true", help="say why the embedded agent chose its tools")
    add_json(parser, "one JSON object per line for each event")
    add_project_flags(parser)
    add_suite_flags(parser)


def run(flags: Namespace) -> int:
    """Run the selected cases. Raises UserError for bad flags or when there is nothing to run."""
    if flags.suite is not None:
        from evaltui.cli import run_suite

        return run_suite.run(flags)
    refuse_without_suite(flags)
    settings = read_settings(flags, paths=files_of(flags.paths))
    refuse_untrusted(settings.config)
    fail_on = gates_of(flags.fail_on or settings.config.fail_on)
    check_output_dir(settings.config.root / settings.config.output_dir)
    session = Session(
        settings.config,
        overrides=settings.overrides,
        problems=settings.problems,
        store=Store(is_shown=False),
    )
    wanted = [*(flags.reporter or (["jsonl"] if flags.json else ["console"]))]
    wanted += [f"otel={flags.otel}"] if flags.otel else []
    if not {"console", "jsonl"}.intersection(wanted):  # which say it too
        session.add_sink(DamageSaid())
    finished: list[RunFinished] = []
    mistakes: list[Problem] = []
    heard: list[int] = []
    try:
        asyncio.run(_run(session, flags, wanted, finished, mistakes, heard))
    except asyncio.CancelledError:
        return 128 + heard[0] if heard else ExitCode.TERMINATED
    late = [one for one in session.store.problems.others if one.severity is Severity.ERROR]
    if "console" not in wanted:
        mistakes += late
    if mistakes:
        complain_of(mistakes, is_json=flags.json)
    if mistakes or late:
        return ExitCode.USAGE
    why = why_failed(finished, fail_on, session.store.mutes)
    if why and "console" not in wanted:  # which says it by itself
        sys.stderr.write(f"{plain('; '.join(why))}.\n")
    code = ExitCode.FAILED if why else ExitCode.OK
    tell_unseen(session, finished, fail_on, is_well=code is ExitCode.OK)
    return code


async def _run(
    session: Session,
    flags: Namespace,
    wanted: Collection[str],
    finished: list[RunFinished],
    mistakes: list[Problem],
    heard: list[int],
) -> None:
    """Add what ran, the mistakes that were found before it, and the signals that came meanwhile;
    `wanted` reporters tell it.

    Nothing is returned: at its end asyncio describes the main task, with all that it returned, in
    a text nobody reads, which for 10,000 results takes seconds and tens of megabytes.
    """
    cancel_on_signals(heard)
    # Inside, since after the loop's end a signal would not let reports be written to their end.
    with reporters(wanted, session, explain=flags.explain):
        try:
            knows_first = flags.failed or flags.resume or session.config.baseline_run_id
            await session.open(is_strict=True, meanwhile=not knows_first)
            mistakes += [
                one for one in session.store.problems.reported if one.severity is Severity.ERROR
            ]
            if old := age_of_tools(session.project.registry):
                sys.stderr.write(f"{plain(old)}\n")
            keys = select(session, flags)
            if not flags.json:  # whose events hold them
                _warn_of_misspelt(session, {key.suite for key in keys})
            confirms = flags.confirm or session.config.regressions.confirm == "auto"
            mistakes += run_mistakes(session.project, keys)
            if not keys and flags.failed and not flags.resume and _ran_before(session):
                sys.stderr.write(
                    "Nothing failed last time; run without --failed to run everything.\n"
                )
            elif not keys:
                raise UserError(*_nothing(session, flags), problems=session.store.problems.reported)
            elif flags.resume:
                finished += await resume(
                    session,
                    keys,
                    confirms=confirms,
                    names_agents=bool(getattr(flags, "agent", None)),
                    names_files=bool(flags.paths),
                )
            else:
                finished += await session.run(keys, confirms=confirms, is_by_outcome=flags.failed)
        finally:
            await session.close()


def _warn_of_misspelt(session: Session, suites: Collection[str]) -> None:
    """Keys that nobody reads, in the files that are run: what stands under them judges nothing."""
    for one in session.store.problems.reported:
        if one.code == UNKNOWN_KEY and one.severity is Severity.WARNING and one.file in suites:
            sys.stderr.write(f"warning: {plain(str(one))}\n")


def _ran_before(session: Session) -> bool:
    boards = (session.store.board(agent) for agent in session.agents)
    return any(row.result is not None for board in boards for row in board.rows.values())


def _nothing(session: Session, flags: Namespace) -> tuple[str, str]:
    """What there is nothing of, and what to do."""
    store, named = session.store, session.config.evals
    if (flags.filter or flags.tier) and any(suite.cases for suite in store.suites):
        hint = "Loosen --filter or --tier; `evaltui check` lists what is read."
        return "No case matches.", hint
    if flags.failed and not _ran_before(session) and store.suites:
        return "No earlier run is known.", "Run without --failed to run everything."
    if any(problem.severity is Severity.ERROR for problem in store.problems.reported):
        return "There is no case to run.", "Correct the mistakes that are named, and run again."
    if store.suites or named:
        where = f"`{'`, `'.join(named)}`" if named else "the eval files"
        return (
            f"There is no case in {where}.",
            "Write one, or name other files; `evaltui check` lists what is read.",
        )
    return (
        "There are no eval files here.",
        "`evaltui init` writes a first one's settings; `evaltui demo` shows a whole project.",
    )


@contextmanager
def reporters(
    wanted: Collection[str], session: Session, *, explain: bool = False
) -> Iterator[None]:
    """Attach `NAME[=FILE]` reporters for the time of a run; files are written whole or not at all.

    A jsonl file streams instead, so that it can be followed and survives a crash.
    """
    made: list[Reporter] = []
    standard: WrittenBeside | None = None
    with ExitStack() as ends:
        for item in wanted:
            name, is_file, target = item.partition("=")
            options = {"explain": explain} if name == "console" else {}
            reporter: Reporter
            if example := PLACES.get(name):
                if not target:
                    raise UserError(f"`{name}` needs a place.", f"E.g. {name}={example}.")
                agreed = is_agreed(session.config)
                tell_unasked(agreed)
                reporter = make_reporter(name, target, is_agreed=agreed)
            elif is_file and not target and name in REPORTERS:
                hint = f"E.g. {name}=FILE, or {name} alone for standard output."
                raise UserError(f"`{item}` names no file.", hint)
            elif not target:
                if standard is None:  # of all that print there, or they would tear each other's
                    standard = WrittenBeside(sys.stdout)
                    ends.callback(_end, Path(target), standard.close)
                out = recorded_first(standard, session.flush)
                reporter = make_reporter(name, out, **options)
            elif name == "jsonl":
                file = _open(Path(target))
                ends.callback(_end, Path(target), file.close)
                reporter = make_reporter(name, recorded_first(file, session.flush))
            else:
                text = io.StringIO()
                reporter = make_reporter(name, text, **options)
                ends.callback(_write, Path(target), text)
            ends.callback(_end, Path(target), reporter.close)
            made.append(reporter)
        for reporter in made:
            session.add_sink(reporter)
        yield


def _end(path: Path, close: Callable[[], None]) -> None:
    """Raises UserError where what was held back does not fit any more."""
    try:
        close()
    except OSError as error:
        if path == Path():
            raise  # the standard output is whoever's who started us
        raise _unwritable(path, error) from error


def _write(path: Path, text: io.StringIO) -> None:
    try:
        write_output(path, text.getvalue().encode())
    except OSError as error:
        raise _unwritable(path, error) from error


def _open(path: Path) -> io.TextIOWrapper:
    try:
        make_folder(path.parent)
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> UserError:
    return UserError(
        f"`{path}` cannot be written: {error.strerror}.", "Give another file to --reporter."
    )


class RecordedFirst:
    """A text stream that has everything recorded before each write."""

    def __init__(self, out: TextIO | WrittenBeside, record: Callable[[], None]) -> None:
        self._out = out
        self._record = record

    def write(self, text: str) -> int:
        self._record()
        return self._out.write(text)

    def flush(self) -> None:
        self._out.flush()

    def isatty(self) -> bool:
        return self._out.isatty()


def recorded_first(out: TextIO | WrittenBeside, record: Callable[[], None]) -> TextIO:
    """`out` for a reporter: reporters write, flush and ask whether it is a terminal."""
    return cast("TextIO", RecordedFirst(out, record))
