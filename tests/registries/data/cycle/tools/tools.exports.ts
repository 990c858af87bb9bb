export * from "./a";
export * from "./b";
export { ghostTool } from "./ghost";
