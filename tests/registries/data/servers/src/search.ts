import { z } from "zod";

const Query = z.object({ text: z.string(), limit: z.number().int().default(10) });

export const addSearch = (mcp) => {
  mcp.addTool({ name: "notes_search", description: "Finds notes by words.", parameters: Query });
  mcp.registerTool("notes_export", { description: texts.export, inputSchema: Query.shape }, run);
};
