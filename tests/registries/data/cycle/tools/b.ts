import { TEXT_A } from "./a";
export const TEXT_B = "b";
export const bTool = { name: "b", description: `B then ${TEXT_A}`, schema: {} };
export const first = second;
export const second = first;
export const loopTool = { name: "loop", description: first, schema: {} };
