"""OPERATIONS: every request the API answers, one line each; routes and description use it."""

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from evaltui import __version__
from evaltui.api.answers import answer, read_object
from evaltui.api.event_stream import EventResponse
from evaltui.api.faults import Fault, NotFound
from evaltui.api.operation import MOST_CASES, Operation
from evaltui.api.run_record import STATUSES
from evaltui.api.run_wanted import of_eval, run_wanted, within
from evaltui.api.runs import Runs
from evaltui.api.scenarios import Scenarios
from evaltui.api.scopes import Scope, scope_of, scopes
from evaltui.api.served_project import ServedProject
from evaltui.core.case import Case
from evaltui.core.comparison import Effect
from evaltui.core.json_value import Json
from evaltui.core.suite import Suite
from evaltui.project import missing_grants
from evaltui.project.trust import all_grants

if TYPE_CHECKING:
    from pydantic import BaseModel


class Served(Struct, frozen=True):
    """Whom the handlers ask."""

    project: ServedProject
    runs: Runs
    scenarios: Scenarios


def served_by(request: Request) -> Served:
    served: Served = request.app.state.served
    return served


async def status(request: Request) -> Response:
    config = served_by(request).project.read_settings().config
    missing = missing_grants(config)
    grants: list[Json] = [
        {"does": str(one), "isAgreed": one not in missing} for one in all_grants(config)
    ]
    body = {"version": __version__, "project": config.root.name, "isTrusted": not missing}
    return answer({**body, "agents": [one.name for one in config.agents], "grants": grants})


async def evaluator_types(request: Request) -> Response:
    project = await served_by(request).project.read()
    return answer(project.evaluator_registry.list())


def scope_in(request: Request) -> Scope:
    """The project that the path names. Raises NotFound."""
    id_ = request.path_params.get("project")
    return scope_of(served_by(request).project.read_settings().config, id_)


async def list_projects(request: Request) -> Response:
    known = scopes(served_by(request).project.read_settings().config)
    return answer([{"id": one.id, "name": one.name} for one in known])


async def list_scenarios(request: Request) -> Response:
    return answer(await served_by(request).scenarios.all(scope_in(request)))


async def get_scenario(request: Request) -> Response:
    id_ = request.path_params["id"]
    return answer(await served_by(request).scenarios.get(id_, scope_in(request)))


async def add_scenario(request: Request) -> Response:
    scope = scope_in(request)
    added = await served_by(request).scenarios.add(await read_object(request), scope)
    return answer(added, 201)


async def change_scenario(request: Request) -> Response:
    body, scope = await read_object(request), scope_in(request)
    id_ = request.path_params["id"]
    return answer(await served_by(request).scenarios.change(id_, body, scope))


async def list_evals(request: Request) -> Response:
    scope = scope_in(request)
    project = await served_by(request).project.read()
    return answer([_suite_json(suite) for suite in project.suites if scope.has(suite.id)])


async def get_eval(request: Request) -> Response:
    id_ = request.path_params["id"]
    scope = scope_in(request)
    suite = (await served_by(request).project.read()).suite(id_)
    if suite is None or not scope.has(suite.id):
        raise NotFound(f"There is no eval file `{id_}`.", "`GET /api/evals` lists them.")
    return answer(_suite_json(suite) | {"cases": [_case_json(case) for case in suite.cases]})


async def list_runs(request: Request) -> Response:
    agent = request.query_params.get("agent", "")
    rows = await served_by(request).runs.all(agent)
    if "limit" in request.query_params:
        rows = rows[: _number(request, "limit", MOST_CASES, MOST_CASES)]
    return answer(rows)


async def start_run(request: Request) -> Response:
    config = served_by(request).project.read_settings().config
    wanted = of_eval(run_wanted(await read_object(request, is_optional=True)), config)
    wanted = within(wanted, scope_in(request))
    return answer(await served_by(request).runs.start(wanted), 202)


async def get_run(request: Request) -> Response:
    wanted = request.query_params.get("status", "")
    if wanted and wanted not in STATUSES:
        raise Fault(
            f"`{wanted}` is not a status of a case.", f"There are `{'`, `'.join(STATUSES)}`."
        )
    offset = _number(request, "offset", 0, 1 << 31)
    limit = _number(request, "limit", MOST_CASES, MOST_CASES)
    runs, id_ = served_by(request).runs, request.path_params["id"]
    try:
        record = await runs.get(id_)
    except NotFound:
        return answer(await runs.conversation(id_, scope_in(request)))
    return answer(record.json(offset=offset, limit=limit, status=wanted))


async def cancel_run(request: Request) -> Response:
    return answer((await served_by(request).runs.cancel(request.path_params["id"])).json())


async def run_events(request: Request) -> Response:
    last_id = request.headers.get("last-event-id", "0")
    offset = int(last_id) if last_id.isdecimal() and len(last_id) < 16 else 0
    return EventResponse(served_by(request).runs.events(request.path_params["id"], offset))


async def describe(_: Request) -> Response:
    from evaltui.api.openapi import document

    return answer(document(OPERATIONS))


def _scenario() -> "type[BaseModel]":
    from evaltui.api.scenarios import Scenario

    return Scenario


def _run() -> "type[BaseModel]":
    from evaltui.api.run_wanted import RunWanted

    return RunWanted


_SCENARIO = "the scenario as it stands in its file, with `key`, `file` and `problems`"
_PART = {"offset": "the first result", "limit": "most to list", "status": "of the results"}
_CHANGES = tuple(effect.key for effect in Effect)
_UNSCOPED = (
    Operation("GET", "/api/status", status, "Version, agents, and what was agreed to"),
    Operation("GET", "/api/projects", list_projects, "The projects of a workspace, else this one"),
    Operation(
        "GET",
        "/api/evaluator-types",
        evaluator_types,
        "All evaluators that cases may name",
        "what `evaltui evaluators list --json` prints",
    ),
    Operation("GET", "/api/scenarios", list_scenarios, "All scenarios", f"of each {_SCENARIO}"),
    Operation(
        "POST",
        "/api/scenarios",
        add_scenario,
        "Write a scenario: into `file`, else a new one",
        _SCENARIO,
        201,
        _scenario,
    ),
    Operation("GET", "/api/scenarios/{id:path}", get_scenario, "One scenario", _SCENARIO),
    Operation(
        "PUT",
        "/api/scenarios/{id:path}",
        change_scenario,
        "Change the fields that are sent; `null` takes one out",
        _SCENARIO,
        body=_scenario,
        is_partial=True,
    ),
    Operation("GET", "/api/evals", list_evals, "All eval files"),
    Operation("GET", "/api/evals/{id:path}", get_eval, "One eval file with its cases"),
    Operation(
        "GET",
        "/api/runs",
        list_runs,
        "Runs: running ones first, then the newest",
        f"of those that are over `changes` counts the cases: `{'`, `'.join(_CHANGES)}`",
        query={"agent": "only of this one", "limit": _PART["limit"]},
    ),
    Operation(
        "POST",
        "/api/runs",
        start_run,
        "Begin a run on each agent",
        "`runs`: one for each agent, `status` is `running`",
        202,
        _run,
    ),
    Operation(
        "GET",
        "/api/runs/{id}",
        get_run,
        "One run with its results, or one scenario of it",
        query=_PART,
    ),
    Operation("POST", "/api/runs/{id}/cancel", cancel_run, "End a run; what finished is kept"),
    Operation(
        "GET",
        "/api/runs/{id}/events",
        run_events,
        "What happened in a run, and what happens",
        "server-sent events: those of `evaltui run --json`",
        media_type="text/event-stream",
    ),
    Operation("GET", "/api/openapi.json", describe, "This description"),
)

_OF_PROJECT = frozenset(
    {list_scenarios, add_scenario, get_scenario, change_scenario, list_evals, get_eval, start_run}
)
OPERATIONS = (
    *_UNSCOPED,
    *(
        replace(
            one,
            path=one.path.replace("/api/", "/api/projects/{project}/", 1),
            summary=f"{one.summary}, of one project",
        )
        for one in _UNSCOPED
        if one.handler in _OF_PROJECT
    ),
)


def _suite_json(suite: Suite) -> dict[str, Json]:
    row: dict[str, Json] = {"id": suite.id, "tier": suite.tier.value, "title": suite.title}
    return row | {"toolName": suite.tool_name, "totalCases": len(suite.cases)}


def _case_json(case: Case) -> dict[str, Json]:
    row: dict[str, Json] = {"id": case.id, "key": str(case.key), "line": case.line}
    row |= {"description": case.description, "message": case.message}
    return row | ({"invalid": case.invalid} if case.invalid else {})


def _number(request: Request, name: str, default: int, most: int) -> int:
    given = request.query_params.get(name, str(default))
    if not (given.isascii() and given.isdecimal() and len(given) < 12 and int(given) <= most):
        raise Fault(f"`{name}` is not a number from 0 to {most}.", f"Write `{name}={default}`.")
    return int(given)
