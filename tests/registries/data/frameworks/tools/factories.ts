export const makeLookup = (what: string, options = { version: "1.1.0" }) => ({
  name: `look_up_${what}`,
  description: `Looks up a ${what}.`,
  version: options.version,
  parameters: { type: "object", properties: { [what]: { type: "string" } }, required: [what] },
});
