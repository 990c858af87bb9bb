import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { GARDEN_TOOLS, handlers } from "./garden-tools.js";
import { Sprinklers } from "./sprinklers.js";

const server = new McpServer({ name: "garden", version: "1.0.0" });
GARDEN_TOOLS.forEach((tool) => {
  server.tool(tool.name, tool.description, { params: tool.inputSchema }, handlers[tool.name]);
});
