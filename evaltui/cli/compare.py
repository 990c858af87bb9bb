"""`evaltui compare`: a candidate run against a baseline, as a report for programs and people."""

from argparse import Namespace
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.structured import answer, structured
from evaltui.disk.outputs import write_output
from evaltui.files import is_folder
from evaltui.traces.wire import pretty

REGISTRY = Path(".agent_eval/registry.json")


def add(add_command: AddCommand) -> None:
    parser = add_command("compare", help="compare the evidence of two runs")
    add = parser.add_argument
    add(
        "--baseline",
        required=True,
        metavar="RUN|NAME",
        help="baseline: evidence pack, report, summary or registered name",
    )
    add(
        "--candidate",
        required=True,
        type=Path,
        metavar="RUN",
        help="run to compare: evidence pack, report or summary",
    )
    add(
        "--allow-incompatible",
        action="store_true",
        help="compare even runs that a gate would refuse",
    )
    add("--out", type=Path, metavar="FILE", help="default: compare/baseline_delta.json")
    add("--registry-path", type=Path, default=REGISTRY, metavar="FILE", help=f"default: {REGISTRY}")
    add_json(parser)


@structured
def run(flags: Namespace) -> int:
    """Exit code 0 also with regressions: whether they matter is for `gate` to say."""
    from evaltui.evidence.baseline_names import baseline_side
    from evaltui.evidence.compared.comparing import compare
    from evaltui.evidence.compared.lost_checks import less_asserted, may_assert_less
    from evaltui.evidence.compared.measured_words import measured_rows
    from evaltui.evidence.compared.side import read_side
    from evaltui.evidence.gates.gate_decision import COMPARISON
    from evaltui.evidence.judge_code import code_warnings
    from evaltui.evidence.packs.pack_folder import inside

    candidate = read_side(flags.candidate)
    agent = str(candidate.config.get("agent_version") or "")
    baseline, reference = baseline_side(
        flags.baseline, flags.registry_path, _pins(flags.baseline), agent
    )
    report = compare(
        baseline, candidate, reference=reference, allow_incompatible=flags.allow_incompatible
    )
    folder = flags.candidate if is_folder(flags.candidate) else Path()
    out = flags.out or inside(folder, folder / COMPARISON)
    write_output(out, pretty(report))
    output = {"compare_report": str(out), "regressions": report["regressions"]}
    if warnings := code_warnings(report["changed_code"]):
        output["warnings"] = warnings
    overview = report["overview"]
    unknown = may_assert_less(report["unknown_checks"], are_cases_known=report["cases_compared"])
    lines = [
        f"{report['baseline_run_id']} → {report['candidate_run_id']}: "
        f"{overview['regressed_cases']} cases regressed, {overview['improved_cases']} improved, "
        f"risk {overview['risk_level']}",
        *(f"  {one}" for one in (report["paired"] or {}).get("text", ())),
        *(f"  {one.text()}" for one in measured_rows(report)),
        *(f"  {one}" for one in report["regressions"]),
        *(
            f"  {one}"
            for one in less_asserted(
                (one["case_id"], one["judges"]) for one in report["lost_checks"]
            )
        ),
        *([f"  {unknown}"] if unknown else []),
        *(f"  warning: {one}" for one in warnings),
        f"Report: {out}",
    ]
    answer(output, flags, "\n".join(lines))
    return ExitCode.OK


def _pins(text: str) -> Path:
    """Where results are pinned; the settings are read only where a name could be one."""
    place = Path("evals/baselines")
    if "/" in text:
        return place
    from evaltui.disk.baselines.pins import pins_folder
    from evaltui.settings.load import load_config

    return pins_folder(load_config(Path.cwd()).config)
