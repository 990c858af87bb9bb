export function createConvertTool(bank: Bank) {
  if (!bank) throw new Error("no bank");
  return {
    name: "convert",
    description: `Converts money at ${bank.name}.`,
    schema: { amount: "number", to: "string?" },
    execute: () => bank.convert(),
  };
}
