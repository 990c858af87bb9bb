import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { OvenTools } from "./tools/oven";
const server = new McpServer({ name: "kitchen", version: "1.0.0" });
OvenTools.create(server);
