"""1,000 cases against an endpoint that takes 20 at once and answers 429 above.

    python -m benchmarks.adaptive

Our run starts at 64 at once and must find the 20; the best fixed concurrency is found by trying.
Every case must finish once, and the endpoint must have answered each case once.
"""

import json
import urllib.request

from benchmarks.contenders import interleaved, printed_seconds, show
from benchmarks.servers import running_server

COUNT, ALLOWED, LATENCY_MS, ROUNDS = 1_000, 20, 50, 3


def main() -> None:
    for retry_after in ("", "1"):
        with running_server(LATENCY_MS, ALLOWED, retry_after) as url:

            def run(concurrency: int, url: str = url) -> float:
                before = _counts(url)
                taken = printed_seconds(
                    "benchmarks.runner_alone",
                    url,
                    str(COUNT),
                    str(concurrency),
                    "--options",
                    '{"retries": 20}',
                    "--all-passed",
                )
                after = _counts(url)
                assert after["served"] - before["served"] == COUNT, "a case was sent twice"
                print(f"  c={concurrency}: {after['refused'] - before['refused']} refused")
                return taken

            fixed = {f"fixed {c}": (lambda c=c: run(c)) for c in (16, 19, 20)}
            rows = interleaved({**fixed, "adaptive from 64": lambda: run(64)}, ROUNDS)
        best = min((name for name in rows if name.startswith("fixed")), key=rows.__getitem__)
        show(f"Retry-After: {retry_after or 'not sent'} (must: ≤ 1.3 × {best})", rows, best)


def _counts(url: str) -> dict[str, int]:
    with urllib.request.urlopen(url.replace("/chat", "/counts")) as response:
        counts: dict[str, int] = json.load(response)
    return counts


if __name__ == "__main__":
    main()
