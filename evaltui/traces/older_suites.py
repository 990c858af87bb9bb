"""Whether a folder of suites of older versions can still be read: migrated, they are valid."""

from pathlib import Path
from typing import Any

from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.files import RESULTS_LIMIT, read_file
from evaltui.traces.migration import migrate
from evaltui.traces.reading import VERSION, decode_json
from evaltui.traces.validation import validate


def check_older_suites(folder: Path) -> dict[str, Any]:
    """The report on all suites in the folder; one without any shows nothing, and fails.

    Raises OSError when the folder cannot be read.
    """
    reports = [_check(path) for path in sorted(folder.iterdir()) if path.suffix == ".json"]
    failures: list[dict[str, Json]] = [
        {"type": "failing_fixtures", "fixture": one["fixture"], "errors": one["errors"]}
        for one in reports
        if not one["passed"]
    ]
    if not reports:
        failures.append({"type": "insufficient_fixtures", "required": 1, "actual": 0})
    return {
        "passed": not failures,
        "fixtures_dir": str(folder),
        "fixture_reports": reports,
        "failures": failures,
    }


def _check(path: Path) -> dict[str, Json]:
    version = None
    try:
        suite = decode_json(read_file(path, RESULTS_LIMIT), path.name)
        version = validate(suite).schema_version
        found = validate(
            migrate(suite, file=path.name), strict=True, require_version=VERSION
        ).errors
    except (OSError, UserError) as error:
        found = (str(error),)
    return {
        "fixture": path.name,
        "schema_version": version,
        "passed": not found,
        "errors": [*found],
    }
