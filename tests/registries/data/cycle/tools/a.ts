import { TEXT_B } from "./b";
export const TEXT_A = "a";
export const aTool = { name: "a", description: "A then " + TEXT_B, schema: {} };
export * from "./tools.exports";
