import { z } from "zod";
const is = (field: string) => z.boolean().optional().describe(`Only when ${field}`);
export class OvenTools {
  static create(server: Server) {
    const tools = new OvenTools();
    server.addToolWithReadAccess(
      "oven-find", "Finds ovens.", { name: z.string().optional(), description: z.string().optional(), hot: is("hot") },
      async (query) => await tools.find(query),
    );
    server.registerToolTask(
      "oven-clean",
      { title: "Clean", description: "Cleans an oven.", inputSchema: z.object({ oven: z.string() }) },
      { createTask: async () => ({}), getTask: async () => ({}) },
    );
  }
}
