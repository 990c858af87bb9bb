import { z } from "zod";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

const NoteId = z.string().describe("Id of the note");

export function registerNoteTools(server: McpServer): void {
  const prefix = "notes";
  server.registerTool(
    `${prefix}_create`,
    {
      title: "Create a note",
      description: "Writes a new note.",
      inputSchema: { title: z.string(), body: z.string().optional() },
      annotations: { readOnlyHint: false },
    },
    async ({ title }) => ({ content: [{ type: "text", text: title }] }),
  );
  server.tool(
    "notes_delete",
    "Deletes a note for good.",
    { id: NoteId, name: z.string().optional() },
    { destructiveHint: true },
    async () => ({ content: [] }),
  );
}
