"""One MCP server: connecting, listing, listening, and reconnecting when it is lost."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from threading import Event
from time import perf_counter, time
from typing import TYPE_CHECKING, Any, TextIO, cast

from msgspec.structs import replace

from evaltui.core.errors import UserError
from evaltui.core.json_or_text import json_or_text
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.net.masking import masked
from evaltui.net.secret_mask import SecretResolver
from evaltui.registries.mcp.listing import Listing, list_tools
from evaltui.registries.mcp.server import McpServer
from evaltui.registries.mcp.transport import open_client

if TYPE_CHECKING:
    from mcp import Client

MOST_ERROR = 2_000
"""Characters of what a tool says of its failure."""
LONGEST_PAUSE_S = 30.0
SHORTEST_REST_S, LONGEST_REST_S = 0.05, 2.0
"""Between two lists; doubled while a server tells of one change after the other."""


class Connection:
    """Lives on the loop of its `LoopThread`; `listing` may be read from any thread."""

    def __init__(
        self,
        server: McpServer,
        source: str,
        root: Path,
        secrets: SecretResolver,
        on_change: Callable[[str], None],
    ) -> None:
        self.server = server
        self.listing = Listing()
        self.first = Event()
        """Set once it was listed, or could not be."""
        self._source = source
        self._root = root
        self._secrets = secrets
        self._on_change = on_change
        self._client: Client | None = None
        self._client_ready = asyncio.Event()
        self._look = asyncio.Event()
        self._names: Mapping[str, str] = {}
        self._task: asyncio.Task[None] | None = None
        self._stopped = Event()
        self._may_cancel = False

    def stop(self) -> None:
        """End `run`; a server that is being ended already is left to it.

        The SDK's orderly shutdown is defeated by cancelling its task a second time.
        """
        self._stopped.set()
        if self._task is not None and self._may_cancel:
            self._may_cancel = False
            self._task.cancel()

    async def run(self) -> None:
        """Until stopped: connect, follow, and after a fault pause and begin again."""
        self._task = asyncio.current_task()
        pause_s = 0.5
        while not self._stopped.is_set():
            errlog = cast(TextIO, tempfile.TemporaryFile("w+", errors="replace"))  # noqa: SIM115
            try:
                await self._follow(errlog)
            except BaseException as error:  # the SDK raises groups of errors
                if self._stopped.is_set():
                    return
                self._lost(fault_in_words(error, self.server, self._secrets, tail(errlog)))
            finally:
                self.first.set()
                self._client = None
                self._client_ready.clear()
                errlog.close()
            pause_s = 0.5 if self.listing.at > time() - pause_s * 4 else pause_s * 2
            with self._cancellable():
                await asyncio.sleep(min(pause_s, LONGEST_PAUSE_S))

    @contextmanager
    def _cancellable(self) -> Iterator[None]:
        self._may_cancel = not self._stopped.is_set()
        if self._stopped.is_set():
            raise asyncio.CancelledError
        try:
            yield
        finally:
            self._may_cancel = False

    async def call(self, call: ToolCall) -> ToolCall:
        """Execute one call of a tool of this server; a fault is the call's error."""
        began = perf_counter()
        try:
            async with asyncio.timeout(self.server.timeout_s):
                await self._client_ready.wait()
                assert self._client is not None
                answer = await self._client.call_tool(
                    self._names.get(call.name, call.name), dict(call.params or {})
                )
            success, result, error = result_of(answer)
            result, error = masked(result, self._hide), self._hide(error)[:MOST_ERROR]
        except TimeoutError:
            error = f"no answer within {self.server.timeout_s:g} s"
            error = f"{error}: {self.listing.fault}" if self.listing.fault else error
            success, result = False, None
        except asyncio.CancelledError:
            raise
        except Exception as fault:
            success, result, error = False, None, fault_in_words(fault, self.server, self._secrets)
            self._doubt(fault)
        return replace(
            call,
            success=success,
            result=result,
            error=error,
            duration_ms=(perf_counter() - began) * 1000,
        )

    def _hide(self, text: str) -> str:
        return self._secrets.mask.hide_answer(text)

    def _doubt(self, fault: Exception) -> None:
        """Look at once whether the server is still there; calls that follow wait for it."""
        from mcp.types import CONNECTION_CLOSED

        if getattr(fault, "code", CONNECTION_CLOSED) == CONNECTION_CLOSED:
            self._client_ready.clear()
        self._look.set()

    async def _follow(self, errlog: TextIO) -> None:
        server = self.server
        async with AsyncExitStack() as stack:
            with self._cancellable():
                async with asyncio.timeout(server.timeout_s):
                    client = await open_client(
                        stack, server, self._root, self._secrets, errlog, self._look.set
                    )
                    await self._list(client)
                self._client = client
                self._client_ready.set()
                capabilities = client.server_capabilities.tools
                if capabilities is not None and capabilities.list_changed:
                    await stack.enter_async_context(self._listening(client))
                await self._look_again_and_again(client)

    async def _look_again_and_again(self, client: "Client") -> None:
        """When told of a change, and from time to time: not every server tells, or still lives."""
        server = self.server
        poll_s = server.poll_s or (5.0 if server.transport == "stdio" else 30.0)
        rest_s = SHORTEST_REST_S
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(poll_s):
                    await self._look.wait()
            self._look.clear()
            async with asyncio.timeout(server.timeout_s):
                await self._list(client, is_restless=rest_s >= LONGEST_REST_S)
            self._client_ready.set()
            await asyncio.sleep(rest_s)
            goes_on = self._look.is_set()
            rest_s = min(rest_s * 2, LONGEST_REST_S) if goes_on else SHORTEST_REST_S

    @asynccontextmanager
    async def _listening(self, client: "Client") -> AsyncIterator[None]:
        """Hear of changes on a connection of the newer protocol; older ones tell by themselves."""
        from mcp.client.subscriptions import ListenNotSupportedError

        async def listen() -> None:
            try:
                async with client.listen(tools_list_changed=True) as events:
                    async for _ in events:
                        self._look.set()
            except ListenNotSupportedError:
                return
            except Exception:
                self._look.set()  # whether the server is still there, listing will tell

        task = asyncio.create_task(listen())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    async def _list(self, client: "Client", *, is_restless: bool = False) -> None:
        tools, names, is_cut = await list_tools(client, self.server, self._source, self._secrets)
        self._names = names
        now = Listing(tools, time(), is_restless=is_restless, is_cut=is_cut)
        before, self.listing = self.listing, now
        self._notify_if_changed(before)

    def _lost(self, fault: str) -> None:
        before = self.listing
        self.listing = replace(before, fault=fault, lost_at=before.lost_at or time())
        self._notify_if_changed(before)

    def _notify_if_changed(self, before: Listing) -> None:
        is_first = not self.first.is_set()
        self.first.set()
        now = self.listing
        differs = before.tools != now.tools or before.fault != now.fault
        differs = differs or before.is_restless is not now.is_restless
        differs = differs or before.is_cut is not now.is_cut
        if differs and not is_first:
            self._on_change(self.server.place)


def result_of(answer: Any) -> tuple[bool, Json, str]:
    """Success, result and error of a `CallToolResult`.

    Structured content wins; texts are joined, and read as JSON when they are some; what is no
    text is named, not sent.
    """
    texts = [_text(block) for block in answer.content]
    text = "\n".join(texts)
    if answer.is_error:
        return False, {"error": text}, text or "the tool failed"
    if answer.structured_content is not None:
        return True, answer.structured_content, ""
    return True, _value(text), ""


def _text(block: Any) -> str:
    kind = getattr(block, "type", "")
    if kind == "text":
        return str(block.text)
    if kind == "resource":
        text = getattr(block.resource, "text", None)
        return str(text) if text is not None else f"[{block.resource.uri}]"
    if kind == "resource_link":
        return f"[{block.uri}]"
    return f"[{kind} {getattr(block, 'mime_type', '') or ''}]".replace(" ]", "]")


def _value(text: str) -> Json:
    return json_or_text(text) if text.lstrip().startswith(("{", "[")) else text


_TAIL = 600
"""Characters."""


def fault_in_words(
    error: BaseException, server: McpServer, secrets: SecretResolver, said: str = ""
) -> str:
    """`said`: the end of what the server wrote to stderr."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, ImportError):
        return "the MCP client is not installed. pip install evaltui[mcp]"
    if isinstance(error, UserError):
        return f"{error.what} {error.hint}".strip()
    if isinstance(error, TimeoutError):
        what = f"no answer within {server.timeout_s:g} s"
    elif isinstance(error, FileNotFoundError):
        what = f"the program `{server.command}` was not found"
    else:
        text = str(error).strip()
        # A list that is not as the protocol wants it is a heading, then each place and reason.
        what = " ".join(text.split("\n", 3)[:3]) if text else type(error).__name__
        what = secrets.mask.start_of(" ".join(what.split()), _TAIL)
    return secrets.mask.hide(what) + (
        f"; it wrote: {secrets.mask.end_of(said, _TAIL)}" if said else ""
    )


def tail(errlog: TextIO) -> str:
    """The end of a log as one line, behind a `…` where that is not all; empty when it cannot be
    read."""
    try:
        errlog.flush()
        size = errlog.seek(0, 2)
        before = errlog.seek(max(0, size - 4 * _TAIL))
        return ("…" if before else "") + " ".join(errlog.read().split())
    except (OSError, ValueError):
        return ""
