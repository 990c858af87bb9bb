import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { registerNoteTools } from "./notes.js";
import { addSearch } from "./search";

const server = new McpServer({ name: "notes", version: "1.0.0" });
registerNoteTools(server);
addSearch(server);
server.tool("ping", async () => ({ content: [] }));
server.tool("server_time", "Tells the server's time.", async () => ({ content: [] }));
for (const tool of remoteTools) {
  server.registerTool(tool.name, { description: tool.description }, tool.run);
}
