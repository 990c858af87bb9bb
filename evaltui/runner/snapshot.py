"""Captures the live values behind `{{snapshot:*}}`, just before the cases run."""

import asyncio
import shlex
from pathlib import Path

from evaltui.child.once import ask_once
from evaltui.core.errors import AgentError, UserError
from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json
from evaltui.core.shown_secret import literal_secrets, shown_command
from evaltui.files import TEXT_LIMIT, is_file, read_file
from evaltui.net.masking import masked
from evaltui.net.secret_mask import project_secrets
from evaltui.net.target import parse_target
from evaltui.net.unpacking import ENCODINGS

LIMIT_S = 30.0
LIMIT_BYTES = TEXT_LIMIT


async def capture_snapshot(template: str, root: Path) -> Json:
    """JSON from a file below `root`, an HTTP GET, or a command's standard output.

    `${NAME}` in a URL is filled in; a command may have its shell do that. Raises UserError naming
    the source without its secrets; the caller runs on with snapshot tokens unresolved.
    """
    secrets = project_secrets(root)
    secrets.note(template)
    source = shown = template
    if not _is_address(template):
        secrets.note_literals(literal_secrets(_words(template)))
        shown = shown_command(template)
    try:
        if _is_address(template):
            source = secrets.fill(template, "snapshot")
        if _is_address(source):
            target = parse_target(source)
            secrets.mask.add_credentials(target)
            shown = secrets.mask.hide(target.shown)
        return masked(await _captured(source, root), secrets.mask.hide_answer)
    except UserError as error:
        raise _failed(shown, f"{error.what} {error.hint}".strip()) from None
    except TimeoutError:
        raise _failed(shown, f"no answer within {LIMIT_S:g} s") from None
    except RecursionError:
        raise _failed(shown, "its JSON is nested too deeply") from None
    except (OSError, ValueError) as error:
        raise _failed(shown, secrets.mask.hide(str(error).replace(source, shown))) from None


async def _captured(source: str, root: Path) -> Json:
    async with asyncio.timeout(LIMIT_S):
        if _is_address(source):
            body = await _get(source)
        elif is_file(root / source):
            body = await asyncio.to_thread(read_file, root / source)
        else:
            body = await _run(source, root)
    return _parsed(body)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quote that is never closed
        return command.split()


def _is_address(source: str) -> bool:
    return source.startswith(("http://", "https://"))


async def _get(url: str) -> bytes:
    import httpx

    from evaltui.net.api_client import make_client
    from evaltui.net.limited_stream import limit_body

    try:
        async with (
            make_client(timeout_s=LIMIT_S) as client,
            # Not where a redirect leads: that is an address nobody agreed to.
            client.stream("GET", url, headers={"Accept-Encoding": ENCODINGS}) as response,
        ):
            response.raise_for_status()
            limit_body(response, LIMIT_BYTES)
            return await response.aread()
    except httpx.HTTPError as error:
        raise OSError(f"{type(error).__name__}: {error}") from error
    except AgentError as error:
        raise OSError(str(error)) from error


async def _run(command: str, root: Path) -> bytes:
    argv = shlex.split(command)
    answered = await ask_once(argv, b"", cwd=root, limit_s=LIMIT_S, limit=LIMIT_BYTES)
    if answered.is_late:
        raise TimeoutError
    if answered.fault:
        lines = answered.said.splitlines() if answered.code else []
        raise OSError(f"{answered.fault}{': ' + lines[-1] if lines else ''}")
    return answered.stdout


def _parsed(body: bytes) -> Json:
    value: Json = decode_json(body)
    return value


def _failed(source: str, why: str) -> UserError:
    return UserError(
        f"The snapshot could not be captured from `{source}`: {why.rstrip('.')}.",
        "Assertions on {{snapshot:…}} are skipped; check the `snapshot` setting.",
    )
