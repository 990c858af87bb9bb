"""`--fail-on`: what makes the exit code of a run 1, and what a gate could not see."""

import sys
from collections.abc import Collection, Container, Iterable

from evaltui.cli.renamed import tell_renamed
from evaltui.core.baseline import Change, judge_change
from evaltui.core.case import CaseKey
from evaltui.core.did_you_mean import few
from evaltui.core.errors import UserError
from evaltui.core.events import RunEnd, RunFinished
from evaltui.core.result import FAILING, CaseResult, CaseStatus
from evaltui.disk.history.pinned_inputs import PinnedInputs
from evaltui.disk.history.shared_inputs import SamePrints
from evaltui.reporters.ansi import plain
from evaltui.session import Session
from evaltui.session.fresh_pins import USUAL_TRIALS
from evaltui.session.uncompared import uncompared
from evaltui.store.row import Row
from evaltui.tui.render.words import count


def gates_of(names: Collection[str]) -> Collection[str]:
    """The same. Raises UserError where `never` contradicts the others."""
    others = sorted({*names} - {"never"})
    if others and "never" in names:
        what = f"`never` contradicts `{others[0]}`: nothing could make the exit code 1."
        raise UserError(what, "Leave out one of them, in --fail-on or `fail_on`.")
    return names


def why_failed(
    runs: Collection[RunFinished], fail_on: Collection[str], mutes: Container[str] = ()
) -> tuple[str, ...]:
    """What makes the exit code 1, for each gate that fails; nothing where none does.

    An agent that could not be judged counts for `failures`, `regressions` and `proven` alike: a
    comparison that did not take place must not look like a good one. Cases of the suites that were
    carried over from earlier runs count as those that were run. `regressions` takes the contract's
    list and what is proven, which may not be on it: a case pinned with some failures among its
    trials did not pass there. Of those that fail, `proven` takes what is beyond doubt alone, and
    those of which an attempt ended in an error: what it would have decided is open.
    `mutes` are cases by `suite::case` that count for nothing.
    """
    if "never" in fail_on:
        return ()
    if cut := [run for run in runs if run.end is not RunEnd.COMPLETED]:
        return (f"the run of {few([run.agent for run in cut])} was cut short",)
    suites = [suite for run in runs for suite in run.suites]
    cases = [case for suite in suites for case in suite.cases]
    counted = [case for case in cases if str(case.key) not in mutes]
    errors = [case.key for case in counted if case.status is CaseStatus.ERROR]
    proven = [key for run in runs for key in run.proven if str(key) not in mutes]
    listed = [CaseKey(one.suite, case) for one in suites for case in one.regressions]
    changes = [run.changes for run in runs]
    happened: dict[str, list[CaseKey]] = {
        "failures": [case.key for case in counted if case.status in FAILING],
        "regressions": [*proven, *listed, *errors],
        "proven": [*proven, *(case.key for case in counted if case.erred), *errors],
        "changed": [key for one in changes for key in (*one.worse, *one.calls_differ, *one.errors)],
    }
    found = {name: dict.fromkeys(keys) for name, keys in happened.items()}
    why = [_said(name, [*found[name]], errors) for name in found if name in fail_on and found[name]]
    if "stale" in fail_on and (stale := [one.suite for one in suites if one.stale]):
        why.append(f"`--fail-on stale` fails for {count(len(stale), 'suite')}: {few(stale, 3)}")
    return tuple(why)


def _said(gate: str, keys: list[CaseKey], errors: Collection[CaseKey]) -> str:
    """`` `--fail-on proven` fails for 2 cases, 1 of them in error: `gs-1`, `gs-2` ``."""
    erred = len({*keys}.intersection(errors))
    of = f", {erred:,} of them in error" if erred else ""
    names = few([key.case for key in keys], 3)
    return f"`--fail-on {gate}` fails for {count(len(keys), 'case')}{of}: {names}"


def tell_unseen(
    session: Session, runs: Collection[RunFinished], fail_on: Collection[str], *, is_well: bool
) -> None:
    """Say on stderr what these gates could not see: agents of which nothing was compared with a
    baseline, cases whose baseline has another name, and falls that cannot be proven.

    Raises UserError where all would seem well because of what was not compared. Where failures
    count by themselves no fall is missed, and a project in which nothing is pinned has nothing to
    miss.
    """
    ended = {run.agent: run for run in runs if run.suites and run.end is RunEnd.COMPLETED}
    is_all = not {"failures", "never"} & {*fail_on}
    behind = [tell_renamed(session, agent, _cases(run)) for agent, run in ended.items()]
    gates = {"regressions", "proven"} & {*fail_on}
    found = [
        one
        for agent, run in ended.items()
        if gates and (one := uncompared(agent, _cases(run), session.store, session.baselines))
    ]
    missed = [one for one in found if one.has_pins]
    if missed and is_all and is_well:
        what = "; ".join(map(str, missed))
        raise UserError(
            f"{what[0].upper()}{what[1:]}.",
            f"A comparison that did not take place is not a good one: {_HOW_TO_PIN}.",
        )
    if any(behind) and is_all and is_well and (gates or "changed" in fail_on):
        raise UserError(
            "Cases that were renamed since they were pinned were compared with nothing.",
            f"A comparison that did not take place is not a good one: {_HOW_TO_MOVE}.",
        )
    if not gates or "never" in fail_on:
        return
    for one in found if is_all else missed:
        sys.stderr.write(f"{plain(str(one))}; {_HOW_TO_PIN}.\n")
    if "proven" in fail_on and not any(run.proven for run in runs):
        _tell_unanswered(session, runs)
    if "failures" not in fail_on:
        _tell_unproven(session, runs, are_listed_seen="regressions" in fail_on)


def _tell_unanswered(session: Session, runs: Collection[RunFinished]) -> None:
    """Name the cases that only `proven` fails for: each was judged, and an attempt was not."""
    cases = (case for run in runs for suite in run.suites for case in suite.cases)
    half = (case for case in cases if case.erred and case.trials_judged.count)
    found = [case.key for case in half if str(case.key) not in session.store.mutes]
    if found:
        those = count(len(found), "case")
        names = plain(few([key.case for key in found], 3))
        sys.stderr.write(
            f"`--fail-on proven` fails for {those} of which an attempt got no answer, which leaves "
            f"open what it would have proven: {names}.\n"
        )


def _tell_unproven(
    session: Session, runs: Collection[RunFinished], *, are_listed_seen: bool
) -> None:
    """Say how many cases fell of which trials cannot tell why. `are_listed_seen`: those of the
    contract's list count for another gate."""
    for run in runs:
        rows = session.store.board(run.agent).rows
        here = [rows[key] for key in _cases(run) if key in rows]
        if are_listed_seen:
            here = [row for row in here if not _is_listed(row)]
        if unknown := [row.key.case for row in here if row.fell_unprovably]:
            sys.stderr.write(
                f"{count(len(unknown), 'case')} fell of which no trial of the baseline counts, so "
                f"that no failure can ever prove it: {plain(few(unknown, 3))}. {_HOW_TO_KNOW}.\n"
            )
        _tell_lost(session, run.agent, here)
        fell = [row for row in here if row.fell_unedited]
        if not fell:
            continue
        prints = SamePrints(session.project)
        pins = session.baselines.inputs(run.agent, prints)
        late = {row.key for row in fell if _has_other_limit(row.result, pins.get(row.key), prints)}
        if late:
            sys.stderr.write(
                f"{count(len(late), 'case')} took longer than `timeout_ms`, which was another one "
                "when they were pinned: that proves nothing of them. Run them with the limit of "
                "the pin, or pin fresh trials with this one.\n"
            )
        if others := [row for row in fell if row.key not in late]:
            can = "`--fail-on regressions` can"
            if unlisted := [row.key.case for row in others if not _is_listed(row)]:
                can = (
                    f"`--fail-on regressions` does not count {plain(few(unlisted, 3))}, of which "
                    "not all pinned trials passed"
                )
            names = plain(few([row.key.case for row in others], 3))
            sys.stderr.write(
                f"{count(len(others), 'case')} fell though nothing that evaltui sees changed since "
                f"the pin ({names}): proof cannot tell this from bad luck; {can}.\n"
            )


def _tell_lost(session: Session, agent: str, rows: Iterable[Row]) -> None:
    """Say of which cases that are not proven to be worse trials may have been lost: a history that
    was lost makes nothing well."""
    evidence = session.evidence(agent)
    fell = (row for row in rows if row.fell_unprovably or row.may_be_worse)
    lost = (row for row in fell if not row.is_proven and evidence.may_lack(row.key))
    if names := [row.key.case for row in lost]:
        sys.stderr.write(
            f"{count(len(names), 'case')} fell without proof, and the history was rebuilt from the "
            "result files since they were pinned: trials whose files are gone do not count any "
            f"more: {plain(few(names, 3))}. {_HOW_TO_KNOW}.\n"
        )


def _is_listed(row: Row) -> bool:
    """Among the `regressions` of its result file."""
    return judge_change(row.baseline, row.result) is Change.REGRESSED


def _has_other_limit(
    result: CaseResult | None, pin: PinnedInputs | None, prints: SamePrints
) -> bool:
    """Whether it took too long under another time limit than that of its pin."""
    if result is None or pin is None or not result.made_late:
        return False
    return prints.of(result.inputs) != pin.same


def _cases(run: RunFinished) -> list[CaseKey]:
    return [case.key for suite in run.suites for case in suite.cases]


_HOW_TO_MOVE = "`evaltui baseline move` gives them what is pinned under their old name"
_HOW_TO_KNOW = (
    f"Without the edit `evaltui baseline pin --trials {USUAL_TRIALS}` makes trials that count;"
    " `--fail-on regressions` needs no proof"
)
_HOW_TO_PIN = "`evaltui baseline list` shows what is pinned, `evaltui baseline pin` pins results"
