"""One MCP server: connected, listed, listened to, and connected again when it was lost."""

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import perf_counter, time
from typing import TYPE_CHECKING, Any, TextIO, cast

from evaltui.core.errors import UserError
from evaltui.core.record import dataclass
from evaltui.core.response import ToolCall
from evaltui.core.tool import ToolDefinition
from evaltui.registries.mcp.content import result_of
from evaltui.registries.mcp.server import McpServer
from evaltui.registries.vault import Vault

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client import Transport

MAX_PAGES = 1_000
LONGEST_PAUSE_S = 30.0
_TAIL = 600


@dataclass(frozen=True, slots=True)
class Listing:
    """What is known of a server now."""

    tools: tuple[ToolDefinition, ...] = ()
    at: float = 0.0
    """When they were listed, in seconds since the epoch; 0: never."""
    fault: str = ""
    """Why it cannot be reached now; empty while it can."""


class Connection:
    """Lives on the loop of its `LoopThread`; `listing` may be read from any thread."""

    def __init__(
        self,
        server: McpServer,
        source: str,
        root: Path,
        vault: Vault,
        on_change: Callable[[str], None],
    ) -> None:
        self.server = server
        self.listing = Listing()
        self.first = Event()
        """Set once it was listed, or could not be."""
        self._source = source
        self._root = root
        self._vault = vault
        self._on_change = on_change
        self._client: Client | None = None
        self._client_ready = asyncio.Event()
        self._look = asyncio.Event()
        self._names: dict[str, str] = {}
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
                self._lost(self._in_words(error, _tail(errlog)))
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
        except TimeoutError:
            error = f"no answer within {self.server.timeout_s:g} s"
            error = f"{error}: {self.listing.fault}" if self.listing.fault else error
            success, result = False, None
        except asyncio.CancelledError:
            raise
        except Exception as fault:
            success, result, error = False, None, self._in_words(fault, "")
            self._doubt(fault)
        return replace(
            call,
            success=success,
            result=result,
            error=error,
            duration_ms=(perf_counter() - began) * 1000,
        )

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
                    client = await self._connect(stack, errlog)
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
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(poll_s):
                    await self._look.wait()
            self._look.clear()
            async with asyncio.timeout(server.timeout_s):
                await self._list(client)
            self._client_ready.set()

    async def _connect(self, stack: AsyncExitStack, errlog: TextIO) -> "Client":
        from mcp import Client
        from mcp.types import ToolListChangedNotification

        async def hear(message: Any) -> None:
            if isinstance(message, ToolListChangedNotification | Exception):
                self._look.set()

        logger = logging.getLogger("mcp")  # its last resort is stderr, where the screen is
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
            logger.propagate = False
        transport = await self._transport(stack, errlog)
        client = Client(
            transport,
            message_handler=hear,
            cache=None,
            read_timeout_seconds=self.server.timeout_s,
        )
        return await stack.enter_async_context(client)

    async def _transport(self, stack: AsyncExitStack, errlog: TextIO) -> "Transport":
        server, vault = self.server, self._vault

        def filled(template: str, where: str) -> str:
            return vault.fill(template, f"{server.name}.{where}")

        if server.transport == "stdio":
            from mcp.client.stdio import StdioServerParameters, stdio_client

            return cast(
                "Transport",
                stdio_client(
                    StdioServerParameters(
                        command=filled(server.command, "command"),
                        args=[filled(word, "args") for word in server.args],
                        env={k: filled(v, f"env.{k}") for k, v in server.env.items()},
                        cwd=self._root / filled(server.cwd, "cwd"),
                        encoding_error_handler="replace",
                    ),
                    errlog,
                ),
            )
        url = filled(server.url, "url")
        headers = {k: filled(v, f"headers.{k}") for k, v in server.headers.items()}
        if server.transport == "sse":
            from mcp.client.sse import sse_client

            return cast("Transport", sse_client(url, headers, timeout=server.timeout_s))
        from mcp.client.streamable_http import streamable_http_client
        from mcp.shared._httpx_utils import create_mcp_http_client

        http = await stack.enter_async_context(create_mcp_http_client(headers=headers))
        return cast("Transport", streamable_http_client(url, http_client=http))

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

    async def _list(self, client: "Client") -> None:
        tools: list[ToolDefinition] = []
        names: dict[str, str] = {}
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await client.list_tools(cursor=cursor)
            for tool in page.tools:
                name = f"{self.server.prefix}{tool.name}"
                names[name] = tool.name
                tools.append(
                    ToolDefinition(
                        name,
                        tool.description,
                        parameters=tool.input_schema,
                        file=self.server.place,
                        depends_on=tuple(filter(None, (self.server.place, self.server.file))),
                        source=self._source,
                    )
                )
            if not page.next_cursor or page.next_cursor == cursor:
                break
            cursor = page.next_cursor
        self._names = names
        before, self.listing = self.listing, Listing(tuple(tools), time())
        self._told(before)

    def _lost(self, fault: str) -> None:
        before, self.listing = self.listing, replace(self.listing, fault=fault)
        self._told(before)

    def _told(self, before: Listing) -> None:
        is_first = not self.first.is_set()
        self.first.set()
        differs = before.tools != self.listing.tools or before.fault != self.listing.fault
        if differs and not is_first:
            self._on_change(self.server.place)

    def _in_words(self, error: BaseException, said: str) -> str:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, ImportError):
            return "the MCP client is not installed. pip install evaltui[mcp]"
        if isinstance(error, UserError):
            return f"{error.what} {error.hint}".strip()
        if isinstance(error, TimeoutError):
            what = f"no answer within {self.server.timeout_s:g} s"
        elif isinstance(error, FileNotFoundError):
            what = f"the program `{self.server.command}` was not found"
        else:
            text = str(error).strip()
            what = text.splitlines()[0] if text else type(error).__name__
        return self._vault.hide(f"{what}; it wrote: {said}" if said else what)


def _tail(errlog: TextIO) -> str:
    try:
        errlog.flush()
        size = errlog.seek(0, 2)
        errlog.seek(max(0, size - 4 * _TAIL))
        return " ".join(errlog.read().split())[-_TAIL:]
    except (OSError, ValueError):
        return ""
