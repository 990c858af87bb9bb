"""`evaltui registry`: names of data sets and of baselines among evidence packs."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaltui.cli.compare import REGISTRY
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.structured import answer, reading_flags, structured


def add(add_command: AddCommand) -> None:
    parser = add_command(
        "registry", help="register data sets, baselines and waivers of evidence packs"
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    suite = _action(actions, "dataset-add", "register a suite of traces")
    suite.add_argument("--suite", required=True, type=Path, metavar="FILE", help="suite of traces")
    suite.add_argument("--dataset-id", default="", metavar="ID", help="default: the suite's own")
    suite.add_argument("--description", default="", metavar="TEXT", help="what it is about")
    suite.add_argument(
        "--tag", action="append", default=[], metavar="TAG", help="a tag; repeatable"
    )
    _action(actions, "dataset-list", "list the data sets")
    baseline = _action(actions, "baseline-set", "make a run a named baseline")
    baseline.add_argument("--name", required=True, metavar="NAME", help="name of the baseline")
    baseline.add_argument("--run", required=True, type=Path, metavar="DIR", help="evidence pack")
    baseline.add_argument("--dataset-id", default="", metavar="ID", help="default: the run's own")
    baseline.add_argument("--notes", default="", metavar="TEXT", help="notes to keep with it")
    _action(actions, "baseline-list", "list the baselines")
    promote = _action(
        actions, "baseline-promote", "make a run a named baseline, with who approved it and why"
    )
    promote.add_argument("--name", required=True, metavar="NAME", help="name of the baseline")
    promote.add_argument("--run", required=True, type=Path, metavar="DIR", help="evidence pack")
    promote.add_argument("--approved-by", required=True, metavar="WHO", help="who approves it")
    promote.add_argument("--rationale", required=True, metavar="TEXT", help="why")
    promote.add_argument("--dataset-id", default="", metavar="ID", help="default: the run's own")
    promote.add_argument("--notes", default="", metavar="TEXT", help="notes to keep with it")
    approvals = _action(actions, "approval-list", "list approvals of baselines")
    approvals.add_argument("--name", metavar="NAME", help="only of this baseline")
    waiver = _action(actions, "waiver-add", "allow a case to be worse than in a baseline")
    waiver.add_argument(
        "--baseline-name", required=True, metavar="NAME", help="name of the baseline"
    )
    waiver.add_argument("--approved-by", required=True, metavar="WHO", help="who approves it")
    waiver.add_argument("--reason", required=True, metavar="TEXT", help="why")
    waiver.add_argument("--case-id", metavar="ID", help="case that may be worse")
    waiver.add_argument("--judge-id", metavar="NAME", help="only for this judge; default: any")
    waiver.add_argument(
        "--regression-key", metavar="TEXT", help="key of a regression, e.g. `case regressed: ID`"
    )
    waiver.add_argument(
        "--expires-at", metavar="TIME", help="when the waiver ends, in ISO 8601; default: never"
    )
    waivers = _action(actions, "waiver-list", "list waivers")
    waivers.add_argument("--baseline-name", metavar="NAME", help="only of this baseline")
    waivers.add_argument(
        "--active-only", action="store_true", help="leave out waivers that have ended"
    )
    audit = _action(actions, "audit-log", "show the changes to the registry")
    audit.add_argument(
        "--limit",
        type=int,
        default=50,
        metavar="N",
        help="most changes to show (default: %(default)s)",
    )
    show = _action(actions, "baseline-show", "show one baseline")
    show.add_argument("--name", required=True, metavar="NAME", help="name of the baseline")


def _action(actions: Any, name: str, text: str) -> ArgumentParser:
    action: ArgumentParser = actions.add_parser(name, help=text)
    add = action.add_argument
    add("--registry-path", type=Path, default=REGISTRY, metavar="FILE", help=f"default: {REGISTRY}")
    add_json(action)
    return action


@structured
def run(flags: Namespace) -> int:
    from evaltui.evidence.gates.approvals import (
        add_waiver,
        approvals,
        new_waiver,
        promote,
        refuse_empty,
        waivers,
    )
    from evaltui.evidence.gates.waiver_flaws import flaws_in_words
    from evaltui.evidence.registry import add_dataset, read_registry, set_baseline

    path = flags.registry_path
    code = ExitCode.OK
    output: dict[str, Any]
    match flags.action:
        case "dataset-add":
            entry = add_dataset(
                path,
                flags.suite,
                dataset_id=flags.dataset_id,
                description=flags.description,
                tags=flags.tag,
            )
            output = {"dataset_registered": entry}
        case "baseline-set":
            with reading_flags():
                refuse_empty("--name", flags.name)
            entry = set_baseline(
                path, flags.name, flags.run, dataset_id=flags.dataset_id, notes=flags.notes
            )
            output = {"baseline_set": entry}
        case "baseline-promote":
            with reading_flags():
                refuse_empty("--name", flags.name)
                refuse_empty("--approved-by", flags.approved_by)
            promoted = promote(
                path,
                flags.name,
                flags.run,
                approved_by=flags.approved_by,
                rationale=flags.rationale,
                dataset_id=flags.dataset_id,
                notes=flags.notes,
            )
            output = {"promotion": promoted}
        case "approval-list":
            rows = approvals(path, flags.name)
            output = {"approvals": rows, "count": len(rows)}
        case "waiver-add":
            names = ("case_id", "judge_id", "regression_key", "expires_at", "approved_by", "reason")
            asked = {name: getattr(flags, name) for name in names}
            with reading_flags():
                added = new_waiver(flags.baseline_name, **asked)
            added, doubt = add_waiver(path, added)
            output = {"waiver": added, **({"warnings": [doubt]} if doubt else {})}
        case "waiver-list":
            rows = waivers(path, flags.baseline_name, active_only=flags.active_only)
            output = {"waivers": rows, "count": len(rows)}
            if flaws := [*flaws_in_words(rows)]:
                output["warnings"] = flaws
        case "audit-log":
            rows = read_registry(path)["audit_log"][-flags.limit :] if flags.limit > 0 else []
            output = {"audit_log": rows, "count": len(rows)}
        case "baseline-show":
            known = read_registry(path)["baselines"].get(flags.name)
            code = ExitCode.OK if known else ExitCode.FAILED
            output = {"baseline": known} if known else {"error": f"unknown baseline: {flags.name}"}
        case _:
            section = "datasets" if flags.action == "dataset-list" else "baselines"
            rows = [one for _, one in sorted(read_registry(path)[section].items())]
            output = {section: rows, "count": len(rows)}
    answer({**output, "registry_path": str(path)}, flags, _said(output))
    return code


def _said(output: dict[str, Any]) -> str:
    lines: list[str] = []
    for name, value in output.items():
        for row in value if isinstance(value, list) else [value]:
            if isinstance(row, dict):
                lines.append(_row(row))
            elif name == "warnings":
                lines.append(f"warning: {row}")
            else:
                lines.append(str(row) if isinstance(row, str) else f"{row} in all")
    return "\n".join(lines)


def _row(row: Mapping[str, Any]) -> str:
    """What people look for in an entry, whichever it is."""
    if "approval" in row:
        return _row(row["approval"])
    if "waiver_id" in row:
        until = f"until {row['expires_at']}" if row.get("expires_at") else "without an end"
        case = row.get("case_id") or row.get("regression_key")
        shown: tuple[Any, ...] = (row.get("baseline_name"), case, row.get("judge_id"))
        shown += (row.get("reason"), until)
        who = row.get("approved_by")
    elif "action" in row:
        details = row.get("details")
        known = details.values() if isinstance(details, Mapping) else ()
        shown = (str(row.get("at"))[:19], row["action"], *known)
        who = None
    else:
        name = row.get("name") or row.get("dataset_id")
        path = row.get("run_path") or row.get("suite_path")
        shown = (name, row.get("run_id"), path, row.get("rationale"))
        who = row.get("approved_by")
    return "  ".join(str(one) for one in (*shown, f"by {who}" if who else None) if one)
