"""The application: its operations, behind access control."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route

from evaltui.api.answers import HANDLERS
from evaltui.api.door import Door, Guarded
from evaltui.api.routes import OPERATIONS, Served
from evaltui.api.runs import Runs
from evaltui.api.scenarios import Scenarios
from evaltui.api.served_project import ServedProject


def make_app(
    start: Path, overrides: Mapping[str, object], door: Door, dashboard: Sequence[str] | None = None
) -> Guarded:
    """The API of the project around `start`, its settings under those of the command line.

    `dashboard`: the flags of those in a browser; without there are none.
    """
    project = ServedProject(start, overrides)
    served = Served(project, Runs(project), Scenarios(project))
    at_end = [served.runs.close, project.close]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            for close in at_end:
                await close()

    routes: list[BaseRoute] = [
        Route(one.path, one.handler, methods=[one.method]) for one in OPERATIONS
    ]
    if dashboard is not None:
        from evaltui.api.browser import Dashboards, command_of

        dashboards = Dashboards(command_of(dashboard))
        routes += dashboards.routes
        at_end.append(dashboards.close)
    app = Starlette(routes=routes, exception_handlers=HANDLERS, lifespan=lifespan)
    app.state.served = served
    return Guarded(app, door)
