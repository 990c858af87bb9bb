import { tool } from "ai";
import { tool as lcTool, DynamicStructuredTool, StructuredTool } from "@langchain/core/tools";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { shippingTools } from "./shipping";
import { makeLookup } from "./factories";

const trackParcel = lcTool(async ({ code }) => code, {
  name: "track_parcel",
  description: "Tells where a parcel is.",
  schema: z.object({ code: z.string() }),
});

const weighParcel = new DynamicStructuredTool({
  name: "weigh_parcel",
  description: "Reads the scale.",
  schema: z.object({}),
  func: async () => "1 kg",
});

const labelParcel = createTool({
  id: "label_parcel",
  description: "Prints a label.",
  inputSchema: z.object({ to: z.string() }),
  execute: async () => ({}),
});

abstract class PostTool extends StructuredTool {
  abstract name: string;
  version = "5.0.0";
}

class InsureParcel extends PostTool {
  name = "insure_parcel";
  readonly description = "Insures a parcel.";
  schema = z.object({ value: z.number().positive() });
  async _call() { return ""; }
}

class ReturnParcel {
  static readonly name = "return_parcel";
  static description = "Sends a parcel back.";
  get inputSchema() { return { type: "object" as const, properties: { code: { type: "string" } } }; }
}

export const openAiTool = {
  type: "function",
  function: {
    name: "price_parcel",
    description: "What a parcel costs.",
    parameters: { type: "object", properties: { kg: { type: "number" } }, required: ["kg"] },
  },
} as const;

const byName = {
  find_branch: tool({
    description: "Finds the nearest branch.",
    inputSchema: z.object({ zip: z.string() }),
    execute: async () => ({}),
  }),
  openingHours: tool({ description: "Opening hours of a branch.", parameters: z.object({}) }),
};

export const ALL_TOOLS = [
  trackParcel,
  weighParcel,
  labelParcel,
  new InsureParcel(),
  ReturnParcel,
  openAiTool,
  makeLookup("street"),
  makeLookup("city"),
  ...shippingTools,
  ...Object.values(byName),
  byName,
  ...pluginTools(),
] as const;
