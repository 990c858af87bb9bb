"""A Markdown summary for a pull request: totals, regressions, failures, outdated suites."""

from collections.abc import Container, Iterable, Iterator, Sequence

from evaltui.core.case import CaseKey
from evaltui.core.effect_words import in_words
from evaltui.core.events import RunFinished
from evaltui.core.paired_runs import PairedRuns
from evaltui.core.repeats import repeated
from evaltui.core.result import FAILING, CaseResult, CaseStatus
from evaltui.core.statistics.rates import Stability
from evaltui.reporters.ansi import plain
from evaltui.reporters.baseline_marks import GLYPHS, BaselineMarks
from evaltui.reporters.carried import NOT_RUN, cases_that_ran, others_in_words
from evaltui.reporters.muted_failures import Mutes
from evaltui.reporters.risen import risen_in_words
from evaltui.reporters.trials import rate_text, trials_line
from evaltui.reporters.written_at_end import WrittenAtEnd
from evaltui.store.counts import Counts

MAX_ROWS = 100
"""Failures listed; a comment on a pull request has a size limit."""


class MarkdownReporter(WrittenAtEnd):
    """Written at the end."""

    def close(self) -> None:
        for run in self._runs:
            resumed = self._resumed_of(run.agent)
            lines = markdown_lines(run, self._mutes, self._marks, resumed)
            self._out.write("\n".join(lines) + "\n")
        beside = "".join(f"{line}\n" for line in side_by_side_lines(self._side_by_side()))
        self._out.write(beside)
        self._out.flush()


def side_by_side_lines(pairs: Iterable[tuple[str, str, PairedRuns]]) -> Iterator[str]:
    """A paragraph for each agent that stands beside the first one."""
    for other, first, whole in pairs:
        yield ""
        yield f"`{_cell(other)}` against `{_cell(first)}`: {'; '.join(whole.lines())}"


def markdown_lines(
    run: RunFinished, mutes: Mutes, marks: BaselineMarks, resumed: Container[CaseKey] = ()
) -> list[str]:
    """The report of one run, a line an item, without line ends; muted failures are apart.

    Its figures are of the cases that it ran, those that it went on with (`resumed`) included; what
    the others of its suites count as is said in a line of its own.
    """
    everything = [case for suite in run.suites for case in suite.cases]
    ran = cases_that_ran(everything, resumed)
    whole, keys = Counts.of_results(ran, mutes.covers), {case.key for case in ran}
    idle = f"{whole.nothing_asserted} nothing asserted · " if whole.nothing_asserted else ""
    muted = f"{whole.muted} muted · " if whole.muted else ""
    regressions = marks.fallen(run.suites, mutes)
    fell = marks.counts_fallen(run.agent, (regressions[key] for key in regressions.keys() & keys))
    others = others_in_words(run, mutes, marks, resumed)
    lines = [
        f"## {whole.passed}/{whole.judged} evals passed with `{_cell(run.agent)}`",
        "",
        f"{whole.failed} failed · {whole.errors} errors · {muted}{idle}"
        + "".join(f"{number} {word} · " for word, number in fell.items())
        + f"{run.duration_s:.1f} s",
        *(["", f"{others}."] if others else []),
        *_risen(run, mutes, marks, resumed),
        *_changes(run, mutes),
        *_settings(run),
        *_repeats(ran),
        "",
        f"| suite | tier | passed | failed | errors | {' | '.join(fell)} | outdated |",
        f"| --- | --- | ---: | ---: | ---: | {' | '.join(['---:'] * len(fell))} | --- |",
    ]
    for suite in run.suites:
        counts = Counts.of_results(cases_that_ran(suite.cases, resumed), mutes.covers)
        here = marks.fallen((suite,), mutes)
        fell_here = marks.counts_fallen(run.agent, (here[key] for key in here.keys() & keys))
        lines.append(
            f"| `{_cell(suite.suite)}` | {suite.tier} | {counts.passed} | "
            f"{counts.failed} | {counts.errors} | "
            f"{' | '.join(map(str, fell_here.values()))} | "
            f"{'⚠ outdated' if suite.stale else ''} |"
        )
    failures = [case for case in everything if case.status in FAILING or case.key in regressions]
    failures.sort(
        key=lambda case: (
            bool(mutes.reason(case)),
            case.key not in keys,
            case.key not in regressions,
            case.status,
        )
    )

    def fallen(case: CaseResult) -> str:
        mark = regressions.get(case.key)
        return "" if mark is None else f"{GLYPHS[mark]} {mark.value}"

    if failures:
        lines += ["", "| case | verdict | why |", "| --- | --- | --- |"]
        lines += [
            _row(case, fallen(case), mutes.reason(case), marks, has_run=case.key in keys)
            for case in failures[:MAX_ROWS]
        ]
    if len(failures) > MAX_ROWS:
        lines += ["", f"… and {len(failures) - MAX_ROWS} more."]
    lines += _rates(ran)
    warnings = [warning for suite in run.suites for warning in suite.staleness_warnings]
    unchecked = [f"{case.key}: {case.unchecked}" for case in ran if case.unchecked]
    warnings += unchecked[:MAX_ROWS]
    if warnings:
        lines += ["", *(f"- ⚠ {_code(warning)}" for warning in warnings)]
    if len(unchecked) > MAX_ROWS:
        lines += ["", f"… and {len(unchecked) - MAX_ROWS} more cases with texts without a value."]
    return lines


def _risen(
    run: RunFinished, mutes: Mutes, marks: BaselineMarks, resumed: Container[CaseKey]
) -> Iterator[str]:
    for said, cases in risen_in_words(run.suites, mutes, marks, resumed):
        yield from ("", f"{said}: {_named(cases)}")


def _named(cases: Sequence[str]) -> str:
    more = f" and {len(cases) - MAX_ROWS} more" if len(cases) > MAX_ROWS else ""
    return ", ".join(f"`{_cell(case)}`" for case in cases[:MAX_ROWS]) + more


def _changes(run: RunFinished, mutes: Mutes) -> list[str]:
    """Against the results before, with the cases that are worse or call differently."""
    changes = run.changes
    said = in_words(changes.counts, changes.muted, changes.new_failed, changes.at_times)
    lines = ["", " · ".join(said.values())] if said else []
    worse = tuple(key for key in changes.worse if not mutes.covers(key))
    for word, keys in (("worse", worse), ("calls differ", changes.calls_differ)):
        if keys:
            lines += ["", f"{word}: {_named([key.case for key in keys])}"]
    return lines


def _settings(run: RunFinished) -> list[str]:
    said = {suite.settings for suite in run.suites if suite.settings}
    return ["", *(f"`{_cell(run.agent)}` {_code(settings)}" for settings in sorted(said))] * bool(
        said
    )


def _repeats(ran: Sequence[CaseResult]) -> list[str]:
    said = trials_line(ran)
    return ["", said.replace("|", "·")] if said else []


def _rates(ran: Sequence[CaseResult]) -> list[str]:
    """How often each repeated case passed, the most doubtful first."""
    several = [(case, known) for case in ran if (known := repeated(case))]
    if not several:
        return []
    several.sort(key=lambda one: (one[1].stability is not Stability.FLAKY, one[1].rate.rate))
    lines = ["", "| repeated case | attempts passed (95 % interval) |", "| --- | --- |"]
    lines += [f"| `{_cell(case.key.case)}` | {rate_text(case)} |" for case, _ in several[:MAX_ROWS]]
    if len(several) > MAX_ROWS:
        lines += ["", f"… and {len(several) - MAX_ROWS} more repeated cases."]
    return lines


def _row(case: CaseResult, fallen: str, muted: str, marks: BaselineMarks, *, has_run: bool) -> str:
    verdict = fallen or _WORDS[case.status]
    why = _code(marks.why(case) if fallen else case.error)
    has_fallen, is_muted = bool(fallen), bool(muted)
    if evidence := marks.evidence(case, has_fallen=has_fallen, is_muted=is_muted):
        why += f" · {evidence}"
    if muted:
        verdict = "⊘ muted"
        why += f" · muted: {_code(muted)}"
    if marks.is_flaky(case):
        verdict += ", flaky"
    if not has_run:
        verdict += f", {NOT_RUN}"
    return f"| `{_cell(case.key.case)}` | {verdict} | {why} |"


_WORDS = {CaseStatus.FAILED: "✗ failed", CaseStatus.ERROR: "! error"}


def _code(text: str) -> str:
    """As code: what an agent says is no link, picture or mention, and nobody is called by it."""
    said = _cell(text)
    return f"`{said}`" if said else ""


def _cell(text: str, limit: int = 300) -> str:
    """What stands in a code span, in a table or not, and cannot break either; a cut is marked."""
    flat = plain(" ".join(text.split()))
    cut = flat if len(flat) <= limit else f"{flat[:limit]}…"
    # A backslash before a bar would undo the bar's own.
    escaped = cut.replace("\\", "\\\\").replace("|", "\\|")
    return escaped.replace("`", "'")
