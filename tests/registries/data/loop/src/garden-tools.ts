import { z } from "zod";
import { waterTool } from "./water/tool.js";
import { MowLawn } from "./mow.js";
const DAY = "[0-9]{4}-[0-9]{2}";
const DAY_PATTERN = new RegExp(`^${DAY}$`);
const plantTool = {
  name: "plant" as const,
  description: "Plants something.",
  inputSchema: z.object({ what: z.string(), when: z.string().regex(DAY_PATTERN).optional() }),
};
export const GARDEN_TOOLS = [waterTool, plantTool, new MowLawn()];
export const handlers = { water, plant } satisfies Record<string, unknown>;
