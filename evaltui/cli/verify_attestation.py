"""`evaltui verify-attestation`: exit code 0 if a pack matches its attestation."""

from argparse import Namespace
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.structured import answer, structured
from evaltui.disk.outputs import write_output
from evaltui.traces.wire import pretty


def add(add_command: AddCommand) -> None:
    parser = add_command(
        "verify-attestation", help="check an evidence pack against its attestation"
    )
    add = parser.add_argument
    add("--run", required=True, type=Path, metavar="DIR", help="evidence pack")
    where = "default: run/provenance_attestation.json in the pack"
    add("--attestation", type=Path, metavar="FILE", help=where)
    add("--secret", metavar="TEXT", help="secret it was signed with; makes a signature required")
    add("--out", type=Path, metavar="FILE", help="write the report to this file too")
    add_json(parser)


@structured
def run(flags: Namespace) -> int:
    from evaltui.evidence.gates.attestation import secret_of, verify

    secret = secret_of(flags.secret)
    report = verify(flags.run, secret=secret, attestation=flags.attestation)
    if flags.out is not None:
        write_output(flags.out, pretty(report))
    lines = [f"{flags.run}: {'as attested' if report['passed'] else 'not as attested'}"]
    lines += [f"  {one['path']}: changed" for one in report["hash_mismatches"]]
    lines += [f"  {report['signature_error']}"] if report["signature_error"] else []
    answer(report, flags, "\n".join(lines))
    return ExitCode.OK if report["passed"] else ExitCode.FAILED
