"""Captures the live values behind `{{snapshot:*}}`, just before the cases run."""

import asyncio
import json
import shlex
from pathlib import Path

from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.files import read_file

LIMIT_S = 30.0


async def capture_snapshot(source: str, root: Path) -> Json:
    """JSON from a file below `root`, an HTTP GET, or a command's standard output.

    Raises UserError naming the source; the caller runs on with snapshot tokens unresolved.
    """
    try:
        async with asyncio.timeout(LIMIT_S):
            if source.startswith(("http://", "https://")):
                body = await _get(source)
            elif (root / source).is_file():
                body = await asyncio.to_thread(read_file, root / source)
            else:
                body = await _run(source, root)
        return _parsed(body)
    except TimeoutError:
        raise _failed(source, f"no answer within {LIMIT_S:g} s") from None
    except (OSError, ValueError) as error:
        raise _failed(source, str(error)) from error


async def _get(url: str) -> bytes:
    import httpx

    from evaltui.net.api_client import make_client

    try:
        async with make_client(timeout_s=LIMIT_S) as client:
            response = await client.get(url, follow_redirects=True)
            response.raise_for_status()
            return response.content
    except httpx.HTTPError as error:
        raise OSError(f"{type(error).__name__}: {error}") from error


async def _run(command: str, root: Path) -> bytes:
    process = await asyncio.create_subprocess_exec(
        *shlex.split(command),
        cwd=root,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode:
        lines = err.decode(errors="replace").strip().splitlines()
        raise OSError(f"exit code {process.returncode}{': ' + lines[-1] if lines else ''}")
    return out


def _parsed(body: bytes) -> Json:
    value: Json = json.loads(body)
    return value


def _failed(source: str, why: str) -> UserError:
    return UserError(
        f"The snapshot could not be captured from `{source}`: {why}.",
        "Assertions on {{snapshot:…}} are skipped; check the `snapshot` setting.",
    )
