"""`evaltui gate`: exit code 0 when a comparison lets a release pass, 1 when it does not."""

from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltui.cli.compare import REGISTRY
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, number
from evaltui.cli.structured import FlagError, answer, message_of, reading_flags, structured
from evaltui.core.errors import UserError
from evaltui.disk.outputs import write_output
from evaltui.files import is_absent, is_file, is_folder
from evaltui.traces.wire import pretty

if TYPE_CHECKING:
    from evaltui.evidence.compared.compare_report import CompareReport

RATES = {
    "min-pass-rate": "lowest rate of cases that pass",
    "max-hard-fail-rate": "highest rate of cases that fail hard",
    "max-pass-rate-drop": "most that the pass rate may fall below the baseline's",
    "max-hard-fail-increase": "most that the hard fail rate may rise above the baseline's",
    "max-mean-latency-ms": "highest mean latency of a case",
    "max-p95-latency-ms": "highest latency of a case, not counting the slowest 5 %%",
    "max-latency-increase": "most that the mean latency may grow: 0.1 is a tenth",
    "max-mean-cost-usd": "highest mean cost of a case",
    "max-total-cost-usd": "highest cost of all cases together",
    "max-cost-increase": "most that the mean cost may grow: 0.1 is a tenth",
}
COUNTS = {
    "max-regressed-cases": "most cases that may be worse than in the baseline",
    "max-new-hard-fail-cases": "most cases that may fail hard and did not in the baseline",
}
CONFIG = Path("config/gate.json")


def add(add_command: AddCommand) -> None:
    parser = add_command("gate", help="decide by a comparison whether a release may pass")
    add = parser.add_argument
    add("--compare", required=True, type=Path, metavar="FILE", help="report that `compare` wrote")
    for name, what in RATES.items():
        add(f"--{name}", type=number, metavar="R", help=what)
    for name, what in COUNTS.items():
        add(f"--{name}", type=number, metavar="N", help=what)
    add(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"file with thresholds; default: {CONFIG}, if it exists",
    )
    what = "do not count cases with a waiver as worse"
    add("--apply-waivers", action="store_true", help=what)
    add(
        "--baseline-name",
        metavar="NAME",
        help="with --apply-waivers: the baseline whose waivers apply",
    )
    add("--registry-path", type=Path, default=REGISTRY, metavar="FILE", help=f"default: {REGISTRY}")
    add("--out", type=Path, metavar="FILE", help="default: gate_decision.json next to the report")
    add_json(parser)


@structured
def run(flags: Namespace) -> int:
    """Flags count more than the file. What cannot be decided is written down as not passed, so
    that no older decision stands for it; beside a report that is not there nothing is."""
    from evaltui.evidence.gates.gating import refused
    from evaltui.evidence.gates.waiver_words import waived_in_words

    out = flags.out or _beside(flags.compare)
    try:
        decision = _decided(flags, out)
    except (Exception, KeyboardInterrupt) as error:
        is_meant = flags.out is not None or is_file(flags.compare) or is_file(out)
        if is_meant and is_folder(out.parent):
            write_output(out, pretty(refused([message_of(error)])))
        raise
    write_output(out, pretty(decision))
    word = "passed" if decision["passed"] else "failed"
    lines = [
        f"gate {word}",
        *(f"  {one}" for one in decision["failures"]),
        *(f"  {one}" for one in waived_in_words(decision.get("waiver_refs"))),
        *(f"  warning: {one}" for one in decision["warnings"]),
        f"Decision: {out}",
    ]
    output = {"gate_decision": str(out), "passed": decision["passed"]}
    output |= {key: told for key in ("failures", "warnings") if (told := decision[key])}
    answer(output, flags, "\n".join(lines))
    return ExitCode.OK if decision["passed"] else ExitCode.FAILED


def not_decided(argv: Sequence[str]) -> None:
    """Of a command line that was refused: what was decided before is not what it asks for."""
    from evaltui.evidence.gates.gating import refused

    parser = ArgumentParser(add_help=False, exit_on_error=False)
    for flag in ("--compare", "--out"):
        parser.add_argument(flag, type=Path)
    try:
        flags, _ = parser.parse_known_args(argv)
        out = flags.out or (_beside(flags.compare) if flags.compare else None)
        if out is not None and is_file(out):
            write_output(
                out, pretty(refused(["`evaltui gate` was called with flags that it does not have"]))
            )
    except (ArgumentError, SystemExit, OSError, UserError):
        return  # which file was meant is not known, or it cannot be written


def _decided(flags: Namespace, out: Path) -> dict[str, Any]:
    from evaltui.evidence.compared.compare_report import CompareReport, read_report
    from evaltui.evidence.compared.compared_packs import wrong_packs
    from evaltui.evidence.gates.approvals import waived_cases, waiving
    from evaltui.evidence.gates.gate_decision import CONTENT, DECIDED_BY
    from evaltui.evidence.gates.gating import checked, gate, read_thresholds, refused
    from evaltui.evidence.gates.waiver_words import unused_in_words

    config = flags.config or (None if is_absent(CONFIG) else CONFIG)
    names = (one.replace("-", "_") for one in (*RATES, *COUNTS))
    given = {name: value for name in names if (value := getattr(flags, name)) is not None}
    with reading_flags():
        given = checked(given)
    thresholds = {**(read_thresholds(config) if config is not None else {}), **given}
    report = read_report(flags.compare, CompareReport)
    active = _waivers(flags, report)
    waivers = waiving(report, active)
    if wrong := [*wrong_packs(report, flags.compare)]:
        return refused(wrong, thresholds)
    decision = gate(report, thresholds, waived_cases(report, waivers))
    beside = flags.compare.name if out.parent == flags.compare.parent else None
    found = {"waiver_refs": waivers, DECIDED_BY: beside, CONTENT: report.content}
    unused = unused_in_words(report, active, waivers)
    warnings = [*decision["warnings"], *_flaws(flags), *unused]
    return {**decision, "warnings": warnings, **found}


def _beside(report: Path) -> Path:
    """Where the decision is written. Raises UserError where a link leads that out of the pack."""
    from evaltui.evidence.compared.compared_packs import pack_of
    from evaltui.evidence.packs.pack_folder import inside

    out, pack = report.parent / "gate_decision.json", pack_of(report)
    return out if pack is None else inside(pack, out)


def _flaws(flags: Namespace) -> list[str]:
    """Of waivers for this baseline that are not as one has to be."""
    if not flags.apply_waivers:
        return []
    from evaltui.evidence.gates.approvals import waivers
    from evaltui.evidence.gates.waiver_flaws import flaws_in_words

    return [*flaws_in_words(waivers(flags.registry_path, flags.baseline_name))]


def _waivers(flags: Namespace, report: "CompareReport") -> list[dict[str, Any]]:
    """Those in force; none unless they are asked for."""
    if not flags.apply_waivers:
        return []
    if not flags.baseline_name:
        raise FlagError("--apply-waivers needs --baseline-name.", "Name the baseline.")
    from evaltui.evidence.gates.approvals import waivers_of

    return waivers_of(flags.registry_path, flags.baseline_name, report)
