"""The floors: bare clients that send the same requests and check the same trifles."""

import argparse
import asyncio
import json
import time
from urllib.parse import urlsplit

MESSAGE = "What is the weather in Paris, request number {}?"


async def bare_aiohttp(url: str, count: int, concurrency: int) -> None:
    """One shared session, so many workers over one iterator."""
    import aiohttp

    numbers = iter(range(count))
    right = 0

    async def work(session: "aiohttp.ClientSession") -> None:
        nonlocal right
        for number in numbers:
            async with session.post(url, json={"message": MESSAGE.format(number)}) as response:
                answer = json.loads(await response.read())
            right += _is_right(answer)

    connector = aiohttp.TCPConnector(limit=concurrency)
    async with aiohttp.ClientSession(connector=connector) as session:
        await asyncio.gather(*(work(session) for _ in range(concurrency)))
    assert right == count, f"{right} of {count}"


async def bare_raw(url: str, count: int, concurrency: int) -> None:
    """Keep-alive connections on asyncio streams; assumes one well-behaved answer form."""
    parts = urlsplit(url)
    assert parts.hostname is not None and parts.port is not None
    numbers = iter(range(count))
    right = 0

    async def work(host: str, port: int) -> None:
        nonlocal right
        reader, writer = await asyncio.open_connection(host, port)
        head = f"POST {parts.path} HTTP/1.1\r\nHost: {host}:{port}\r\n"
        for number in numbers:
            body = json.dumps({"message": MESSAGE.format(number)})
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
            headers = await reader.readuntil(b"\r\n\r\n")
            at = headers.lower().index(b"content-length:") + 15
            length = int(headers[at:].split(b"\r\n", 1)[0])
            right += _is_right(json.loads(await reader.readexactly(length)))
        writer.close()

    await asyncio.gather(
        *(work(parts.hostname, parts.port) for _ in range(min(count, concurrency)))
    )
    assert right == count, f"{right} of {count}"


def _is_right(answer: dict[str, object]) -> bool:
    calls = answer["toolCalls"]
    assert isinstance(calls, list)
    return [call["name"] for call in calls] == ["get_weather"] and "sunny" in str(
        answer["response"]
    )


def main() -> None:
    """`python -m benchmarks.clients raw|aiohttp URL COUNT CONCURRENCY` prints its seconds."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("client", choices=("raw", "aiohttp"))
    parser.add_argument("url")
    parser.add_argument("count", type=int)
    parser.add_argument("concurrency", type=int)
    options = parser.parse_args()
    client = bare_raw if options.client == "raw" else bare_aiohttp
    if options.client == "aiohttp":
        import aiohttp  # noqa: F401  the import is no part of the requests
    started = time.perf_counter()
    asyncio.run(client(options.url, options.count, options.concurrency))
    print(time.perf_counter() - started)


if __name__ == "__main__":
    main()
