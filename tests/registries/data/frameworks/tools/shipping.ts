import { defineTool } from "./define";
const verbs = ["pause", "resume"] as const;
export const shippingTools = [
  defineTool({ name: "schedule_pickup", description: "Plans a pickup.", params: {} }),
  ...verbs.map((verb) => ({
    name: `${verb}_delivery`,
    description: `${verb.toUpperCase()} a delivery.`,
    input_schema: { type: "object", properties: {} },
  })),
];
shippingTools.push({ name: "cancel_delivery", description: "Cancels a delivery.", params: {} });
