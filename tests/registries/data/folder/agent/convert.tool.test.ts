export const fakeTool = { name: "fake", description: "Only for tests.", schema: {} };
