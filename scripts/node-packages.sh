#!/bin/sh
# Installs the npm servers that tests marked `external` talk to, into .cache/node.
set -eu
cd "$(dirname "$0")/.."
mkdir -p .cache/node
npm install --prefix .cache/node --no-audit --no-fund --no-save --loglevel=error \
    "@copilotkit/aimock@^1.43.0" \
    "@modelcontextprotocol/server-everything" "@modelcontextprotocol/server-filesystem" \
    "@modelcontextprotocol/server-memory" "mcp-hub@^4.2.1" "$@"
