"""A small MCP server, written without the SDK, whose tools stand in a file it is given.

It speaks JSON-RPC over stdio as of protocol 2025-06-18. With `notify` it watches the file and
says that its list changed; with `storm` it says so whenever it is asked for a page, until there is
a file `calm`. Two tools a page. In a storm each list is a line in `lists`.
"""

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

FILE, NOTIFY, STORM = Path(sys.argv[1]), "notify" in sys.argv, "storm" in sys.argv
LOCK = threading.Lock()


def say(message: dict[str, Any]) -> None:
    with LOCK:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def tools() -> Any:
    return json.loads(FILE.read_text())


def watch() -> None:
    known = FILE.read_text()
    while True:
        time.sleep(0.02)
        now = FILE.read_text()
        if now != known and now.endswith("]"):
            known = now
            say({"method": "notifications/tools/list_changed"})


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {"listChanged": NOTIFY or STORM}},
            "serverInfo": {"name": "changing", "version": "1"},
        }
    if method == "tools/list":
        start = int(params.get("cursor") or 0)
        found = tools()
        if STORM:
            with Path("lists").open("a") as lists:
                lists.write(f"{start}\n")
            if not Path("calm").exists():
                say({"method": "notifications/tools/list_changed"})
        page = {"tools": found[start : start + 2]}
        return page | ({"nextCursor": str(start + 2)} if start + 2 < len(found) else {})
    if method == "tools/call":
        name, arguments = params["name"], params.get("arguments") or {}
        if name == "die":
            sys.exit(3)
        if name == "fail":
            text = arguments.get("why") or "no luck"
            return {"content": [{"type": "text", "text": text}], "isError": True}
        text = json.dumps({"name": name, "got": arguments})
        return {"content": [{"type": "text", "text": text}]}
    return {} if method == "ping" else None


if NOTIFY:
    threading.Thread(target=watch, daemon=True).start()
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    result = answer(asked["method"], asked.get("params") or {})
    if result is None:
        say({"id": asked["id"], "error": {"code": -32601, "message": "no such method"}})
    else:
        say({"id": asked["id"], "result": result})
