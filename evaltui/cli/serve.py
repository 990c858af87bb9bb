"""`evaltui serve`: the dashboard in a browser, and the evals over HTTP for programs."""

import os
import sys
from argparse import Namespace
from collections.abc import Mapping

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.settings import given, read_settings, start_folder
from evaltui.core.errors import UserError
from evaltui.reporters.ansi import json_text, plain

TOKEN = "EVALTUI_SERVE_TOKEN"
_SHORTEST = 16
_HOW = f"Set {TOKEN}, e.g. to what `openssl rand -hex 24` prints."


def add(add_command: AddCommand) -> None:
    parser = add_command("serve", help="serve the dashboard to a browser, and the evals over HTTP")
    add = parser.add_argument
    add(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address to listen on (default: %(default)s)",
    )
    add(
        "--port",
        type=int,
        default=8765,
        metavar="N",
        help="port to listen on, 0 for any free one (default: %(default)s)",
    )
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name that requests may use; repeatable",
    )
    add("--api-only", action="store_true", help="do not serve the dashboard")
    add_json(parser, "one line with the address")
    add_project_flags(parser)


def run(flags: Namespace) -> int:
    """Answer until Ctrl+C. Raises UserError without a token that is needed, for an address that
    cannot be listened on, and for mistakes in the settings."""
    try:
        import starlette  # noqa: F401
        import textual_serve  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        what = f"`evaltui serve` needs the package `{error.name}`."
        raise UserError(what, "Install it: pip install 'evaltui[serve]'.") from None
    read_settings(flags)  # mistakes are told now, not to who asks first
    from evaltui.api.app import make_app
    from evaltui.api.door import Door
    from evaltui.api.server import listen, serve

    token = token_of(os.environ, flags.host)
    os.environ.pop(TOKEN, None)  # no program that is started from here has to know it
    names = frozenset(name.lower() for name in flags.allow_host)
    door = Door(flags.host, names, token)
    dashboard = None if flags.api_only else dashboard_flags(flags)
    app = make_app(start_folder(flags), given(flags), door, dashboard)
    place = listen(flags.host, flags.port)
    host = f"[{flags.host}]" if ":" in flags.host else flags.host
    url = f"http://{host}:{place.getsockname()[1]}"

    def tell() -> None:
        if flags.json:
            sys.stdout.write(json_text({"url": url, "needsToken": bool(token)}) + "\n")
        else:
            asked = f"; it asks for the token in {TOKEN}" if token else ""
            sys.stdout.write(f"Listening on {plain(url)}{asked}; Ctrl+C ends it.\n")
        sys.stdout.flush()

    signal = serve(app, place, tell, app.inner.state.served.runs.close)
    return 128 + signal if signal else ExitCode.OK


def dashboard_flags(flags: Namespace) -> list[str]:
    """Those with which a dashboard has the project and the settings of this command."""
    words = ["-C", str(start_folder(flags))]
    for name, value in given(flags).items():
        flag = f"--{name.replace('_', '-')}"
        values = value if isinstance(value, list) else [value]
        words += [flag] if value is True else [f"{flag}={one}" for one in values]
    return words


def token_of(environment: Mapping[str, str], host: str) -> str:
    """The token that is asked for; empty for none, which is for this machine only.

    Raises UserError where there has to be one, or a longer one.
    """
    from evaltui.api.door import is_loopback

    token = environment.get(TOKEN, "").strip()
    if not token and not is_loopback(host):
        raise UserError(f"Listening on {host} needs a token: others can reach it too.", _HOW)
    if token and len(token) < _SHORTEST:
        raise UserError(f"The token in {TOKEN} has fewer than {_SHORTEST} characters.", _HOW)
    return token
