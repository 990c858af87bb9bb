export const waterTool = {
  name: "water" as const,
  description: `
    Waters a bed.
  `,
  inputSchema: { type: "object", properties: { bed: { type: "string" } } },
};
