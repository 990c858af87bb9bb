"""Tool definitions from live MCP servers, and the way to call those tools."""
