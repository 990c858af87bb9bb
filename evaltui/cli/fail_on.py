"""What `--fail-on` means: whether what happened makes the exit code 1."""

from collections.abc import Collection, Container

from evaltui.cli.exit_code import ExitCode
from evaltui.core.events import RunEnd, RunFinished
from evaltui.store.counts import summarize


def exit_code(
    runs: Collection[RunFinished], fail_on: Collection[str], mutes: Container[str] = ()
) -> ExitCode:
    """1 when something happened that `fail_on` names, or a run was cut short.

    An agent that could not be judged counts for `failures`, `regressions` and `proven` alike: a
    comparison that did not take place must not look like a good one. Cases of the suites that were
    carried over from earlier runs count as those that were run. `regressions` takes the contract's
    list and what is proven, which may not be on it: a case pinned with some failures among its
    trials did not pass there. Of those that fail, `proven` takes what is beyond doubt alone, and
    those of which an attempt ended in an error: what it would have decided is open.
    `mutes` are cases by `suite::case` that count for nothing.
    """
    if "never" in fail_on:
        return ExitCode.OK
    if any(run.end is not RunEnd.COMPLETED for run in runs):
        return ExitCode.FAILED
    suites = [suite for run in runs for suite in run.suites]
    cases = [case for suite in suites for case in suite.cases]
    is_proven = any(str(key) not in mutes for run in runs for key in run.proven)
    counted = tuple(case for case in cases if str(case.key) not in mutes)
    counts = summarize(counted)
    has_errors = counts.errored > 0
    happened = {
        "failures": counts.failed > 0,
        "regressions": is_proven or has_errors or any(suite.regressions for suite in suites),
        "proven": is_proven or has_errors or any(case.erred for case in counted),
        "changed": any(
            run.changes.worse or run.changes.calls_differ or run.changes.errors for run in runs
        ),
        "stale": any(suite.stale for suite in suites),
    }
    return ExitCode.FAILED if any(happened[name] for name in fail_on) else ExitCode.OK
