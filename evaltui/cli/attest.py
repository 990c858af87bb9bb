"""`evaltui attest`: writes down, signed or not, the hashes of an evidence pack."""

from argparse import Namespace
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.structured import answer, structured


def add(add_command: AddCommand) -> None:
    parser = add_command("attest", help="sign an evidence pack")
    add = parser.add_argument
    add("--run", required=True, type=Path, metavar="DIR", help="evidence pack")
    add(
        "--out",
        type=Path,
        metavar="FILE",
        help="default: run/provenance_attestation.json in the pack",
    )
    add(
        "--secret",
        metavar="TEXT",
        help="secret to sign with; default: $AGENT_EVAL_ATTESTATION_SECRET",
    )
    add("--signer", default="local", metavar="NAME", help="name of the signer")
    add_json(parser)


@structured
def run(flags: Namespace) -> int:
    from evaltui.evidence.gates.attestation import attest, secret_of

    secret = secret_of(flags.secret)
    place = attest(flags.run, secret=secret, signer=flags.signer, out=flags.out)
    output = {"manifest": str(flags.run / "manifest.json"), "attestation": str(place)}
    said = "Signed" if secret else "Not signed, as no secret was given"
    answer(output, flags, f"{said}: {place}")
    return ExitCode.OK
