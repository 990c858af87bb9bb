export interface Definition { name: string; description: string }
export function defineTool(definition: Definition) {
  const defaults = { version: "0.1.0", category: "write" };
  return { ...defaults, ...definition };
}
